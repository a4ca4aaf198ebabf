"""Rows that equality leaves over, matched one to one within the tolerance: an assignment."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import isinf

from stef.gold.multisets import Columns, Row, same_rows
from stef.gold.near import all_near, as_float, gist, holds_inexact, is_number, near
from stef.records.case import Tolerance

EDGES = 2_000_000  # pairs of near rows that an assignment may weigh; more than that stays undecided


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
