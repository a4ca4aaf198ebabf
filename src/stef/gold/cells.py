"""How many cells of the paired columns agree when the rows of both results are matched one to one.

Equal rows are matched first: with Hamming similarity s(c, r') + s(c', r) ≤ w + s(c', r') whenever c = r, so no better
matching is lost. What is left meets on the shelf of its key and is assigned there, now with tolerance. Where no key
separates half of the reference's rows, whole rows are compared and nothing in part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stef.gold.assignment import TOTAL, Counts, match, shelve
from stef.gold.coding import Coded, common, counted, how_many, joined, rows_joined
from stef.gold.columns import Overlaps
from stef.gold.fuzzy import Points, grouped, near_points
from stef.gold.keys import choose_key
from stef.gold.numbering import Codes, Flags
from stef.gold.ties import Ties
from stef.records.case import Tolerance
from stef.records.gold import ColumnPair

USABLE = 0.5  # the share of the reference's rows that a key must tell apart


@dataclass(frozen=True, slots=True)
class Cells:
    """Matched cells: `matched` for certain, `upper` at most. `key`: indices of pairs, empty for whole rows.

    `equal_rows` of the reference have an equal of their own on the other side; `same_sets`: each row has an equal.
    """

    matched: int = 0
    upper: int = 0
    key: tuple[int, ...] = ()
    no_usable_key: bool = False
    equal_rows: int = 0
    same_sets: bool = False


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Cells that agree: exact where both are the same."""

    low: int
    high: int


class _Column:
    """A pair of columns: codes of both sides' rows, coarser ones where the tolerance applies, and the numbers there."""

    def __init__(self, overlaps: Overlaps, pair: ColumnPair, ties: Ties) -> None:
        self._overlaps = overlaps
        self._ties = ties
        self.edge = pair.reference, pair.candidate
        coded = overlaps.coded
        self.codes = coded.reference.codes[pair.reference], coded.candidate.codes[pair.candidate]
        self.fuzzy = overlaps.fuzzy(self.edge)
        # What costs time waits for its first use; a cached_property takes a lock each time, which costs more.
        self._coarse = None if self.fuzzy else self.codes
        self._separates = None if self.fuzzy else coded.reference.distinct[pair.reference]

    @property
    def points(self) -> tuple[Points, Points]:
        """The rows as numbers."""
        return self._overlaps.points(0, self.edge[0]), self._overlaps.points(1, self.edge[1])

    @property
    def coarse(self) -> tuple[Codes, Codes]:
        """Codes in which near values are one."""
        if self._coarse is None:
            self._coarse = grouped(self.points, self.codes, self._overlaps.coded.size, self._overlaps.tolerance)
        return self._coarse

    @property
    def key_codes(self) -> Codes:
        """The reference's rows, as a key sees them."""
        return self.coarse[0]

    @property
    def separates(self) -> int:
        """How many values a key tells apart in the reference."""
        if self._separates is None:
            self._separates = how_many(self.coarse[0])
        return self._separates

    @property
    def preference(self) -> tuple[Any, ...]:
        """What decides between columns that are equally good."""
        names = self._overlaps.coded.reference.names
        return names[self.edge[0]], self._ties.content(0, self.edge[0]), self._ties.content(1, self.edge[1])

    def agree(self, left: Codes, right: Codes, tolerance: Tolerance) -> Flags:
        """Which cells of the rows are one."""
        equal: Flags = self.codes[0][left] == self.codes[1][right]
        if self.fuzzy:
            equal |= near_points(self.points[0].take(left), self.points[1].take(right), tolerance)
        return equal


def match_cells(overlaps: Overlaps, pairs: Sequence[ColumnPair], ties: Ties) -> Cells:
    """Match the rows of both results on their paired columns."""
    coded = overlaps.coded
    if not pairs or not coded.reference.rows or not coded.candidate.rows:
        return Cells()
    columns = [_Column(overlaps, pair, ties) for pair in pairs]
    rest = _left_over(coded, pairs)
    left, right = rest.left, rest.right
    key = choose_key(pairs, columns, 2 * coded.size, rest.distinct, ties)
    usable = key.separates >= USABLE * coded.reference.rows
    equal_rows = coded.reference.rows - len(left)
    equal = equal_rows * len(pairs)
    found = _Bounds(0, 0)
    if len(left) and len(right):
        rows = _Rows(coded, columns, key.pairs if usable else (), overlaps.tolerance)
        found = rows.assign(left, right)
    used = key.pairs if usable else ()
    return Cells(equal + found.low, equal + found.high, used, not usable, equal_rows, rest.same_sets)


@dataclass(frozen=True, slots=True)
class _LeftOver:
    """The rows of both sides that have no equal, each as often as is left over; how many distinct rows the reference
    has; does each row of either side have an equal on the other, as often or not?"""

    left: Codes
    right: Codes
    distinct: int
    same_sets: bool


def _left_over(coded: Coded, pairs: Sequence[ColumnPair]) -> _LeftOver:
    one = coded.reference.matrix[[pair.reference for pair in pairs]]
    other = coded.candidate.matrix[[pair.candidate for pair in pairs]]
    ids = rows_joined(one, other, coded.size)
    one, other = map(np.sort, ids)
    if np.array_equal(one, other):
        nothing = np.zeros(0, np.int64)
        return _LeftOver(nothing, nothing, how_many(one), same_sets=True)
    left, right, counts = counted(*ids)
    met = np.minimum(*counts)
    rest = [_excess(ranks, count - met) for ranks, count in zip((left, right), counts, strict=True)]
    return _LeftOver(rest[0], rest[1], int(np.count_nonzero(counts[0])), same_sets=bool(met.all()))


def _excess(ranks: Codes, excess: Codes) -> Codes:
    """Rows by number, as many of every rank as are left over; they are equal, so the first stands for all."""
    left = np.flatnonzero(excess)
    if not len(left):
        return left
    first = np.empty(len(excess), np.int64)
    first[ranks[::-1]] = np.arange(len(ranks) - 1, -1, -1)
    return np.repeat(first[left], excess[left])


def _surely(columns: Sequence[_Column]) -> int:
    """In how many of the columns rows that share a shelf surely agree: of near values a shelf may hold a chain."""
    return sum(not column.fuzzy for column in columns)


@dataclass(frozen=True, slots=True)
class _Rows:
    """What is left over, to be assigned: on the shelves of a key, or (without one) as whole rows."""

    coded: Coded
    columns: Sequence[_Column]
    key: tuple[int, ...]
    tolerance: Tolerance

    @property
    def _size(self) -> int:
        return 2 * self.coded.size  # of coarse codes

    def assign(self, left: Codes, right: Codes) -> _Bounds:
        """The most cells that agree."""
        if not self.key and all(not column.fuzzy for column in self.columns):
            return _Bounds(0, 0)  # rows that are not equal, compared as wholes and without tolerance
        keys = [self.columns[place] for place in self.key] or self.columns
        shelf = self._shelf(keys, left, right)
        matched = match((left, right), shelf, self._similar if self.key else self._whole)
        if not len(matched.left):
            return _Bounds(matched.cells, matched.cells)
        bounds = (self._bounds if self.key else self._whole_bounds)(matched.left, matched.right)
        return _Bounds(matched.cells + bounds.low, matched.cells + bounds.high)

    def _shelf(self, columns: Sequence[_Column], left: Codes, right: Codes) -> tuple[Codes, Codes]:
        """Codes of the shelves of both sides' rows: rows share one if all of the columns are one, or nearly so."""
        on = [np.concatenate([column.coarse[0][left], column.coarse[1][right]]) for column in columns]
        shelf, _ = joined(on, self._size)
        return shelf[: len(left)], shelf[len(left) :]

    def _similar(self, left: Codes, right: Codes) -> Counts:
        total = np.zeros(np.broadcast_shapes(left.shape, right.shape), np.int64)
        exact = [column.edge for column in self.columns if not column.fuzzy] if left.ndim == 1 else []
        if exact:  # all columns at once, where that takes no more memory than the rows themselves
            one, other = np.array(exact, np.int64).T[:, :, None]
            total += (self.coded.reference.matrix[one, left] == self.coded.candidate.matrix[other, right]).sum(axis=0)
        for column in self.columns:
            if column.fuzzy or not exact:
                total += column.agree(left, right, self.tolerance)
        return total

    def _whole(self, left: Codes, right: Codes) -> Counts:
        agree = self._similar(left, right)
        agree[agree < len(self.columns)] = 0
        return agree

    def _bounds(self, left: Codes, right: Codes) -> _Bounds:
        """Of rows on shelves that are too large: what a matching surely reaches, and what none can exceed.

        Above: every column is matched for itself. Below: only rows that agree in more and more columns are matched,
        until their shelves are small enough; the others by the key alone.
        """
        keys = [self.columns[place] for place in self.key]
        fewer = common(*self._shelf(keys, left, right))
        met = {column: common(*self._shelf([*keys, column], left, right)) for column in self.columns}
        high = sum(met.values())
        if all(not column.fuzzy for column in self.columns):
            high = min(high, fewer * (len(self.columns) - 1))  # equal rows are gone
        low, certain, agreeing = 0, _surely(keys), keys
        for column in sorted(self.columns, key=lambda column: (-met[column], column.preference)):
            if column in keys:
                continue
            agreeing = [*agreeing, column]
            shelf = self._shelf(agreeing, left, right)
            matched = match((left, right), shelf, self._similar, TOTAL // len(self.columns))
            unsolved = common(*self._shelf(agreeing, matched.left, matched.right))
            rest = fewer - common(*shelf)
            low = max(low, matched.cells + unsolved * _surely(agreeing) + rest * certain)
            if not len(matched.left):
                break
        return _Bounds(low, high)

    def _whole_bounds(self, left: Codes, right: Codes) -> _Bounds:
        """The same for whole rows. Where all rows of a shelf are near to each other, the bounds meet."""
        shelves = shelve(left, right, self._shelf(self.columns, left, right))
        low = high = 0
        for shelf in range(len(shelves.left_starts) - 1):
            one, other = shelves.rows(shelf)
            fewer = min(len(one), len(other)) * len(self.columns)
            high += fewer
            low += fewer if all(self._all_near(column, one, other) for column in self.columns) else 0
        return _Bounds(low, high)

    def _all_near(self, column: _Column, left: Codes, right: Codes) -> bool:
        """Are all values of a shelf near to each other? They are if the outermost two are."""
        if not column.fuzzy:
            return True
        points = [side.take(rows) for side, rows in zip(column.points, (left, right), strict=True)]
        values = np.concatenate([side.values for side in points])
        if np.isnan(values[0]):  # no number: a shelf has one code for it
            return True
        inexact = np.array([any(side.inexact.all() for side in points)])
        least, most = (Points(np.array([end]), inexact) for end in (values.min(), values.max()))
        return bool(near_points(least, most, self.tolerance)[0])
