"""Two samples that are not paired, compared stratum by stratum, so that another mix of strata is no difference."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import fmean, variance

from stef.stats.bootstrap import LEVEL, Interval

FEWEST = 2
"""Values of each side that a stratum needs, for a variance."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """The values of both sides in one stratum, each of one independent thing (a question)."""

    name: str
    a: Sequence[float]
    b: Sequence[float]

    @property
    def usable(self) -> bool:
        """Whether both sides hold enough values."""
        return min(len(self.a), len(self.b)) >= FEWEST


@dataclass(frozen=True, slots=True)
class Stratified:
    """The difference B − A, with strata weighted by the share of all values in them.

    `interval` and `p` (two-sided) are Welch's (1947), with Satterthwaite's degrees of freedom; None where no usable
    stratum varies. `left_out` values stand in strata that are not usable. `simple` is the plain difference of means.
    """

    mean: float | None
    interval: Interval | None
    p: float | None
    error: float | None
    strata: int
    a: int
    b: int
    left_out: int
    simple: float | None

    def sign(self, alpha: float) -> int:
        """1: B is higher, −1: lower, 0: not shown."""
        if self.mean is None or self.p is None or self.p > alpha:
            return 0
        return 1 if self.mean > 0 else -1


def stratified(strata: Sequence[Stratum], level: float = LEVEL) -> Stratified:
    """The post-stratified difference of `strata`."""
    every_a, every_b = [x for one in strata for x in one.a], [x for one in strata for x in one.b]
    simple = fmean(every_b) - fmean(every_a) if every_a and every_b else None
    used = [one for one in strata if one.usable]
    a, b = sum(len(one.a) for one in used), sum(len(one.b) for one in used)
    left_out = len(every_a) + len(every_b) - a - b
    if not used:
        return Stratified(None, None, None, None, 0, 0, 0, left_out, simple)
    weights = [(len(one.a) + len(one.b)) / (a + b) for one in used]
    mean = fsum(weight * (fmean(one.b) - fmean(one.a)) for weight, one in zip(weights, used, strict=True))
    parts = [
        (weight**2 * variance(values) / len(values), len(values) - 1)
        for weight, one in zip(weights, used, strict=True)
        for values in (one.a, one.b)
    ]
    error = sqrt(fsum(part for part, _ in parts))
    interval, p = _welch(mean, error, parts, level)
    return Stratified(mean, interval, p, error, len(used), a, b, left_out, simple)


def _welch(
    mean: float, error: float, parts: Sequence[tuple[float, int]], level: float
) -> tuple[Interval | None, float | None]:
    if error == 0.0:
        return None, None
    from scipy.special import stdtr, stdtrit  # noqa: PLC0415  heavy

    freedom = error**4 / fsum(part**2 / degrees for part, degrees in parts)
    reach = float(stdtrit(freedom, (1 + level) / 2)) * error
    return Interval(mean - reach, mean + reach), 2 * float(stdtr(freedom, -abs(mean) / error))
