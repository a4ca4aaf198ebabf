"""The mean of paired differences, drawn by whole clusters: how large it is, how surely, and whether chance explains it.

A pair is one thing that both sides did (a question); pairs that move together (phrasings of one case) are a cluster.
Every pair counts once: the estimate is Σ sums / Σ sizes over clusters, its standard error that of a ratio
(Cochran 1977, ch. 6; the cluster-robust one), the interval studentised, the test a flip of signs by cluster.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stef.stats.bootstrap import LEVEL, SEED, Interval
from stef.stats.permutation import FLIPS, sign_flip
from stef.stats.studentised import studentised

if TYPE_CHECKING:
    import numpy as np

RESAMPLES = 4_000
ENOUGH = 100
"""Clusters that differ, from which on interval and test hold what they promise (bench/coverage.py)."""

_NOTHING = 1e-9
"""A difference below it is the error of a float: both sides are alike."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """How intervals and tests are made: resamples of the bootstrap, flips of signs, seed, level in (0, 1)."""

    resamples: int = RESAMPLES
    flips: int = FLIPS
    seed: int = SEED
    level: float = LEVEL


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of `pairs` differences, B − A, in the unit of the values.

    `discordant` of the `clusters` differ at all. `interval` is None where no two clusters differ, or hardly any do;
    `p` is two-sided, None without pairs. `error` is the standard error of `mean`, None for a single cluster.
    `wins`, `ties`, `losses` count pairs from B's point of view.
    """

    mean: float | None
    interval: Interval | None
    p: float | None
    error: float | None
    pairs: int
    clusters: int
    discordant: int
    wins: int
    ties: int
    losses: int

    @property
    def small(self) -> bool:
        """Whether fewer clusters differ than it takes for interval and test to hold what they promise."""
        return self.discordant < ENOUGH

    def sign(self, alpha: float) -> int:
        """1: B is higher, −1: lower, 0: not shown. Interval and test must both say so."""
        if self.mean is None or self.p is None or self.p > alpha or self.interval is None:
            return 0
        return 1 if self.interval.low > 0 else -1 if self.interval.high < 0 else 0


def paired_difference(pairs: Iterable[tuple[Hashable, float]], drawing: Drawing | None = None) -> Difference:
    """The mean difference of `pairs`, each the name of its cluster and B − A. The order of pairs changes nothing."""
    import numpy as np  # noqa: PLC0415  heavy

    numbers: dict[Hashable, int] = {}
    held = [(numbers.setdefault(cluster, len(numbers)), difference) for cluster, difference in pairs]
    clusters = np.array([cluster for cluster, _ in held], dtype=np.int64)
    return clustered_difference(clusters, np.array([one for _, one in held], dtype=np.float64), drawing)


def clustered_difference(
    clusters: "np.ndarray[Any, np.dtype[np.signedinteger[Any]]]",
    differences: "np.ndarray[Any, np.dtype[np.float64]]",
    drawing: Drawing | None = None,
) -> Difference:
    """The mean difference of pairs in columns: the number of each one's cluster, and B − A."""
    import numpy as np  # noqa: PLC0415  heavy

    number = len(differences)
    if not number:
        return Difference(None, None, None, None, 0, 0, 0, 0, 0, 0)
    exact = np.where(np.abs(differences) < _NOTHING, 0.0, differences)
    _, at = np.unique(clusters, return_inverse=True)
    sums, sizes = np.bincount(at, weights=exact).astype(np.float64), np.bincount(at).astype(np.float64)
    sums[np.abs(sums) < _NOTHING] = 0.0
    # Rounding makes equal what only the order of adding made different; the order is one of the values.
    sums = np.round(sums, 9)
    order = np.lexsort((sizes, sums))
    wins, losses = int((exact > 0).sum()), int((exact < 0).sum())
    return _described(sums[order], sizes[order], drawing or Drawing(), (wins, number - wins - losses, losses))


def _described(
    sums: "np.ndarray[Any, np.dtype[np.float64]]",
    sizes: "np.ndarray[Any, np.dtype[np.float64]]",
    drawing: Drawing,
    outcomes: tuple[int, int, int],
) -> Difference:
    found = studentised(sums, sizes, drawing.resamples, drawing.seed, drawing.level)
    return Difference(
        mean=found.mean,
        interval=found.interval,
        p=sign_flip(sums, drawing.flips, drawing.seed),
        error=found.error,
        pairs=int(sizes.sum()),
        clusters=len(sums),
        discordant=int((sums != 0).sum()),
        wins=outcomes[0],
        ties=outcomes[1],
        losses=outcomes[2],
    )
