"""Which numbers count as one although they differ: the tolerance, on values in canonical form.

A tolerance is no equivalence (a ~ b and b ~ c do not make a ~ c), so near values are never grouped: rows that are equal
are matched first, by hashes, and only what is left over is matched by an assignment. Whole numbers of an exact type are
counts and ids and never near: of two values, one must be a float or a decimal with a fraction.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal
from math import isinf
from typing import Any, TypeAlias

from stef.records.case import Tolerance

Row: TypeAlias = tuple[Any, ...]

EDGES = 2_000_000  # pairs of near rows that an assignment may weigh; more than that stays undecided

_NUMBER = object()
_NUMBERS = frozenset({int, float, Decimal})
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
        return (is_inexact(left) or is_inexact(right)) and _near_numbers(left, right, tolerance)
    if type(left) is tuple and type(right) is tuple and len(left) == len(right):
        return all(near(one, other, tolerance) for one, other in zip(left, right, strict=True))
    return False


def _near_numbers(left: Any, right: Any, tolerance: Tolerance) -> bool:
    one, other = as_float(left), as_float(right)
    if isinf(one) or isinf(other):
        return False
    return abs(one - other) <= max(tolerance.relative * max(abs(one), abs(other)), tolerance.absolute)


def as_float(number: Any) -> float:
    """A number as float, an infinity where it is too large for one."""
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def gist(value: Any) -> Hashable:
    """What a value must have in common with one that is near to it: all but its numbers."""
    if is_number(value):
        return _NUMBER
    return tuple(map(gist, value)) if type(value) is tuple else value


def columns_near(left: Sequence[Any], right: Sequence[Any], tolerance: Tolerance) -> bool:
    """Can the values of two columns be matched one to one, each with a near one?

    Sorted numbers meet in order: if any one-to-one match exists, that one does too. For lists of numbers and for whole
    numbers among floats it is only a necessary condition.
    """
    counts: dict[Hashable, int] = defaultdict(int)
    for value in left:
        counts[gist(value)] += 1
    for value in right:
        counts[gist(value)] -= 1
    if any(counts.values()):
        return False
    one, other = (sorted(as_float(value) for value in column if is_number(value)) for column in (left, right))
    return all(a == b or _near_numbers(a, b, tolerance) for a, b in zip(one, other, strict=True))


def rows_near(left: Sequence[Row], right: Sequence[Row], tolerance: Tolerance) -> bool | None:
    """Can rows be matched one to one, each with one that is near in every cell? None where it is too much to weigh.

    The rows are what equality has left over, as many on both sides.
    """
    shelves: dict[Hashable, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    fuzzy = _fuzzy_places(left, right)
    for side, rows in enumerate((left, right)):
        for row in rows:
            key = tuple(gist(cell) if place in fuzzy else cell for place, cell in enumerate(row))
            shelves[key][side].append(row)
    if any(len(one) != len(other) for one, other in shelves.values()):
        return False
    verdict: bool | None = True
    for one, other in shelves.values():
        match _shelf_near(one, other, sorted(fuzzy), tolerance):
            case False:
                return False
            case None:
                verdict = None
    return verdict


def _fuzzy_places(left: Sequence[Row], right: Sequence[Row]) -> frozenset[int]:
    columns = zip(zip(*left, strict=True), zip(*right, strict=True), strict=True)
    return frozenset(place for place, (one, other) in enumerate(columns) if holds_inexact(one) or holds_inexact(other))


def _shelf_near(left: list[Row], right: list[Row], places: list[int], tolerance: Tolerance) -> bool | None:
    def alike(one: Row, other: Row) -> bool:
        return all(near(one[place], other[place], tolerance) for place in places)

    if len(left) == 1:
        return alike(left[0], right[0])
    numeric = [place for place in places if is_number(left[0][place])]
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
