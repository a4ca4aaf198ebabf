"""Is there an order of the candidate's columns in which its rows are the reference's?

Columns are never sorted or compared one by one: an order counts only if whole rows meet. The search is exact:

1. *Signatures.* A column can stand for another only if both hold the same values, each as often.
2. *Refinement and backtracking* where several columns share a signature: see `isomorphism`.
3. Where rows may be near, no hash tells: columns that may stand for one another are added one by one, and the rows of
   the columns so far must be the same multiset on both sides, numbers taken as heaps of near ones.

To find such an order is as hard as to tell whether two graphs are the same one, so steps 2 and 3 have a budget. Every
answer but None is proven: hashes only ever rule out, rows decide.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from stef.gold.isomorphism import Isomorphism, Side, SpentError
from stef.gold.multisets import Column, Columns, same_multiset, same_rows
from stef.gold.near_rows import near_rows
from stef.gold.profile import Profile, coded_alike, columns_near
from stef.records.case import Tolerance

BUDGET = 10_000_000  # cells looked at while backtracking: two to three seconds


def in_any_order(
    left: Sequence[Profile],
    right: Sequence[Profile],
    bound: tuple[Column, Column] | None,
    tolerance: Tolerance | None,
) -> bool | None:
    """Are the rows the same multiset in some order of the columns? None where the budget ends first.

    Equal rows meet first; where a tolerance is given, those left over may be near. `bound` is a pair of columns that
    must stand for each other, beside the others. Both sides are as wide and as long.
    """
    columns = [one.column for one in left], [one.column for one in right]
    verdict = _same(*columns, bound, ([one.sign for one in left], [one.sign for one in right]))
    if verdict is True or tolerance is None:
        return verdict
    nearly = _near(left, right, bound, tolerance)
    return None if nearly is False and verdict is None else nearly


Signs: TypeAlias = tuple[list[int], list[int]]


def _same(left: Columns, right: Columns, bound: tuple[Column, Column] | None, signs: Signs) -> bool | None:
    if sorted(signs[0]) != sorted(signs[1]):
        return False
    groups: dict[int, list[int]] = defaultdict(list)
    for place, sign in enumerate(signs[1]):
        groups[sign].append(place)
    known = [(left[place], right[groups[sign][0]]) for place, sign in enumerate(signs[0]) if len(groups[sign]) == 1]
    if bound:
        known.append(bound)
    if len(groups) == len(left):
        return same_rows(*zip(*known, strict=True))
    if signs[0] == signs[1] and same_rows(*_with(left, right, bound)):
        return True
    alike = [[place for place, sign in enumerate(side) if len(groups[sign]) > 1] for side in signs]
    columns = [[side[place] for place in places] for side, places in zip((left, right), alike, strict=True)]
    colours = [[side[place] for place in places] for side, places in zip(signs, alike, strict=True)]
    return _tell_apart(columns, colours, known)


def _with(left: Columns, right: Columns, bound: tuple[Column, Column] | None) -> tuple[Columns, Columns]:
    return ([*left, bound[0]], [*right, bound[1]]) if bound else (left, right)


def _tell_apart(
    columns: Sequence[Columns], colours: Sequence[Sequence[Hashable]], known: Sequence[tuple[Column, Column]]
) -> bool | None:
    rows = len(columns[0][0])
    keys = _joined([0] * rows, [0] * rows, known)
    if keys is None:
        return False
    left, right = (Side.of(*side) for side in zip(columns, colours, keys, strict=True))
    return Isomorphism(list(known), BUDGET).exists(left, right)


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
    """Backtracking over orders of columns, one by one.

    `joins` adds a pair of columns to the keys of the rows, or says that they cannot meet; `accept` has the last word.
    """

    left: Columns
    right: Columns
    options: Sequence[Sequence[int]]
    joins: Callable[[Keys, int, int], Keys | None]
    accept: Callable[[Sequence[int]], bool | None]
    left_to_spend: int
    undecided: bool = False
    chosen: dict[int, int] = field(default_factory=dict)

    def run(self, keys: Keys) -> bool | None:
        """Is there an order? None where the budget ended before one was found."""
        order = sorted(range(len(self.left)), key=lambda place: (len(self.options[place]), place))
        try:
            if self._from(order, 0, keys):
                return True
        except (SpentError, RecursionError):  # the latter: more than some 900 columns that nothing tells apart
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
            grown = self.joins(keys, place, other)
            if grown is None:
                continue
            self.chosen[place] = other
            if self._from(order, depth + 1, grown):
                return True
            del self.chosen[place]
        return False

    def _accepted(self) -> bool:
        self._pay(len(self.left[0]) * len(self.left))
        verdict = self.accept([self.chosen[place] for place in range(len(self.left))])
        self.undecided |= verdict is None
        return verdict is True

    def _pay(self, rows: int) -> None:
        self.left_to_spend -= rows
        if self.left_to_spend < 0:
            raise SpentError


def _near(
    left: Sequence[Profile], right: Sequence[Profile], bound: tuple[Column, Column] | None, tolerance: Tolerance
) -> bool | None:
    options = _near_options(left, right, tolerance)
    if options is None:
        return False
    columns = [one.column for one in left], [one.column for one in right]
    coded = cache(lambda place, other: coded_alike(left[place], right[other], tolerance))

    def accept(chosen: Sequence[int]) -> bool | None:
        return near_rows(*_with(columns[0], [columns[1][other] for other in chosen], bound), tolerance)

    def joins(keys: Keys, place: int, other: int) -> Keys | None:
        fuzzy = left[place].fuzzy or right[other].fuzzy
        return _joined(*keys, [coded(place, other) if fuzzy else (columns[0][place], columns[1][other])])

    if all(len(some) == 1 for some in options):
        only = [some[0] for some in options]
        return accept(only) if len(set(only)) == len(only) else False
    rows = len(columns[0][0])
    keys = _joined([0] * rows, [0] * rows, [bound] if bound else ())
    return _Search(*columns, options, joins, accept, BUDGET // 10).run(keys) if keys else False


def _near_options(left: Sequence[Profile], right: Sequence[Profile], tolerance: Tolerance) -> list[list[int]] | None:
    """Which columns of the candidate may stand for each of the reference's; None where rows cannot be near."""
    if not any(one.fuzzy for one in (*left, *right)):
        return None
    options = [[n for n, other in enumerate(right) if _meet_exactly(one, other)] for one in left]
    crossed = [[n for n, other in enumerate(right) if _meet_nearly(one, other, tolerance)] for one in left]
    if not all(some or more or one.fuzzy for one, some, more in zip(left, options, crossed, strict=True)):
        return None
    if not any(crossed):
        # Exact columns can meet exact ones only; where that is settled, their rows cost less to compare than floats do.
        sure = [(one.column, right[some[0]].column) for one, some in zip(left, options, strict=True) if len(some) == 1]
        if sure and not same_rows(*zip(*sure, strict=True)):
            return None
    for one, some, more in zip(left, options, crossed, strict=True):
        some.extend(more)
        if one.fuzzy:
            some.extend(n for n, other in enumerate(right) if other.fuzzy and columns_near(one, other, tolerance))
    return options if all(options) else None


def _meet_exactly(one: Profile, other: Profile) -> bool:
    return one.sign == other.sign and not one.fuzzy and not other.fuzzy


def _meet_nearly(one: Profile, other: Profile, tolerance: Tolerance) -> bool:
    """Does an exact column meet one that a tolerance applies to?"""
    return one.fuzzy is not other.fuzzy and columns_near(one, other, tolerance)
