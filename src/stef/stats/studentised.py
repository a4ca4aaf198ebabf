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
_FASTER = 10
_CHUNK = 1_000_000
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
    error = _error(sums - mean * sizes, sizes)
    if error == 0.0:
        return Studentised(mean, 0.0, None)
    moved, errors = resampled(sums, sizes, resamples, seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        # A resample without variance is infinitely far off, or not off at all.
        deviations = np.nan_to_num(moved / errors, nan=0.0, posinf=np.inf, neginf=-np.inf)
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


def _error(residuals: "Floats", sizes: "Floats") -> float:
    """The standard error of the ratio."""
    clusters = len(sizes)
    return float((clusters / (clusters - 1) * (residuals**2).sum()) ** 0.5 / sizes.sum())


def resampled(sums: "Floats", sizes: "Floats", resamples: int, seed: int) -> "tuple[Floats, Floats]":
    """How far the mean of each resample is off the mean of all, and its own standard error (0 without variance)."""
    import numpy as np  # noqa: PLC0415  heavy

    clusters = len(sums)
    residuals = sums - sums.sum() / sizes.sum() * sizes
    source = np.random.default_rng(seed)
    cells = _cells(residuals, sizes)
    # A number for each cluster is drawn ten times as fast as a count for each cell.
    by_cell = _FASTER * len(cells[0]) < clusters
    wide = len(cells[0]) if by_cell else clusters
    found: list[Floats] = []
    at_once = max(1, _CHUNK // wide)
    for start in range(0, resamples, at_once):
        number = min(at_once, resamples - start)
        draw = _by_cell(cells, number, source) if by_cell else _one_by_one(residuals, sizes, number, source)
        off, total, squares, crossed, sized = draw
        moved = off / total
        variance = np.maximum(squares - 2 * moved * crossed + moved**2 * sized, 0.0)
        # What is left of a variance of 0 after subtracting is the error of floats.
        variance[variance <= 1e-12 * squares] = 0.0
        found.append(np.stack([moved, np.sqrt(clusters / (clusters - 1) * variance) / total]))
    moved, errors = np.concatenate(found, axis=1)
    return moved, errors


def _by_cell(cells: "tuple[Floats, Floats, Floats]", number: int, source: "np.random.Generator") -> "Floats":
    """Σr, Σn, Σr², Σrn and Σn² of each resample, r the residuals and n the sizes: counts of cells are drawn."""
    import numpy as np  # noqa: PLC0415  heavy

    r, n, counts = cells
    drawn = source.multinomial(int(counts.sum()), counts / counts.sum(), size=number)
    sums: Floats = np.asarray(np.stack([r, n, r**2, r * n, n**2]) @ drawn.T, dtype=np.float64)
    return sums


def _one_by_one(residuals: "Floats", sizes: "Floats", number: int, source: "np.random.Generator") -> "Floats":
    """The same sums, where each cluster is drawn by its number."""
    import numpy as np  # noqa: PLC0415  heavy

    drawn = source.integers(len(sizes), size=(number, len(sizes)), dtype=np.int32)
    r = residuals[drawn]
    off, squares = r.sum(axis=1), np.einsum("ij,ij->i", r, r)
    if (sizes == sizes[0]).all():
        total = np.full(number, sizes.sum())
        return np.stack([off, total, squares, off * sizes[0], total * sizes[0]])
    n = sizes[drawn]
    return np.stack([off, n.sum(axis=1), squares, np.einsum("ij,ij->i", r, n), np.einsum("ij,ij->i", n, n)])
