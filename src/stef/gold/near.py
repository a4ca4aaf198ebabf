"""Which numbers count as one although they differ: the tolerance, on values in canonical form.

A tolerance is no equivalence (a ~ b and b ~ c do not make a ~ c), so near values are never grouped: rows that are equal
are matched first, by hashes, and only what is left over is matched by an assignment. Whole numbers of an exact type are
counts and ids and never near: of two values, one must be a float or a decimal with a fraction.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import datetime, time, timedelta
from decimal import Decimal
from functools import partial
from math import isclose, isinf
from sys import float_info
from typing import Any

from stef.gold.multisets import Columns, Row, same_multiset, same_rows
from stef.records.case import Tolerance

EDGES = 2_000_000  # pairs of near rows that an assignment may weigh; more than that stays undecided

_EPSILON = float_info.epsilon
_NUMBER = object()
_NUMBERS = frozenset({int, float, Decimal})
_INT_FLOAT = frozenset({int, float})
_INT_FLOAT_NULL = frozenset({int, float, type(None)})
_FLOAT = frozenset({float})
_NO_NUMBERS = frozenset({str, bytes, type(None), datetime, time, timedelta})
_SELDOM_EXACT = (float, Decimal, tuple)


def is_number(value: Any) -> bool:
    """A number of any type; a bool in canonical form is none."""
    return type(value) in _NUMBERS or isinstance(value, int | float | Decimal)


def is_inexact(value: Any) -> bool:
    """A value that a tolerance applies to: a float, a decimal with a fraction, a list that holds one."""
    kind = type(value)
    if kind is float or isinstance(value, float):
        return True
    if isinstance(value, Decimal):
        return value.is_finite() and value != value.to_integral_value()
    return kind is tuple and any(map(is_inexact, value))


def holds_inexact(column: Iterable[Any]) -> bool:
    """Does a column in canonical form hold a value that a tolerance applies to?"""
    kinds = set(map(type, column))
    if float in kinds:
        return True
    return any(issubclass(kind, _SELDOM_EXACT) for kind in kinds) and any(map(is_inexact, column))


def near(left: Any, right: Any, tolerance: Tolerance) -> bool:
    """Are two canonical values one under the tolerance? |a - b| ≤ max(relative · max(|a|, |b|), absolute)."""
    if left == right:
        return True
    if is_number(left) and is_number(right):
        return (is_inexact(left) or is_inexact(right)) and _close(left, right, tolerance)
    if type(left) is tuple and type(right) is tuple and len(left) == len(right):
        return all(near(one, other, tolerance) for one, other in zip(left, right, strict=True))
    return False


def _close(left: Any, right: Any, tolerance: Tolerance) -> bool:
    # The standard library's formula is the same one; an infinity is close to itself only.
    return isclose(as_float(left), as_float(right), rel_tol=tolerance.relative, abs_tol=tolerance.absolute)


def all_near(left: Sequence[Any], right: Sequence[Any], tolerance: Tolerance) -> bool:
    """Are the values of two columns near, place by place?"""
    kinds, others = set(map(type, left)), set(map(type, right))
    if kinds | others <= _INT_FLOAT and _FLOAT in {frozenset(kinds), frozenset(others)}:
        try:
            return all(map(partial(isclose, rel_tol=tolerance.relative, abs_tol=tolerance.absolute), left, right))
        except OverflowError:  # a whole number too large for a float
            pass
    return all(near(one, other, tolerance) for one, other in zip(left, right, strict=True))


def as_float(number: Any) -> float:
    """A number as float, an infinity where it is too large for one."""
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def gist(value: Any) -> Hashable:
    """What a value must have in common with one that is near to it: all but its numbers."""
    kind = type(value)
    if kind in _NUMBERS or is_number(value):
        return _NUMBER
    return tuple(map(gist, value)) if kind is tuple else value


def columns_near(left: Sequence[Any], right: Sequence[Any], tolerance: Tolerance) -> bool:
    """Can the values of two columns be matched one to one, each with a near one?

    Sorted numbers meet in order: if any one-to-one match exists, that one does too. For lists of numbers and for whole
    numbers among floats it is only a necessary condition.
    """
    kinds, others = set(map(type, left)), set(map(type, right))
    if kinds | others <= _INT_FLOAT:
        return _numbers_near(left, right, tolerance)
    if not _may_hold_numbers(kinds) or not _may_hold_numbers(others):
        return same_multiset(left, right)
    if kinds | others <= _INT_FLOAT_NULL:
        return left.count(None) == right.count(None) and _numbers_near(
            [value for value in left if value is not None], [value for value in right if value is not None], tolerance
        )
    if not same_multiset(map(gist, left), map(gist, right)):
        return False
    numbers = ([as_float(value) for value in column if is_number(value)] for column in (left, right))
    return _numbers_near(*numbers, tolerance)


def _may_hold_numbers(kinds: set[type]) -> bool:
    return not kinds <= _NO_NUMBERS


def _numbers_near(left: Sequence[float], right: Sequence[float], tolerance: Tolerance) -> bool:
    try:
        # Sums are cheaper than sorting. They are off by rounding themselves, by no more than the last term.
        size = sum(map(abs, left)) + sum(map(abs, right))
        reach = tolerance.relative * size + len(left) * (tolerance.absolute + 2 * _EPSILON * size)
        if abs(sum(left) - sum(right)) > reach:
            return False
        close = partial(isclose, rel_tol=tolerance.relative, abs_tol=tolerance.absolute)
        return all(map(close, sorted(left), sorted(right)))
    except OverflowError:  # a whole number too large for a float
        return _numbers_near(list(map(as_float, left)), list(map(as_float, right)), tolerance)


def near_rows(left: Columns, right: Columns, tolerance: Tolerance) -> bool | None:
    """Are the rows the same multiset in this order of columns, where equal rows meet first and the rest may be near?

    None where the rest is too much to weigh.
    """
    fuzzy = [holds_inexact(one) or holds_inexact(other) for one, other in zip(left, right, strict=True)]
    exact = [[column for column, skip in zip(side, fuzzy, strict=True) if not skip] for side in (left, right)]
    if not any(fuzzy) or (exact[0] and not same_rows(*exact)):
        return False
    rest_left, rest_right = _left_over(zip(*left, strict=True), zip(*right, strict=True))
    if len(rest_left) != len(rest_right):
        return False
    return _rest_near(list(zip(*rest_left, strict=True)), list(zip(*rest_right, strict=True)), fuzzy, tolerance)


def _left_over(left: Iterable[Row], right: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    counts = Counter(right)
    rest = []
    for row in left:
        if counts.get(row, 0) > 0:
            counts[row] -= 1
        else:
            rest.append(row)
    return rest, list(counts.elements())


def _rest_near(left: Columns, right: Columns, fuzzy: Sequence[bool], tolerance: Tolerance) -> bool | None:
    """Can rows be matched one to one, each with one that is near in every cell?"""
    if not left:
        return True
    places = [place for place, there in enumerate(fuzzy) if there]
    keys = [list(zip(*_shelf_key(side, fuzzy), strict=True)) or [()] * len(side[0]) for side in (left, right)]
    found = {key: place for place, key in enumerate(keys[1])}
    if len(found) == len(keys[1]):
        meets = list(map(found.get, keys[0]))
        if None in meets or len(set(meets)) != len(meets):
            return False
        return all(
            all_near(left[place], [right[place][n] for n in meets if n is not None], tolerance) for place in places
        )
    shelves: dict[Hashable, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for side, columns in enumerate((left, right)):
        for key, row in zip(keys[side], zip(*(columns[place] for place in places), strict=True), strict=True):
            shelves[key][side].append(row)
    if any(len(one) != len(other) for one, other in shelves.values()):
        return False
    verdicts = [_shelf_near(one, other, tolerance) for one, other in shelves.values()]
    return False if False in verdicts else None if None in verdicts else True


def _shelf_key(columns: Columns, fuzzy: Sequence[bool]) -> list[Iterable[Hashable]]:
    """What rows that are near have in common."""
    return [map(gist, column) if there else column for column, there in zip(columns, fuzzy, strict=True)]


def _shelf_near(left: list[Row], right: list[Row], tolerance: Tolerance) -> bool | None:
    def alike(one: Row, other: Row) -> bool:
        return all(near(a, b, tolerance) for a, b in zip(one, other, strict=True))

    if len(left) == 1:
        return alike(left[0], right[0])
    numeric = [place for place, value in enumerate(left[0]) if is_number(value)]
    if not numeric:
        return _assigned(left, right, lambda _: range(len(right)), alike)
    widest = max(numeric, key=lambda place: (len({row[place] for row in left}), -place))
    order = [widest, *(place for place in numeric if place != widest)]

    def by_numbers(row: Row) -> tuple[float, ...]:
        return tuple(as_float(row[place]) for place in order)

    left, right = sorted(left, key=by_numbers), sorted(right, key=by_numbers)
    if all(map(alike, left, right)):
        return True
    found = [as_float(row[widest]) for row in right]

    def window(row: Row) -> range:
        # Twice the tolerance on either side: whatever is outside is not near; `alike` decides on the inside.
        value = as_float(row[widest])
        if isinf(value):
            return range(len(right))
        reach = 2 * max(tolerance.relative * abs(value) / (1 - tolerance.relative), tolerance.absolute)
        return range(bisect_left(found, value - reach), bisect_right(found, value + reach))

    return _assigned(left, right, window, alike)


def _assigned(
    left: list[Row], right: list[Row], window: Callable[[Row], range], alike: Callable[[Row, Row], bool]
) -> bool | None:
    """Is there a perfect matching? (Hopcroft and Karp, over the rows of each one's window)."""
    if sum(len(window(row)) for row in left) > EDGES:
        return None
    edges = [[place for place in window(row) if alike(row, right[place])] for row in left]
    if not all(edges):
        return False
    import numpy as np  # noqa: PLC0415
    from scipy.sparse import csr_array  # noqa: PLC0415
    from scipy.sparse.csgraph import maximum_bipartite_matching  # noqa: PLC0415

    ends = np.cumsum([0, *map(len, edges)])
    places = np.concatenate([np.array(one, dtype=np.int32) for one in edges])
    graph = csr_array((np.ones(len(places), dtype=np.int8), places, ends), shape=(len(left), len(right)))
    return bool((maximum_bipartite_matching(graph, perm_type="column") >= 0).all())
