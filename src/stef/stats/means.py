"""Means and percentiles; of nothing they are None, never 0."""

from array import array
from collections.abc import Iterable
from math import floor, fsum


def mean(values: Iterable[float]) -> float | None:
    """The arithmetic mean, whatever the order of the values; None of nothing."""
    held = array("d", values)
    return fsum(held) / len(held) if held else None


def percentile(values: Iterable[float], share: float) -> float | None:
    """The value below which `share` (in [0, 1]) of the values lie, by linear interpolation; None of nothing.

    The rank is (n − 1) × share, as numpy's default and Excel's PERCENTILE.INC have it.
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share must lie in [0, 1], not {share!r}")
    ordered = sorted(values)
    if not ordered:
        return None
    rank = (len(ordered) - 1) * share
    below = floor(rank)
    above = min(below + 1, len(ordered) - 1)
    low, high = ordered[below], ordered[above]
    # The clamp keeps a float's error from leaving the two neighbours.
    return min(max(low + (high - low) * (rank - below), low), high)
