"""Columns of numbers under a tolerance, as arrays: what `near` says of two values, for many at once.

A value that occurs in a column both as a whole number and as a float counts as a float there. Lists of numbers are
compared exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from stef.gold.coding import Codes, Flags, Side
from stef.gold.near import as_float, is_inexact, is_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stef.records.case import Tolerance

Floats: TypeAlias = "NDArray[np.float64]"


@dataclass(frozen=True, slots=True)
class Points:
    """Numbers, NaN where a value is none or not finite, and which of them a tolerance applies to."""

    values: Floats
    inexact: Flags

    def take(self, places: "Codes | Flags | slice") -> "Points":
        """Some of them."""
        return Points(self.values[places], self.inexact[places])


@dataclass(frozen=True, slots=True)
class Numbers:
    """A column's numbers: a point for every row, and its distinct numbers in rising order with their codes."""

    rows: Points
    distinct: Points
    codes: Codes


def numbers_of(side: Side, place: int) -> Numbers:
    """The numbers of a column."""
    codes, first, inverse = np.unique(side.codes[place], return_index=True, return_inverse=True)
    values, inexact = _read(side.cells[place], side.rows)
    merged = np.zeros(len(codes), np.bool_)
    merged[inverse[inexact]] = True
    points = Points(values[first], merged)
    order = np.argsort(points.values)[: np.count_nonzero(~np.isnan(points.values))]  # NaN comes last
    return Numbers(points.take(inverse), points.take(order), codes[order])


def _read(column: Sequence[Any], rows: int) -> tuple[Floats, Flags]:
    kinds = set(map(type, column))
    if kinds <= {float, int, type(None)}:
        try:
            values = np.fromiter((np.nan if value is None else value for value in column), np.float64, rows)
        except OverflowError:  # a whole number too large for a float
            values = np.fromiter(map(_float, column), np.float64, rows)
        inexact = np.ones(rows, np.bool_) if int not in kinds else _flags(column, rows)
    else:
        values = np.fromiter(map(_float, column), np.float64, rows)
        inexact = _flags(column, rows)
    values[np.isinf(values)] = np.nan
    return values, inexact & ~np.isnan(values)


def _float(value: Any) -> float:
    return as_float(value) if is_number(value) else float("nan")


def _flags(column: Sequence[Any], rows: int) -> Flags:
    return np.fromiter(map(is_inexact, column), np.bool_, rows)


def near_points(one: Points, other: Points, tolerance: "Tolerance") -> Flags:
    """Which are near, point by point or as numpy spreads the two shapes. NaN is near to nothing."""
    return (one.inexact | other.inexact) & _close(one.values, other.values, tolerance)


def _close(one: Floats, other: Floats, tolerance: "Tolerance") -> Flags:
    bound = np.maximum(np.abs(one), np.abs(other))
    bound *= tolerance.relative
    return np.abs(one - other) <= np.maximum(bound, tolerance.absolute)


def found_near(wanted: Points, among: Points, tolerance: "Tolerance") -> int:
    """How many of the wanted numbers have a near one among the others (in rising order)."""
    found = _beside(wanted, among, tolerance)
    if not (wanted.inexact.all() or among.inexact.all()):
        # Beside a whole number may stand another, and a float that is near only behind it.
        found |= _beside(wanted, among.take(among.inexact), tolerance)
    return int(np.count_nonzero(found))


def _beside(wanted: Points, among: Points, tolerance: "Tolerance") -> Flags:
    if not len(among.values):
        return np.zeros(len(wanted.values), np.bool_)
    above = np.searchsorted(among.values, wanted.values)
    last = len(among.values) - 1
    return near_points(wanted, among.take(np.minimum(above, last)), tolerance) | near_points(
        wanted, among.take(np.maximum(above - 1, 0)), tolerance
    )


def grouped(
    one: Numbers, other: Numbers, codes: tuple[Codes, Codes], size: int, tolerance: "Tolerance"
) -> tuple[Codes, Codes]:
    """Codes of both columns' rows in which near numbers are one, chains of them too: coarser than any tolerance.

    What is near stands under one code; what stands under one code need not be near. The codes stay below 2 · size.
    """
    values = np.concatenate([one.distinct.values, other.distinct.values])
    inexact = np.concatenate([one.distinct.inexact, other.distinct.inexact])
    order = np.argsort(values, kind="stable")
    points = Points(values[order], inexact[order])
    ahead, behind = points.take(slice(1, None)), points.take(slice(-1))
    apart = ~near_points(ahead, behind, tolerance) & (ahead.values != behind.values)
    group = np.concatenate([np.zeros(1, np.int64), np.cumsum(apart)]) + size

    def of(numbers: Numbers, own: Codes) -> Codes:
        rows = numbers.rows.values
        place = np.minimum(np.searchsorted(points.values, rows), len(points.values) - 1)
        return np.where(np.isnan(rows), own, group[place])

    return of(one, codes[0]), of(other, codes[1])
