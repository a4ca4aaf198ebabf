"""Why the mean of two samples differs: another mix of kinds, or other values within the same kinds."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import NormalDist, fmean

from stef.stats.bootstrap import LEVEL, Interval

FEWEST = 10
"""Values that a kind needs on a side, to be a kind of its own."""

_REST = ("rest",)

Kinded = tuple[Hashable, float]
"""A kind, and the value of one independent thing of it."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a difference, with the normal interval by its standard error."""

    mean: float
    interval: Interval | None

    def sign(self) -> int:
        """1: above 0, −1: below it, 0: not shown."""
        if self.interval is None:
            return 0
        return 1 if self.interval.low > 0 else -1 if self.interval.high < 0 else 0


@dataclass(frozen=True, slots=True)
class Decomposition:
    """The difference of two means, `total` = `mix` + `within`, over `kinds` kinds.

    `mix` comes from kinds that became more or less frequent; `within` from other values in the same kind. What is of a
    kind that one side lacks counts to the mix: of it nothing is known on the other side.
    """

    total: Part
    mix: Part
    within: Part
    kinds: int


def decompose(before: Sequence[Kinded], after: Sequence[Kinded], level: float = LEVEL) -> Decomposition | None:
    """Kitagawa's decomposition (1955) of the mean after less the mean before; None where a side is empty.

    Standard errors by the influence of each value (the delta method), sides and values taken as independent.
    """
    if not before or not after:
        return None
    a, b = _sorted(before, after)
    kinds = sorted({*a, *b}, key=repr)
    shares = {kind: (len(a.get(kind, ())) / len(before), len(b.get(kind, ())) / len(after)) for kind in kinds}
    means = {kind: _means(a.get(kind), b.get(kind)) for kind in kinds}
    mix = fsum((v - u) * fmean(means[kind]) for kind, (u, v) in shares.items())
    within = fsum((means[kind][1] - means[kind][0]) * (u + v) / 2 for kind, (u, v) in shares.items())
    total = fmean(value for _, value in after) - fmean(value for _, value in before)
    influences = [_influence(side, values, shares, means) for side, values in enumerate((a, b))]
    z = NormalDist().inv_cdf((1 + level) / 2)
    errors = [sqrt(fsum(influences[side][part] for side in (0, 1))) for part in range(3)]
    parts = [Part(mean, _around(mean, z * error)) for mean, error in zip((total, mix, within), errors, strict=True)]
    return Decomposition(parts[0], parts[1], parts[2], len(kinds))


def _around(mean: float, reach: float) -> Interval | None:
    return Interval(mean - reach, mean + reach) if reach > 0.0 else None


def _sorted(before: Sequence[Kinded], after: Sequence[Kinded]) -> tuple[dict[Hashable, list[float]], ...]:
    """The values of each side by kind; kinds that are rare on one side, but not absent, are one kind."""
    counts = Counter(kind for kind, _ in before), Counter(kind for kind, _ in after)
    rare = {kind for kind in {*counts[0], *counts[1]} if min(counts[0][kind], counts[1][kind]) < FEWEST}
    # A kind that is frequent on one side, and absent on the other, is new or gone.
    rare -= {kind for kind in rare if min(of[kind] for of in counts) == 0 and max(of[kind] for of in counts) >= FEWEST}
    found: list[dict[Hashable, list[float]]] = []
    for side in (before, after):
        values: dict[Hashable, list[float]] = {}
        for kind, value in side:
            values.setdefault(_REST if kind in rare else kind, []).append(value)
        found.append(values)
    return tuple(found)


def _means(a: Sequence[float] | None, b: Sequence[float] | None) -> tuple[float, float]:
    """The mean on both sides; a side that lacks the kind has the other's."""
    return fmean(a or b or ()), fmean(b or a or ())


def _influence(
    side: int,
    values: dict[Hashable, list[float]],
    shares: dict[Hashable, tuple[float, float]],
    means: dict[Hashable, tuple[float, float]],
) -> tuple[float, float, float]:
    """The variance that one side's values give to the total, the mix, and what is within."""
    n = sum(len(one) for one in values.values())
    direction = 1.0 if side else -1.0
    overall = fsum(shares[kind][side] * means[kind][side] for kind in shares)
    mixed = fsum(shares[kind][side] * fmean(means[kind]) for kind in shares)
    moved = fsum(shares[kind][side] * (means[kind][1] - means[kind][0]) for kind in shares)
    squares = [0.0, 0.0, 0.0]
    for kind, held in values.items():
        own, both = shares[kind][side], shares[kind]
        alone = min(both) == 0.0
        for value in held:
            off = value - means[kind][side]
            # The mean of a kind that only one side has stands for both sides, so all of it is mix.
            slope = (both[1] - both[0]) / own * (1.0 if alone else 0.5)
            mix = direction * (fmean(means[kind]) - mixed) + slope * off
            within = (means[kind][1] - means[kind][0] - moved) / 2
            within += 0.0 if alone else direction * (both[0] + both[1]) / 2 / own * off
            for part, one in enumerate((direction * (value - overall), mix, within)):
                squares[part] += one * one
    return squares[0] / n**2, squares[1] / n**2, squares[2] / n**2
