"""Which column of the candidate stands for which of the reference.

First by origin: columns that are the same expression over the same base columns are one, whatever they hold: a proof,
which needs no threshold and no guard. What is left is paired by the overlap of distinct values, best min(P, R) first,
with two guards: min(P, R) reaches the threshold, and the reference's column holds at least two distinct values, for a
flag or a count is soon equal to another. NULL is a value like any other.

Pairs of equal overlap are told apart by what does not change when rows or columns change places (`ties`).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from stef.gold.coding import Coded, shared
from stef.gold.fuzzy import Points, found_near, off_whole, points_of, rising
from stef.gold.kinds import has_inexact, has_numbers
from stef.gold.ties import Ties
from stef.gold.values import Kinds
from stef.records.gold import ColumnPair

if TYPE_CHECKING:
    from stef.records.case import Tolerance

Origins: TypeAlias = Sequence[Hashable | None]
Edge: TypeAlias = tuple[int, int]  # a reference column, a candidate column
Free: TypeAlias = tuple[list[int], list[int]]  # columns that stand in no pair yet, of either side

_ASKED_ANEW = 150  # edges of equal strength, up to which each that is settled is used to tell the others apart
_WHOLE = frozenset({int, type(None)})
_EVIDENCE = 2  # distinct values that a reference column needs to be paired by values


class Overlaps:
    """How far the distinct values of columns overlap, near numbers counted as one."""

    def __init__(self, coded: Coded, tolerance: "Tolerance", kinds: tuple[Sequence[Kinds], Sequence[Kinds]]) -> None:
        self.coded = coded
        self.tolerance = tolerance
        self.shared = shared(coded)
        self._sides = (coded.reference, coded.candidate)
        self._kinds = kinds
        inexact = [
            [has_inexact(column, of_column) for column, of_column in zip(side.cells, of_side, strict=True)]
            for side, of_side in zip(self._sides, kinds, strict=True)
        ]
        self._inexact = (inexact[0], inexact[1])
        self._numeric = (list(map(has_numbers, kinds[0])), list(map(has_numbers, kinds[1])))
        self._off: dict[tuple[int, int], bool] = {}
        self._some = bool(tolerance.relative or tolerance.absolute) and any(map(any, inexact))
        self._points: dict[tuple[int, int], Points] = {}
        self._rising: dict[tuple[int, int], Points] = {}

    def points(self, side: Literal[0, 1], place: int) -> Points:
        """The numbers of a column of the reference (0) or the candidate (1), row by row."""
        known = self._points.get((side, place))
        if known is None:
            known = self._points[side, place] = points_of(self._sides[side], place, self._kinds[side][place])
        return known

    def _rising_numbers(self, side: Literal[0, 1], place: int) -> Points:
        known = self._rising.get((side, place))
        if known is None:
            known = self._rising[side, place] = rising(self.points(side, place))
        return known

    def fuzzy(self, edge: Edge) -> bool:
        """Does the tolerance apply to any two cells of the columns?"""
        if not self._some:
            return False
        one, other = edge
        (left, right), (inexact_left, inexact_right) = self._numeric, self._inexact
        return (inexact_left[one] and right[other]) or (left[one] and inexact_right[other])

    def of(self, edge: Edge) -> tuple[float | None, float | None]:
        """Precision and recall: the share of the candidate's, and of the reference's, distinct values in the other.

        A side without rows has no values, so its share is undefined.
        """
        reference, candidate = self._counts(edge)
        one, other = self._totals(edge)
        return candidate / other if other else None, reference / one if one else None

    def differ(self, edge: Edge) -> bool:
        """Do two columns surely hold different values, with any tolerance?"""
        exact = self.shared[edge[0]][edge[1]]
        return not self.fuzzy(edge) and self._totals(edge) != (exact, exact)

    def strength(self, edge: Edge) -> tuple[float, float, int]:
        """What the best pair has most of: min(P, R), then P + R, then values that are exactly equal."""
        precision, recall = (share or 0.0 for share in self.of(edge))
        return min(precision, recall), precision + recall, self.shared[edge[0]][edge[1]]

    def _totals(self, edge: Edge) -> tuple[int, int]:
        return self.coded.reference.distinct[edge[0]], self.coded.candidate.distinct[edge[1]]

    def _counts(self, edge: Edge) -> tuple[int, int]:
        exact = self.shared[edge[0]][edge[1]]
        if not self.fuzzy(edge) or self._totals(edge) == (exact, exact) or self._apart(edge):
            return exact, exact
        return exact + self._near_alone(0, edge), exact + self._near_alone(1, edge[::-1])

    def _near_alone(self, side: Literal[0, 1], columns: Edge) -> int:
        """How many distinct numbers of a side's column are near to one of the other's, and equal to none."""
        own, other = columns
        points, codes = self.points(side, own), self._sides[side].codes[own]
        alone = ~self._sides[1 - side].holds[other, codes] & ~np.isnan(points.values)
        if not alone.any():
            return 0
        among = self._rising_numbers(0 if side else 1, other)
        return len(set(codes[alone][found_near(points.take(alone), among, self.tolerance)].tolist()))

    def _apart(self, edge: Edge) -> bool:
        """Whole numbers on one side, and on the other only numbers that are near to none?"""
        (one, other), (left, right) = edge, self._kinds
        if left[one] <= _WHOLE:
            return self._off_whole(1, other)
        return right[other] <= _WHOLE and self._off_whole(0, one)

    def _off_whole(self, side: Literal[0, 1], place: int) -> bool:
        known = self._off.get((side, place))
        if known is None:
            known = self._off[side, place] = off_whole(self.points(side, place), self.tolerance)
        return known

    def equal_edges(self, free: Free) -> list[Edge]:
        """The pairs of free columns that hold the same distinct values, enough of them."""
        left, right = self.coded.reference.distinct, self.coded.candidate.distinct
        return [
            (one, other)
            for one in self._evident(free[0])
            for other in free[1]
            if self.shared[one][other] == left[one] == right[other]
        ]

    def edges_above(self, threshold: float, free: Free) -> list[Edge]:
        """The pairs of free columns that both guards let through."""
        left, right = self.coded.reference.distinct, self.coded.candidate.distinct
        edges = []
        for one in self._evident(free[0]):
            for other, exact in enumerate(self.shared[one]):
                if other in free[1] and (
                    (exact and exact / max(left[one], right[other]) >= threshold)
                    or (self.fuzzy((one, other)) and self._nearly((one, other), threshold))
                ):
                    edges.append((one, other))
        return edges

    def _nearly(self, edge: Edge, threshold: float) -> bool:
        least = self.strength(edge)[0]
        return least >= threshold and least > 0

    def _evident(self, places: Iterable[int]) -> list[int]:
        """Those of the reference's columns that hold enough distinct values to be paired by them."""
        return [place for place in places if self.coded.reference.distinct[place] >= _EVIDENCE]


@dataclass(slots=True)
class _Matching:
    """Pairs so far; each column stands in one at most."""

    overlaps: Overlaps
    ties: Ties
    pairs: dict[Edge, Literal["origin", "values"]] = field(default_factory=dict)
    taken: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))

    def add(self, edges: Iterable[Edge], by: Literal["origin", "values"]) -> None:
        """Take the best of the edges whose columns are free, until none is left."""
        edges = list(edges)
        if _apart(edges):
            self._take(edges, by)
            return
        ranked = sorted(((self.overlaps.strength(edge), edge) for edge in edges), reverse=True)
        for _, run in groupby(ranked, key=lambda one: one[0]):
            self._add_equal([edge for _, edge in run], by)

    def _add_equal(self, edges: list[Edge], by: Literal["origin", "values"]) -> None:
        """Edges of equal strength, the one that the ties prefer first; each that is settled tells the others apart."""
        settled: tuple[Edge, ...] | None = None
        while not _apart(edges := [edge for edge in edges if self._free(edge)]):
            if settled is None or len(edges) <= _ASKED_ANEW:
                settled = tuple(self.pairs)
            self._take([self.ties.first(edges, settled)], by)
        self._take(edges, by)

    def _take(self, edges: Iterable[Edge], by: Literal["origin", "values"]) -> None:
        for edge in edges:
            if self._free(edge):
                self.pairs[edge] = by
                self.taken[0].add(edge[0])
                self.taken[1].add(edge[1])

    def _free(self, edge: Edge) -> bool:
        return edge[0] not in self.taken[0] and edge[1] not in self.taken[1]

    def free(self) -> Free:
        """The columns of either side that stand in no pair."""
        coded = self.overlaps.coded
        left = [place for place in range(len(coded.reference.names)) if place not in self.taken[0]]
        return left, [place for place in range(len(coded.candidate.names)) if place not in self.taken[1]]


def _apart(edges: Sequence[Edge]) -> bool:
    """Does no column stand in two of the edges?"""
    return len({one for one, _ in edges}) == len({other for _, other in edges}) == len(edges)


def pair_columns(
    overlaps: Overlaps, ties: Ties, origins: tuple[Origins | None, Origins | None], threshold: float
) -> tuple[ColumnPair, ...]:
    """The pairs, in the order of the reference's columns. Origins are of the reference and of the candidate.

    Origins that are not one a column are left aside.
    """
    matching = _Matching(overlaps, ties)
    for edges in _same_origin(overlaps.coded, *origins):
        matching.add(edges, "origin")
    # Equal sets come before all others, so near numbers are looked for only among the columns that are left.
    for edges_of in (overlaps.equal_edges, partial(overlaps.edges_above, threshold)):
        free = matching.free()
        if all(free):
            matching.add(edges_of(free), "values")
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
