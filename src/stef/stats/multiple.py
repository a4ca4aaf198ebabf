"""Many tests at once: what is left of a p when the others were looked at, too."""

from collections.abc import Sequence


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Each p, corrected by Holm (1979): the chance of *any* false alarm among all of them stays below the level.

    The smallest of m is multiplied by m, the next by m − 1, and none falls below one before it; at most 1. None (no
    test was made) stays None and does not count.
    """
    tested = sorted((p, index) for index, p in enumerate(values) if p is not None)
    corrected: list[float | None] = [None] * len(values)
    least = 0.0
    for rank, (p, index) in enumerate(tested):
        least = min(1.0, max(least, p * (len(tested) - rank)))
        corrected[index] = least
    return corrected
