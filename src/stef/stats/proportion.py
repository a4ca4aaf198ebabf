"""The interval of a share."""

from math import sqrt
from statistics import NormalDist

from stef.stats.bootstrap import LEVEL, Interval


def wilson(right: int, n: int, level: float = LEVEL) -> Interval | None:
    """The score interval of the share `right` / `n` (Wilson 1927), in [0, 1]; None where `n` is 0.

    It holds for independent trials; unlike right ± z · σ it stays inside [0, 1] and is not a point at 0 or 1.
    Raises ValueError for counts that are no share, and a level outside (0, 1).
    """
    if not 0 <= right <= n:
        raise ValueError(f"{right} of {n} is no share")
    if not 0.0 < level < 1.0:
        raise ValueError(f"level must lie in (0, 1), not {level!r}")
    if n == 0:
        return None
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, weight = right / n, z * z / n
    centre = (share + weight / 2) / (1 + weight)
    half = z * sqrt(share * (1 - share) / n + weight / (4 * n)) / (1 + weight)
    # At the ends the formula gives 0 and 1, up to the last bit of a float.
    return Interval(0.0 if right == 0 else centre - half, 1.0 if right == n else centre + half)
