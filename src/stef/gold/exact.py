"""Exact match: are two results the same multiset of rows, and in the same order where the reference's query orders?

The columns may stand in any order; but where both sides have the same distinct names (case aside), namesakes must meet,
so that a candidate that swaps `lo` and `hi` differs. Two results without rows are equal if they are as wide; whether an
answer without rows is worth anything is for whoever keeps the golds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from stef.gold.multisets import Column, Columns, same_rows
from stef.gold.near import near
from stef.gold.near_rows import near_rows
from stef.gold.permutation import in_any_order
from stef.gold.profile import Profile
from stef.gold.values import Kinds, canonical_with_kinds
from stef.records.case import Tolerance
from stef.records.result import Result


@dataclass(frozen=True, slots=True)
class Order:
    """How far the order of rows counts: what the reference's outermost ORDER BY says.

    `columns` are the reference's output columns that the order rests on: rows that are one in all of them tie, and may
    stand in any order among themselves. None: it rests on something that is not shown (even in part), so that ties
    cannot be told, and every row has its place.
    """

    columns: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A result in canonical form; `kinds` are the types in each column."""

    names: tuple[str, ...]
    columns: Columns
    kinds: Sequence[Kinds]
    rows: int
    cut: bool = False


def table_of(result: Result) -> Table:
    """A result in canonical form. Raises NotComparableError."""
    columns: list[Column] = []
    kinds: list[Kinds] = []
    for column in result.columns:
        found, types = canonical_with_kinds(column)
        columns.append(found)
        kinds.append(types)
    return Table(result.names, columns, kinds, result.rows, result.cut is not None)


def exact_match(
    reference: Result | Table,
    candidate: Result | Table,
    *,
    order: Order | None = None,
    tolerance: Tolerance | None = None,
) -> bool | None:
    """Are the rows the same in some order of the columns? `order` where the reference's outermost query orders.

    None where it stays open, which is a ceiling: a result was cut and might be the other one, too many columns hold the
    same values, or too many rows are near. Raises NotComparableError.
    """
    left, right = tables(reference, candidate)
    if (decided := by_size(left, right)) is not Size.ALIKE:
        return decided.verdict
    tolerance = tolerance or Tolerance()
    places = namesakes(left.names, right.names)
    if places is not None:
        return _rows_match(left, [right.columns[place] for place in places], order, tolerance)
    if not left.rows or all(map(_same_column, left.columns, right.columns)):
        return True
    bound = _bound(left, order, tolerance)
    profiles = [[*map(Profile, side.columns, side.kinds)] for side in (left, right)]
    return in_any_order(profiles[0], profiles[1], bound, None if _is_zero(tolerance) else tolerance)


def exact_match_positional(
    reference: Result | Table,
    candidate: Result | Table,
    *,
    order: Order | None = None,
    tolerance: Tolerance | None = None,
) -> bool | None:
    """As `exact_match`, with every column in its place and names without meaning."""
    left, right = tables(reference, candidate)
    if (decided := by_size(left, right)) is not Size.ALIKE:
        return decided.verdict
    return _rows_match(left, right.columns, order, tolerance or Tolerance())


def tables(reference: Result | Table, candidate: Result | Table) -> tuple[Table, Table]:
    """Both sides in canonical form. Raises NotComparableError."""
    left = reference if isinstance(reference, Table) else table_of(reference)
    right = candidate if isinstance(candidate, Table) else table_of(candidate)
    return left, right


class Size(Enum):
    """What the numbers of rows and columns say of two results."""

    ALIKE = "alike"
    DIFFERENT = "different"
    UNKNOWN = "unknown"  # a result was cut, and might be the other one

    @property
    def verdict(self) -> bool | None:
        """Of an exact match that ends here."""
        return False if self is Size.DIFFERENT else None


def by_size(left: Table, right: Table) -> Size:
    """Are two results as wide and as long? Of one that was cut it is known that there are more rows than it holds."""
    if len(left.columns) != len(right.columns):
        return Size.DIFFERENT
    if left.cut and right.cut:
        return Size.UNKNOWN
    if left.cut or right.cut:
        cut, whole = (left, right) if left.cut else (right, left)
        return Size.DIFFERENT if whole.rows <= cut.rows else Size.UNKNOWN
    return Size.ALIKE if left.rows == right.rows else Size.DIFFERENT


def namesakes(reference: Sequence[str], candidate: Sequence[str]) -> list[int] | None:
    """Where the candidate's namesake of each reference column stands; None where names say nothing."""
    places = {name.casefold(): place for place, name in enumerate(candidate)}
    wanted = [name.casefold() for name in reference]
    if len(places) != len(candidate) or len(set(wanted)) != len(wanted) or places.keys() != set(wanted):
        return None
    return [places[name] for name in wanted]


def _rows_match(left: Table, columns: Columns, order: Order | None, tolerance: Tolerance) -> bool | None:
    if not left.rows or all(map(_same_column, left.columns, columns)):
        return True
    one, other = [*left.columns], [*columns]
    bound = _bound(left, order, tolerance)
    if bound:
        one.append(bound[0])
        other.append(bound[1])
    if same_rows(one, other):
        return True
    return False if _is_zero(tolerance) else near_rows(one, other, tolerance)


def _same_column(left: Column, right: Column) -> bool:
    """Surely the same values in the same order? Sequences of other kinds, such as arrays, have no say here."""
    return type(left) is type(right) and isinstance(left, list | tuple) and left == right


def _is_zero(tolerance: Tolerance) -> bool:
    return not tolerance.relative and not tolerance.absolute


def _bound(left: Table, order: Order | None, tolerance: Tolerance) -> tuple[Column, Column] | None:
    """Order as a column that both sides have: the number of the run of ties that a row stands in.

    The candidate's rows have the reference's runs, place by place, so rows of a run may change places and others not.
    """
    if order is None:
        return None
    runs = (
        range(left.rows)
        if order.columns is None
        else ties([left.columns[n] for n in order.columns], left.rows, tolerance)
    )
    return runs, runs


def ties(keys: Columns, rows: int, tolerance: Tolerance) -> list[int]:
    """The number of the run of ties of each row: as long as all keys are one with the run's first row."""
    runs: list[int] = []
    first: tuple[Any, ...] = ()
    for place, key in enumerate(zip(*keys, strict=True) if keys else [()] * rows):
        if not place:
            first = key
            runs.append(0)
            continue
        same = key == first or all(near(one, other, tolerance) for one, other in zip(first, key, strict=True))
        if not same:
            first = key
        runs.append(runs[-1] + (not same))
    return runs
