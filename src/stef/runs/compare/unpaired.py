"""RUNs that share few questions or none: means compared within strata. Weaker, and it says so."""

from collections.abc import Sequence

import numpy as np

from stef.runs.compare.pairs import Paired, cluster_means
from stef.runs.compare.turns import Turns
from stef.stats.stratified import Stratified, Stratum, stratified

FEWEST_PAIRS = 30
"""Shared questions that are enough to compare by pairs alone, whatever else the RUNs hold."""

STRATA = ("app", "database", "difficulty", "hardness", "category", "kind")
"""What both sides are divided by, as far as they have it."""


def too_few_shared(paired: Paired, a: Turns, b: Turns) -> bool:
    """Whether pairs would speak for too little: under 30 clusters, and under half of the smaller side's."""
    shared = paired.pairs.clusters
    smaller = min(len(np.unique(a.cluster)), len(np.unique(b.cluster)))
    return shared < FEWEST_PAIRS and 2 * shared < smaller


def compare_unpaired(
    a: Turns, b: Turns, figure: str, names: Sequence[str], level: float
) -> tuple[Stratified, tuple[str, ...]]:
    """The stratified difference of `figure`, each question once, and by what the strata are made.

    A question is in the stratum of its first turn.
    """
    used = tuple(name for name in names if a.counted(name) and b.counted(name))
    values = a.known.places.all()
    strata: dict[str, tuple[list[float], list[float]]] = {}
    for side, turns in enumerate((a, b)):
        clusters, means = cluster_means(turns, figure)
        every, first = np.unique(turns.cluster, return_index=True)
        first = first[np.searchsorted(every, clusters)]
        for numbers, mean in zip(zip(*(turns.places[name][first] for name in used), strict=True), means, strict=False):
            place = " · ".join(",".join(values[number]) or "–" for number in numbers)
            strata.setdefault(place, ([], []))[side].append(float(mean))
        if not used:
            strata.setdefault("", ([], []))[side].extend(means.tolist())
    found = [Stratum(name, *values) for name, values in sorted(strata.items())]
    return stratified(found, level), used
