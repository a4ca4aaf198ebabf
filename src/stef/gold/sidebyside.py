"""Two results line by line, for people: which row stands beside which, and in which paired columns they differ."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from stef.gold.near import near
from stef.gold.values import NotComparableError, canonical
from stef.records.case import Tolerance
from stef.records.gold import ColumnPair
from stef.records.result import Result

MOST_ROWS = 2_000
"""Rows of a side that are looked at; the families look at all."""


class Beside(StrEnum):
    """How two rows stand to each other."""

    SAME = "same"
    DIFFERENT = "different"
    GOLD_ONLY = "gold_only"
    CANDIDATE_ONLY = "candidate_only"


@dataclass(frozen=True, slots=True)
class RowPair:
    """A row of the gold and a row of the candidate (indices), and the pairs of columns (indices) they differ in."""

    beside: Beside
    reference: int | None
    candidate: int | None
    differs: tuple[int, ...] = ()


def beside_each_other(
    reference: Result, candidate: Result, pairs: Sequence[ColumnPair], key: Sequence[int], tolerance: Tolerance
) -> tuple[RowPair, ...]:
    """The rows of two results beside each other, in the gold's order, the candidate's own at the end.

    Equal rows meet first, then rows that share the key (`key` are indices into `pairs`), the most alike first. This
    shows what the cells' figures rest on; the figures themselves are exact.
    """
    try:
        left = _rows(reference, [pair.reference for pair in pairs])
        right = _rows(candidate, [pair.candidate for pair in pairs])
    except NotComparableError:
        left, right = [], []
    found = _equal(left, right) if pairs else {}
    taken = set(found.values())
    if key:
        open_left = [index for index in range(len(left)) if index not in found]
        open_right = [index for index in range(len(right)) if index not in taken]
        found.update(_keyed(left, right, open_left, open_right, key, tolerance))
    return tuple(_lines(left, right, found, tolerance))


def _rows(result: Result, places: Iterable[int]) -> list[tuple[Hashable, ...]]:
    columns = [canonical(list(result.columns[place])[:MOST_ROWS]) for place in places]
    return list(zip(*columns, strict=True)) if columns else [()] * min(result.rows, MOST_ROWS)


def _equal(left: Sequence[tuple[Hashable, ...]], right: Sequence[tuple[Hashable, ...]]) -> dict[int, int]:
    waiting: defaultdict[tuple[Hashable, ...], list[int]] = defaultdict(list)
    for index in reversed(range(len(right))):
        waiting[right[index]].append(index)
    return {index: waiting[row].pop() for index, row in enumerate(left) if waiting.get(row)}


def _keyed(  # noqa: PLR0913, PLR0917  two sides
    left: Sequence[tuple[Hashable, ...]],
    right: Sequence[tuple[Hashable, ...]],
    open_left: Sequence[int],
    open_right: Sequence[int],
    key: Sequence[int],
    tolerance: Tolerance,
) -> dict[int, int]:
    """Rows on one shelf, the best match of each still open row of the gold first come, first served."""
    shelves: defaultdict[tuple[Hashable, ...], list[int]] = defaultdict(list)
    for index in open_right:
        shelves[tuple(right[index][place] for place in key)].append(index)
    found: dict[int, int] = {}
    for index in open_left:
        shelf = shelves.get(tuple(left[index][place] for place in key))
        if shelf:
            best = min(shelf, key=lambda other, row=left[index]: len(_differs(row, right[other], tolerance)))  # type: ignore[misc]
            shelf.remove(best)
            found[index] = best
    return found


def _lines(
    left: Sequence[tuple[Hashable, ...]],
    right: Sequence[tuple[Hashable, ...]],
    found: dict[int, int],
    tolerance: Tolerance,
) -> Iterable[RowPair]:
    for index, row in enumerate(left):
        other = found.get(index)
        if other is None:
            yield RowPair(Beside.GOLD_ONLY, index, None)
        else:
            differs = _differs(row, right[other], tolerance)
            yield RowPair(Beside.DIFFERENT if differs else Beside.SAME, index, other, differs)
    taken = set(found.values())
    for index in range(len(right)):
        if index not in taken:
            yield RowPair(Beside.CANDIDATE_ONLY, None, index)


def _differs(row: tuple[Hashable, ...], other: tuple[Hashable, ...], tolerance: Tolerance) -> tuple[int, ...]:
    cells = zip(row, other, strict=True)
    return tuple(place for place, (one, two) in enumerate(cells) if one != two and not near(one, two, tolerance))
