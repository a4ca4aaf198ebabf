"""How many questions would show a difference, and which difference these would have shown."""

from math import ceil
from statistics import NormalDist

POWER = 0.8


def needed(error: float, clusters: int, difference: float, level: float = 0.95, power: float = POWER) -> int:
    """Clusters (questions) that show a true mean `difference` with probability `power`, at the variance observed.

    n = (z(1 − α/2) + z(power))² σ² / difference², where σ² = `error`² × `clusters`, their sizes as they are.
    Raises ValueError for a `difference` that is not positive.
    """
    if difference <= 0:
        raise ValueError(f"difference must be positive, not {difference!r}")
    return ceil((_distance(level, power) * error / difference) ** 2 * clusters)


def detectable(error: float, level: float = 0.95, power: float = POWER) -> float:
    """The true mean difference that a comparison with the standard error `error` shows with probability `power`."""
    return _distance(level, power) * error


def _distance(level: float, power: float) -> float:
    normal = NormalDist()
    return normal.inv_cdf((1 + level) / 2) + normal.inv_cdf(power)
