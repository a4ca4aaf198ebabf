"""Intervals of a mean, a share and a percentile over turns of which those of one question move together."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, sqrt
from statistics import NormalDist

from stef.stats.bootstrap import LEVEL, SEED, Interval
from stef.stats.means import percentile
from stef.stats.studentised import studentised

RESAMPLES = 1_000


@dataclass(frozen=True, slots=True)
class Clusters:
    """Values added up by cluster: for each the sum, and how many."""

    sums: tuple[float, ...]
    sizes: tuple[int, ...]

    @property
    def n(self) -> int:
        """How many values."""
        return sum(self.sizes)

    @property
    def mean(self) -> float | None:
        """Their mean; None of nothing."""
        return sum(self.sums) / self.n if self.sizes else None


def clustered(pairs: Iterable[tuple[Hashable, float]]) -> Clusters:
    """Values by their cluster. The order of clusters is that of their sums: the order of `pairs` changes nothing."""
    held: dict[Hashable, list[float]] = {}
    for name, value in pairs:
        one = held.setdefault(name, [0.0, 0])
        one[0] += value
        one[1] += 1
    ordered = sorted((round(total, 9), int(size)) for total, size in held.values())
    return Clusters(tuple(total for total, _ in ordered), tuple(size for _, size in ordered))


def mean_interval(found: Clusters, level: float = LEVEL, resamples: int = RESAMPLES) -> Interval | None:
    """The studentised interval of the mean; None where too few clusters differ."""
    import numpy as np  # noqa: PLC0415  heavy

    if len(found.sizes) < 2:
        return None
    sums, sizes = np.array(found.sums, dtype=np.float64), np.array(found.sizes, dtype=np.float64)
    return studentised(sums, sizes, resamples, SEED, level).interval


def share_interval(found: Clusters, level: float = LEVEL) -> Interval | None:
    """Wilson's interval of a share of yes (1) or no (0), for as many independent turns as these are worth.

    That number is p (1 − p) over the variance of the share between clusters (Kish 1965), no more than there are turns;
    where all are alike, that of the clusters.
    """
    n = effective(found)
    share = found.mean
    if share is None or n is None:
        return None
    return _wilson(share, n, level)


def effective(found: Clusters) -> float | None:
    """How many independent turns these are worth, for a share; None of nothing."""
    share, clusters = found.mean, len(found.sizes)
    if share is None:
        return None
    if not 0.0 < share < 1.0 or clusters < 2:
        return float(clusters)
    squares = sum((total - share * size) ** 2 for total, size in zip(found.sums, found.sizes, strict=True))
    variance = squares / found.n**2
    return float(found.n) if variance <= 0.0 else min(float(found.n), share * (1 - share) / variance)


def percentile_interval(pairs: Sequence[tuple[Hashable, float]], share: float, level: float = LEVEL) -> Interval | None:
    """The interval of a percentile (Woodruff 1952): the values where the share below, ± z standard errors, lies.

    None where so few values are there that an end would lie outside of them.
    """
    ordered = sorted(value for _, value in pairs)
    cut = percentile(ordered, share)
    if cut is None:
        return None
    n = effective(clustered((name, float(value <= cut)) for name, value in pairs)) or 1.0
    reach = NormalDist().inv_cdf((1 + level) / 2) * sqrt(share * (1 - share) / n)
    if share - reach <= 0.0 or share + reach >= 1.0:
        return None
    low, high = floor(len(ordered) * (share - reach)), ceil(len(ordered) * (share + reach))
    return Interval(ordered[low], ordered[min(high, len(ordered)) - 1])


def _wilson(share: float, n: float, level: float) -> Interval:
    """Wilson's interval for a number of trials that need not be whole."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    weight = z * z / n
    centre = (share + weight / 2) / (1 + weight)
    half = z * sqrt(share * (1 - share) / n + weight / (4 * n)) / (1 + weight)
    return Interval(0.0 if share <= 0.0 else max(0.0, centre - half), 1.0 if share >= 1.0 else min(1.0, centre + half))
