"""Where in a series of periods the mean changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

PERMUTATIONS = 999
_MOST_DRAWN = 20_000_000
"""Values that are shuffled in all, at most: with more values there are fewer permutations."""

_FEWEST = 99
"""Permutations, at least; with so many values that these were too many, none is shuffled at all."""


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """The mean changed before period `at` (an index); `earliest` and `latest` bound it at 95 %.

    `p` says how often a series without a change shows one as large anywhere.
    """

    at: int
    earliest: int
    latest: int
    before: float
    after: float
    p: float


def change_point(
    periods: Sequence["Sequence[float] | Floats"], sign: int, seed: int = 0, permutations: int = PERMUTATIONS
) -> ChangePoint | None:
    """Where the mean of values, given by period, fell (`sign` −1) or rose (1) most clearly; None where it nowhere did.

    The boundary with the largest n₁ n₂ / n (m₂ − m₁)², as in least squares. Bounds: boundaries with a likelihood ratio
    within that of the best (Siegmund 1988); p: values shuffled over the periods; of very many values the sums of
    shuffled periods are drawn as what they are then, normal.
    """
    import numpy as np  # noqa: PLC0415  heavy

    sizes = np.array([len(period) for period in periods], dtype=np.float64)
    values = np.concatenate([np.asarray(period, dtype=np.float64) for period in periods]) if len(periods) else sizes
    statistic = _statistic(_sums(values, sizes), sizes, sign)
    if not len(statistic) or not statistic.max() > 0.0:
        return None
    at = int(statistic.argmax())
    cut = int(sizes[: at + 1].sum())
    before, after = values[:cut], values[cut:]
    spread = (((before - before.mean()) ** 2).sum() + ((after - after.mean()) ** 2).sum()) / len(values)
    near = np.flatnonzero(statistic >= statistic[at] - _reach() * spread)
    return ChangePoint(
        at=at + 1,
        earliest=int(near[0]) + 1,
        latest=int(near[-1]) + 1,
        before=float(before.mean()),
        after=float(after.mean()),
        p=_p(values, sizes, sign, float(statistic[at]), (seed, permutations)),
    )


def _sums(values: "Floats", sizes: "Floats") -> "Floats":
    """The sum of each period's values."""
    import numpy as np  # noqa: PLC0415  heavy

    ends = sizes.cumsum().astype(np.int64)
    total = np.concatenate([[0.0], values.cumsum()])
    return np.asarray(np.diff(total[np.concatenate([[0], ends])]), dtype=np.float64)


def _statistic(sums: "Floats", sizes: "Floats", sign: int) -> "Floats":
    """For each boundary between periods, n₁ n₂ / n (m₂ − m₁)²; 0 where the mean moves the other way."""
    import numpy as np  # noqa: PLC0415  heavy

    first, n = sizes.cumsum()[:-1], sizes.sum()
    second, low, total = n - first, sums.cumsum()[:-1], sums.sum()
    usable = (first > 0) & (second > 0)
    first, second = np.where(usable, first, 1.0), np.where(usable, second, 1.0)
    moved = (total - low) / second - low / first
    return np.asarray(np.where(usable & (moved * sign > 0), first * second / n * moved**2, 0.0), dtype=np.float64)


def _reach() -> float:
    """x with (1 − exp(−x / 2))² = 0.95."""
    return -2.0 * log(1.0 - sqrt(0.95))


def _p(values: "Floats", sizes: "Floats", sign: int, observed: float, drawing: tuple[int, int]) -> float:
    import numpy as np  # noqa: PLC0415  heavy

    seed, permutations = drawing
    source = np.random.default_rng(seed)
    normal = len(values) * _FEWEST > _MOST_DRAWN
    times = permutations if normal else min(permutations, _MOST_DRAWN // len(values))
    mean, spread = float(values.mean()), float(values.std())
    reached = 0
    for _ in range(times):
        sums = _normal_sums(sizes, mean, spread, source) if normal else _sums(source.permutation(values), sizes)
        reached += bool(_statistic(sums, sizes, sign).max() >= observed * (1.0 - 1e-9))
    return (1 + reached) / (1 + times)


def _normal_sums(sizes: "Floats", mean: float, spread: float, source: "np.random.Generator") -> "Floats":
    """Sums of periods over which values are shuffled: normal ones that add up to the sum of all."""
    import numpy as np  # noqa: PLC0415  heavy

    n = float(sizes.sum())
    free = np.sqrt(sizes) * source.standard_normal(len(sizes))
    return np.asarray(sizes * mean + spread * np.sqrt(n / (n - 1)) * (free - sizes / n * free.sum()))
