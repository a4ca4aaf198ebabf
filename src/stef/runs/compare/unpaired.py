"""RUNs that share few questions or none: means compared within strata. Weaker, and it says so."""

from collections.abc import Sequence

from stef.runs.compare.pairs import Paired, cluster_means
from stef.runs.compare.rows import Told
from stef.stats.stratified import Stratified, Stratum, stratified

FEWEST_PAIRS = 30
"""Shared questions that are enough to compare by pairs alone, whatever else the RUNs hold."""

STRATA = ("app", "database", "difficulty", "hardness", "category", "kind")
"""What both sides are divided by, as far as they have it."""


def too_few_shared(paired: Paired, a: Sequence[Told], b: Sequence[Told]) -> bool:
    """Whether pairs would speak for too little: under 30 clusters, and under half of the smaller side's."""
    shared = len({pair.cluster for pair in paired.pairs})
    smaller = min(len({turn.cluster for turn in a}), len({turn.cluster for turn in b}))
    return shared < FEWEST_PAIRS and 2 * shared < smaller


def compare_unpaired(
    a: Sequence[Told], b: Sequence[Told], figure: str, names: Sequence[str], level: float
) -> tuple[Stratified, tuple[str, ...]]:
    """The stratified difference of `figure`, each question once, and by what the strata are made.

    A question is in the stratum of its first turn.
    """
    used = tuple(
        name for name in names if any(turn.places.get(name) for turn in a) and any(t.places.get(name) for t in b)
    )
    strata: dict[str, tuple[list[float], list[float]]] = {}
    for side, turns in enumerate((a, b)):
        place: dict[str, str] = {}
        for turn in turns:
            place.setdefault(turn.cluster, " · ".join(",".join(turn.places.get(name, ())) or "–" for name in used))
        for cluster, value in cluster_means(turns, figure).items():
            strata.setdefault(place[cluster], ([], []))[side].append(value)
    found = [Stratum(name, *values) for name, values in sorted(strata.items())]
    return stratified(found, level), used
