"""The studentised bootstrap (bootstrap-t; Efron 1982, Hall 1988) of a ratio of sums over clusters.

Plain percentile intervals of a skewed mean cover too little (0.91 to 0.945 of the 0.95 promised). The studentised one
is right to the second order, and unlike BCa it widens for a variance that was estimated from few clusters.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from stef.stats.bootstrap import Interval

if TYPE_CHECKING:
    import numpy as np

    Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

_MOST_CELLS = 20_000
_GRID = 4_096
_CHUNK = 4_000_000
"""Numbers that are drawn at once, at most."""


@dataclass(frozen=True, slots=True)
class Studentised:
    """A mean, its standard error (None for a single cluster), and an interval where there is one."""

    mean: float
    error: float | None
    interval: Interval | None


def studentised(sums: "Floats", sizes: "Floats", resamples: int, seed: int, level: float) -> Studentised:
    """The mean Σ sums / Σ sizes over clusters, with its studentised interval.

    The interval is None where no variance can be estimated, and where resamples without any variance are so many that
    a limit would be infinite: with a handful of clusters that differ. Clusters that are alike are one cell with a
    count, so that what is drawn is a count for each cell, whatever the number of clusters.
    """
    import numpy as np  # noqa: PLC0415  heavy

    clusters = len(sums)
    mean = float(sums.sum() / sizes.sum())
    if clusters < 2:
        return Studentised(mean, None, None)
    residuals, weights, counts = _cells(sums - mean * sizes, sizes)
    error = _error(residuals, weights, counts, clusters)
    if error == 0.0:
        return Studentised(mean, 0.0, None)
    deviations = _deviations(residuals, weights, counts, resamples, np.random.default_rng(seed))
    low, high = np.quantile(deviations, [(1 - level) / 2, (1 + level) / 2], method="closest_observation")
    interval = Interval(mean - float(high) * error, mean - float(low) * error)
    return Studentised(mean, error, interval if np.isfinite([low, high]).all() else None)


def _cells(residuals: "Floats", sizes: "Floats") -> "tuple[Floats, Floats, Floats]":
    """Distinct clusters and how many there are of each; many distinct ones on a grid of 4,096 steps."""
    import numpy as np  # noqa: PLC0415  heavy

    def distinct(values: "Floats") -> "tuple[Floats, Floats, Floats]":
        cells, counts = np.unique(np.stack([values, sizes]), axis=1, return_counts=True)
        return cells[0], cells[1], counts.astype(np.float64)

    found = distinct(residuals)
    if len(found[2]) <= _MOST_CELLS:
        return found
    step = float(np.ptp(residuals)) / _GRID
    rounded = np.round(residuals / step) * step
    return distinct(rounded - (rounded.sum() / sizes.sum()) * sizes)


def _error(residuals: "Floats", weights: "Floats", counts: "Floats", clusters: int) -> float:
    """The standard error of the ratio."""
    total = float(counts @ weights)
    squares = float(counts @ residuals**2)
    return float((clusters / (clusters - 1) * squares) ** 0.5 / total)


def _deviations(
    residuals: "Floats", weights: "Floats", counts: "Floats", resamples: int, source: "np.random.Generator"
) -> "Floats":
    """(mean* − mean) / error* in each resample; ±inf where a resample has no variance."""
    import numpy as np  # noqa: PLC0415  heavy

    clusters = int(counts.sum())
    shares = counts / clusters
    moments = np.stack([residuals, weights, residuals**2, residuals * weights, weights**2], axis=1)
    found: list[Floats] = []
    at_once = max(1, _CHUNK // len(counts))
    for start in range(0, resamples, at_once):
        drawn = source.multinomial(clusters, shares, size=min(at_once, resamples - start))
        off, total, squares, crossed, sized = (drawn @ moments).T
        moved = off / total
        variance = np.maximum(squares - 2 * moved * crossed + moved**2 * sized, 0.0)
        # What is left of a variance of 0 after subtracting is the error of floats.
        variance[variance <= 1e-12 * squares] = 0.0
        error = np.sqrt(clusters / (clusters - 1) * variance) / total
        with np.errstate(divide="ignore", invalid="ignore"):
            found.append(np.nan_to_num(moved / error, nan=0.0, posinf=np.inf, neginf=-np.inf))
    return np.concatenate(found)
