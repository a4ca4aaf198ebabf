"""Is there an order of the candidate's columns in which its rows are the reference's?

Columns are never sorted or compared one by one: an order counts only if whole rows meet. The search is exact:

1. *Signatures.* A column can stand for another only if both hold the same values, each as often.
2. *Refinement.* Where several columns share a signature, rows are told apart by what is known of their columns, columns
   by the rows that their values stand in, in turns, until nothing more is told apart (Weisfeiler and Leman's colours).
3. *Backtracking* over what is left: columns are added one by one, and the rows of the columns so far must be the same
   multiset on both sides.

To find such an order is as hard as to tell whether two graphs are the same one, so step 3 has a budget. Every answer
but None is proven: hashes only ever rule out, rows decide.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, TypeAlias

from stef.gold.near import Row, columns_near, gist, holds_inexact, rows_near
from stef.records.case import Tolerance

Column: TypeAlias = Sequence[Any]
Columns: TypeAlias = Sequence[Column]

BUDGET = 10_000_000  # rows looked at while backtracking: a few seconds


class _Spent(Exception):  # noqa: N818 - no error: the search ends without an answer
    pass


def same_multiset(left: Iterable[Hashable], right: Iterable[Hashable]) -> bool:
    """Are the same things on both sides, each as often?"""
    return dict.__eq__(Counter(left), Counter(right))  # Counter's own == runs in Python


def rows_of(columns: Columns) -> Iterable[Any]:
    """The rows of columns, one hashable thing a row."""
    return columns[0] if len(columns) == 1 else zip(*columns, strict=True)


def same_in_any_order(left: Columns, right: Columns, bound: tuple[Column, Column] | None) -> bool | None:
    """Are the rows equal, as multisets, in some order of the columns? None where the budget ends first.

    `bound` is a pair of columns that must stand for each other, beside the others. Both sides are as wide and as long.
    """
    signs_left, signs_right = ([sum(map(hash, column)) for column in side] for side in (left, right))
    if sorted(signs_left) != sorted(signs_right):
        return False
    groups: dict[int, list[int]] = defaultdict(list)
    for place, sign in enumerate(signs_right):
        groups[sign].append(place)
    known = [(left[place], right[groups[sign][0]]) for place, sign in enumerate(signs_left) if len(groups[sign]) == 1]
    if bound:
        known.append(bound)
    open_left = [place for place, sign in enumerate(signs_left) if len(groups[sign]) > 1]
    if not open_left:
        return same_multiset(*map(rows_of, zip(*known, strict=True)))
    if signs_left == signs_right and same_multiset(*map(rows_of, _with(left, right, bound))):
        return True
    open_right = [place for place, sign in enumerate(signs_right) if len(groups[sign]) > 1]
    return _tell_apart(
        [left[place] for place in open_left],
        [right[place] for place in open_right],
        [signs_left[place] for place in open_left],
        [signs_right[place] for place in open_right],
        known,
    )


def _with(left: Columns, right: Columns, bound: tuple[Column, Column] | None) -> tuple[Columns, Columns]:
    return ([*left, bound[0]], [*right, bound[1]]) if bound else (left, right)


def _tell_apart(
    left: Columns,
    right: Columns,
    colours_left: Sequence[Hashable],
    colours_right: Sequence[Hashable],
    known: Sequence[tuple[Column, Column]],
) -> bool | None:
    rows = len(left[0])
    keys = _joined([0] * rows, [0] * rows, known)
    if keys is None:
        return False
    sides = _Side(left, list(colours_left), keys[0]), _Side(right, list(colours_right), keys[1])
    while True:
        kinds = len(set(sides[0].colours))
        for side in sides:
            side.refine()
        if not same_multiset(sides[0].colours, sides[1].colours):
            return False
        if len(set(sides[0].colours)) == kinds:
            break
    options = [
        [place for place, other in enumerate(sides[1].colours) if other == colour] for colour in sides[0].colours
    ]
    return _Search(left, right, options).run(keys)


@dataclass(slots=True)
class _Side:
    """One side's columns with their colours; equal colours are what may stand for each other."""

    columns: Columns
    colours: list[Hashable]
    rows: Sequence[int]

    def refine(self) -> None:
        """Tell rows apart by their cells' columns, then columns by their cells' rows."""
        hashed = [map(hash, zip(repeat(c), column)) for c, column in zip(self.colours, self.columns, strict=True)]
        self.rows = list(map(hash, zip(self.rows, map(sum, zip(*hashed, strict=True)), strict=True)))
        self.colours = [
            (colour if isinstance(colour, int) else hash(colour), sum(map(hash, zip(self.rows, column, strict=True))))
            for colour, column in zip(self.colours, self.columns, strict=True)
        ]


Keys: TypeAlias = tuple[Sequence[int], Sequence[int]]


def _joined(left: Sequence[int], right: Sequence[int], pairs: Iterable[tuple[Column, Column]]) -> Keys | None:
    """Number the rows by their key and the cells of more columns; None where the two sides are not the same then."""
    for one, other in pairs:
        numbers: dict[Hashable, int] = {}
        left, right = (
            [numbers.setdefault(pair, len(numbers)) for pair in zip(keys, column, strict=True)]
            for keys, column in ((left, one), (right, other))
        )
        if not same_multiset(left, right):
            return None
    return left, right


@dataclass(slots=True)
class _Search:
    """Backtracking over orders of columns.

    `joins` adds a pair of columns to the keys of the rows, or says that they cannot meet; `accept` has the last word.
    """

    left: Columns
    right: Columns
    options: Sequence[Sequence[int]]
    joins: Callable[[Keys, int, int], Keys | None] | None = None
    accept: Callable[[Sequence[int]], bool | None] | None = None
    spent: int = 0
    undecided: bool = False
    chosen: dict[int, int] = field(default_factory=dict)

    def run(self, keys: Keys) -> bool | None:
        """Is there an order? None where the budget ended before one was found."""
        order = sorted(range(len(self.left)), key=lambda place: (len(self.options[place]), place))
        try:
            if self._from(order, 0, keys):
                return True
        except _Spent:
            return None
        return None if self.undecided else False

    def _from(self, order: Sequence[int], depth: int, keys: Keys) -> bool:
        if depth == len(order):
            return self._accepted()
        place = order[depth]
        tried: list[Column] = []
        for other in self.options[place]:
            column = self.right[other]
            if other in self.chosen.values() or column in tried:
                continue
            tried.append(column)
            self._pay(len(column))
            grown = self._join(keys, place, other)
            if grown is None:
                continue
            self.chosen[place] = other
            if self._from(order, depth + 1, grown):
                return True
            del self.chosen[place]
        return False

    def _join(self, keys: Keys, place: int, other: int) -> Keys | None:
        if self.joins is not None:
            return self.joins(keys, place, other)
        return _joined(*keys, [(self.left[place], self.right[other])])

    def _accepted(self) -> bool:
        if self.accept is None:
            return True
        verdict = self.accept([self.chosen[place] for place in range(len(self.left))])
        self.undecided |= verdict is None
        return verdict is True

    def _pay(self, rows: int) -> None:
        self.spent += rows
        if self.spent > BUDGET:
            raise _Spent


def near_in_any_order(
    left: Columns, right: Columns, bound: tuple[Column, Column] | None, tolerance: Tolerance
) -> bool | None:
    """As `same_in_any_order`, but rows that equality leaves over may be near. None where the budget ends first."""
    fuzzy_left, fuzzy_right = ([holds_inexact(column) for column in side] for side in (left, right))
    if not any(fuzzy_left) and not any(fuzzy_right):
        return False

    def may_stand(place: int, other: int) -> bool:
        if fuzzy_left[place] or fuzzy_right[other]:
            return columns_near(left[place], right[other], tolerance)
        return same_multiset(left[place], right[other])

    places = range(len(left))
    options = [[other for other in places if may_stand(place, other)] for place in places]
    if not all(options):
        return False

    def joins(keys: Keys, place: int, other: int) -> Keys | None:
        one, another = left[place], right[other]
        if not (fuzzy_left[place] or fuzzy_right[other]):
            return _joined(*keys, [(one, another)])
        grown = _joined(*keys, [(list(map(gist, one)), list(map(gist, another)))])
        return grown if grown and _near_on_shelves(grown, one, another, tolerance) else None

    def accept(chosen: Sequence[int]) -> bool | None:
        return near_rows(*_with(left, [right[other] for other in chosen], bound), tolerance)

    keys = _joined([0] * len(left[0]), [0] * len(left[0]), [bound] if bound else ())
    return _Search(left, right, options, joins, accept).run(keys) if keys else False


def _near_on_shelves(keys: Keys, left: Column, right: Column, tolerance: Tolerance) -> bool:
    shelves: dict[int, tuple[list[Any], list[Any]]] = defaultdict(lambda: ([], []))
    for side, column in enumerate((left, right)):
        for key, value in zip(keys[side], column, strict=True):
            shelves[key][side].append(value)
    return all(columns_near(one, other, tolerance) for one, other in shelves.values())


def near_rows(left: Columns, right: Columns, tolerance: Tolerance) -> bool | None:
    """Are the rows the same multiset in this order of columns, where equal rows meet first and the rest may be near?"""
    counts: tuple[Counter[Row], Counter[Row]] = (Counter(zip(*left, strict=True)), Counter(zip(*right, strict=True)))
    rest = [list((counts[side] - counts[1 - side]).elements()) for side in (0, 1)]
    if not rest[0]:
        return True
    return rows_near(rest[0], rest[1], tolerance)
