"""Intervals of a mean, a share and a percentile over turns of which those of one question move together."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import ceil, floor, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, TypeAlias

from stef.stats.bootstrap import LEVEL, SEED, Interval
from stef.stats.means import percentile
from stef.stats.studentised import studentised

if TYPE_CHECKING:
    import numpy as np

    Whole: TypeAlias = np.ndarray[Any, np.dtype[np.signedinteger[Any]]]
    Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

RESAMPLES = 1_000


@dataclass(frozen=True, slots=True)
class Clusters:
    """Values added up by cluster: for each the sum, and how many (at least one)."""

    sums: "Floats"
    sizes: "Floats"

    @property
    def n(self) -> int:
        """How many values."""
        return int(self.sizes.sum())

    @property
    def mean(self) -> float | None:
        """Their mean; None of nothing."""
        return float(self.sums.sum()) / self.n if len(self.sizes) else None


def clustered(pairs: Iterable[tuple[Hashable, float]]) -> Clusters:
    """Values by their cluster. The order of `pairs` changes nothing."""
    return clustered_columns(*_columns(pairs))


def clustered_columns(at: "Whole", values: "Floats") -> Clusters:
    """Values by the number of their cluster. The order of clusters is that of their sums, and changes nothing."""
    import numpy as np  # noqa: PLC0415  heavy

    counts = np.bincount(at)
    # Rounding makes equal what only the order of adding made different.
    sums: Floats = np.asarray(np.round(np.bincount(at, weights=values), 9)[counts > 0], dtype=np.float64)
    sizes = counts[counts > 0].astype(np.float64)
    order = np.lexsort((sizes, sums))
    return Clusters(sums[order], sizes[order])


def _columns(pairs: Iterable[tuple[Hashable, float]]) -> "tuple[Whole, Floats]":
    """The number of each one's cluster, and the values."""
    import numpy as np  # noqa: PLC0415  heavy

    numbers: dict[Hashable, int] = {}
    held = [(numbers.setdefault(name, len(numbers)), value) for name, value in pairs]
    return np.array([at for at, _ in held], dtype=np.int64), np.array([value for _, value in held], dtype=np.float64)


def mean_interval(found: Clusters, level: float = LEVEL, resamples: int = RESAMPLES) -> Interval | None:
    """The studentised interval of the mean; None where too few clusters differ."""
    if len(found.sizes) < 2:
        return None
    return studentised(found.sums, found.sizes, resamples, SEED, level).interval


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
    squares = float(((found.sums - share * found.sizes) ** 2).sum())
    variance = squares / found.n**2
    return float(found.n) if variance <= 0.0 else min(float(found.n), share * (1 - share) / variance)


def percentile_interval(pairs: Iterable[tuple[Hashable, float]], share: float, level: float = LEVEL) -> Interval | None:
    """The interval of a percentile (Woodruff 1952): the values where the share below, ± z standard errors, lies.

    None where so few values are there that an end would lie outside of them.
    """
    return percentile_interval_columns(*_columns(pairs), share, level)


def percentile_interval_columns(at: "Whole", values: "Floats", share: float, level: float = LEVEL) -> Interval | None:
    """The same of values with the numbers of their clusters."""
    import numpy as np  # noqa: PLC0415  heavy

    ordered = np.sort(values).tolist()
    cut = percentile(ordered, share)
    if cut is None:
        return None
    n = effective(clustered_columns(at, (values <= cut).astype(np.float64))) or 1.0
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
