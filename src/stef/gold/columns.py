"""Which column of the candidate stands for which of the reference.

First by origin: columns that are the same expression over the same base columns are one, whatever they hold: a proof,
which needs no threshold and no guard. What is left is paired by the overlap of distinct values, best min(P, R) first,
with two guards: min(P, R) reaches the threshold, and the reference's column holds at least two distinct values, for a
flag or a count is soon equal to another. NULL is a value like any other in an overlap; as evidence it is none, so the
second guard does not count it.

Pairs of equal overlap are told apart by what does not change when rows or columns change places (`ties`).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from stef.gold.coding import Coded, Codes, Flags, shared
from stef.gold.fuzzy import Numbers, found_near, numbers_of
from stef.gold.near import holds_inexact
from stef.gold.ties import Ties
from stef.records.gold import ColumnPair

if TYPE_CHECKING:
    from stef.records.case import Tolerance

Origins: TypeAlias = Sequence[Hashable | None]
Edge: TypeAlias = tuple[int, int]  # a reference column, a candidate column

_EVIDENCE = 2  # distinct values that a reference column needs to be paired by values


class Overlaps:
    """How far the distinct values of columns overlap, near numbers counted as one."""

    def __init__(self, coded: Coded, tolerance: "Tolerance") -> None:
        self.coded = coded
        self.tolerance = tolerance
        self.shared = shared(coded)
        exact = not tolerance.relative and not tolerance.absolute
        sides = (coded.reference, coded.candidate)
        self.inexact = tuple([not exact and holds_inexact(column) for column in side.cells] for side in sides)
        self._numbers: dict[tuple[int, int], Numbers] = {}

    def numbers(self, side: Literal[0, 1], place: int) -> Numbers:
        """The numbers of a column of the reference (0) or the candidate (1)."""
        known = self._numbers.get((side, place))
        if known is None:
            known = numbers_of((self.coded.reference, self.coded.candidate)[side], place)
            self._numbers[side, place] = known
        return known

    def fuzzy(self, edge: Edge) -> bool:
        """Does the tolerance apply to any two cells of the columns?"""
        return self.inexact[0][edge[0]] or self.inexact[1][edge[1]]

    def of(self, edge: Edge) -> tuple[float | None, float | None]:
        """Precision and recall: the share of the candidate's, and of the reference's, distinct values in the other.

        A side without rows has no values, so its share is undefined.
        """
        reference, candidate = self._counts(edge)
        total_reference, total_candidate = self._totals(edge)
        return (
            candidate / total_candidate if total_candidate else None,
            reference / total_reference if total_reference else None,
        )

    def strength(self, edge: Edge) -> tuple[float, float]:
        """What the best pair has most of: min(P, R), then P + R."""
        precision, recall = (share or 0.0 for share in self.of(edge))
        return min(precision, recall), precision + recall

    def _totals(self, edge: Edge) -> tuple[int, int]:
        return int(self.coded.reference.distinct[edge[0]]), int(self.coded.candidate.distinct[edge[1]])

    def _counts(self, edge: Edge) -> tuple[int, int]:
        exact = int(self.shared[edge])
        if not self.fuzzy(edge) or self._totals(edge) == (exact, exact):
            return exact, exact
        left, right = self.numbers(0, edge[0]).distinct, self.numbers(1, edge[1]).distinct
        only_left = ~self.coded.candidate.holds[edge[1], self.numbers(0, edge[0]).codes]
        only_right = ~self.coded.reference.holds[edge[0], self.numbers(1, edge[1]).codes]
        return (
            exact + found_near(left.take(only_left), right, self.tolerance),
            exact + found_near(right.take(only_right), left, self.tolerance),
        )

    def edges_above(self, threshold: float, free: tuple[Sequence[int], Sequence[int]]) -> list[Edge]:
        """The pairs of free columns that both guards let through."""
        rows, columns = (np.array(places, np.int64) for places in free)
        left, right = self.coded.reference, self.coded.candidate
        evidence = left.distinct[rows] - self._nulls(rows) >= _EVIDENCE
        rows = rows[evidence]
        wider = np.maximum(left.distinct[rows][:, None], right.distinct[columns][None, :])
        common = self.shared[np.ix_(rows, columns)]
        passing = (common > 0) & (common / wider >= threshold)
        if any(self.inexact[0]) or any(self.inexact[1]):
            passing |= self._near_edges(rows, columns, threshold)
        return [(int(rows[one]), int(columns[other])) for one, other in np.argwhere(passing)]

    def _nulls(self, rows: Codes) -> Codes:
        null = self.coded.null
        return self.coded.reference.holds[rows, null].astype(np.int64) if null is not None else np.zeros_like(rows)

    def _near_edges(self, rows: Codes, columns: Codes, threshold: float) -> Flags:
        passing = np.zeros((len(rows), len(columns)), np.bool_)
        for one, row in enumerate(rows.tolist()):
            for other, column in enumerate(columns.tolist()):
                if self.fuzzy((row, column)):
                    least = self.strength((row, column))[0]
                    passing[one, other] = least >= threshold and least > 0
        return passing


@dataclass(slots=True)
class _Matching:
    """Pairs so far; each column stands in one at most."""

    overlaps: Overlaps
    ties: Ties
    pairs: dict[Edge, Literal["origin", "values"]] = field(default_factory=dict)
    taken: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))

    def add(self, edges: Iterable[Edge], by: Literal["origin", "values"]) -> None:
        """Take the best of the edges whose columns are free, until none is left."""
        ranked = sorted(((self.overlaps.strength(edge), edge) for edge in edges), reverse=True)
        for _, run in groupby(ranked, key=lambda one: one[0]):
            equal = [edge for _, edge in run if self._free(edge)]
            if len({one for one, _ in equal}) < len(equal) or len({other for _, other in equal}) < len(equal):
                equal.sort(key=self.ties.key)
            for edge in equal:
                if self._free(edge):
                    self.pairs[edge] = by
                    self.taken[0].add(edge[0])
                    self.taken[1].add(edge[1])

    def _free(self, edge: Edge) -> bool:
        return edge[0] not in self.taken[0] and edge[1] not in self.taken[1]

    def free(self) -> tuple[list[int], list[int]]:
        """The columns of either side that stand in no pair."""
        coded = self.overlaps.coded
        left = [place for place in range(len(coded.reference.names)) if place not in self.taken[0]]
        return left, [place for place in range(len(coded.candidate.names)) if place not in self.taken[1]]


def pair_columns(
    overlaps: Overlaps, ties: Ties, origins: tuple[Origins | None, Origins | None], threshold: float
) -> tuple[ColumnPair, ...]:
    """The pairs, in the order of the reference's columns. Origins are of the reference and of the candidate.

    Origins that are not one a column are left aside.
    """
    matching = _Matching(overlaps, ties)
    for edges in _same_origin(overlaps.coded, *origins):
        matching.add(edges, "origin")
    left, right = matching.free()
    if left and right:
        matching.add(overlaps.edges_above(threshold, (left, right)), "values")
    return tuple(
        ColumnPair(candidate, reference, by, *overlaps.of((reference, candidate)))
        for (reference, candidate), by in sorted(matching.pairs.items())
    )


def _same_origin(coded: Coded, reference: Origins | None, candidate: Origins | None) -> list[list[Edge]]:
    if reference is None or candidate is None:
        return []
    if len(reference) != len(coded.reference.names) or len(candidate) != len(coded.candidate.names):
        return []
    groups: defaultdict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, origins in enumerate((reference, candidate)):
        for place, origin in enumerate(origins):
            if origin is not None:
                groups[origin][side].append(place)
    return [[(one, other) for one in left for other in right] for left, right in groups.values()]
