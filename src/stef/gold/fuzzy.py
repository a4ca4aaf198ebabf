"""Columns of numbers under a tolerance, as arrays: what `near` says of two values, for many at once.

A value that occurs in a column both as a whole number and as a float counts as a float there. Lists of numbers are
compared exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stef.gold.coding import Side
from stef.gold.near import as_float, is_inexact, is_number
from stef.gold.numbering import Codes, Flags, Floats
from stef.gold.values import Kinds

if TYPE_CHECKING:
    from stef.records.case import Tolerance


_SIMPLE = frozenset({int, float, type(None)})
_SLACK = 1.001  # for what rounding takes away


@dataclass(frozen=True, slots=True)
class Points:
    """Numbers, NaN where a value is none or not finite, and which of them a tolerance applies to."""

    values: Floats
    inexact: Flags

    def take(self, places: Codes | Flags | slice) -> "Points":
        """Some of them."""
        return Points(self.values[places], self.inexact[places])


def points_of(side: Side, place: int, kinds: Kinds) -> Points:
    """A column's rows as points."""
    column, codes = side.cells[place], side.codes[place]
    values, inexact = _read(column, side.rows, kinds)
    if inexact is None:
        return Points(values, ~np.isnan(values))
    held = np.zeros(side.holds.shape[1], np.bool_)
    held[codes[inexact]] = True
    return Points(values, held[codes] & ~np.isnan(values))


def _read(column: Sequence[Any], rows: int, kinds: Kinds) -> tuple[Floats, Flags | None]:
    """The values of a column, and which of them are inexact (None: all that are numbers)."""
    if kinds <= _SIMPLE:
        try:
            values = np.array(column if isinstance(column, list) else list(column), np.float64)  # None becomes NaN
        except OverflowError:  # a whole number too large for a float
            values = np.fromiter(map(_float, column), np.float64, rows)
    else:
        values = np.fromiter(map(_float, column), np.float64, rows)
    values[np.isinf(values)] = np.nan
    if kinds <= _SIMPLE and int not in kinds:
        return values, None
    if float not in kinds and kinds <= _SIMPLE:
        return values, np.zeros(rows, np.bool_)
    return values, np.fromiter(map(is_inexact, column), np.bool_, rows)


def _float(value: Any) -> float:
    return as_float(value) if is_number(value) else float("nan")


def rising(points: Points) -> Points:
    """The numbers among points, in rising order."""
    order = np.argsort(points.values)
    return points.take(order[: len(order) - np.count_nonzero(np.isnan(points.values))])  # NaN comes last


def near_points(one: Points, other: Points, tolerance: "Tolerance") -> Flags:
    """Which are near, point by point or as numpy spreads the two shapes. NaN is near to nothing."""
    return (one.inexact | other.inexact) & _close(one.values, other.values, tolerance)


def _close(one: Floats, other: Floats, tolerance: "Tolerance") -> Flags:
    bound = np.maximum(np.abs(one), np.abs(other))
    bound *= tolerance.relative
    return np.abs(one - other) <= np.maximum(bound, tolerance.absolute)


def off_whole(points: Points, tolerance: "Tolerance") -> bool:
    """Is no number near to any whole number?"""
    gap = np.abs(points.values - np.rint(points.values))
    bound = np.maximum((np.abs(points.values) + 1) * tolerance.relative, tolerance.absolute)
    return not bool((gap <= bound * _SLACK).any())


def found_near(wanted: Points, among: Points, tolerance: "Tolerance") -> Flags:
    """Which of the wanted numbers have a near one among the others, which are in rising order."""
    found = _beside(wanted, among, tolerance)
    if not (wanted.inexact.all() or among.inexact.all()):
        # Beside a whole number may stand another, and a float that is near only behind it.
        found |= _beside(wanted, among.take(among.inexact), tolerance)
    return found


def _beside(wanted: Points, among: Points, tolerance: "Tolerance") -> Flags:
    if not len(among.values):
        return np.zeros(len(wanted.values), np.bool_)
    above = np.searchsorted(among.values, wanted.values)
    last = len(among.values) - 1
    return near_points(wanted, among.take(np.minimum(above, last)), tolerance) | near_points(
        wanted, among.take(np.maximum(above - 1, 0)), tolerance
    )


def grouped(
    points: tuple[Points, Points], codes: tuple[Codes, Codes], size: int, tolerance: "Tolerance"
) -> tuple[Codes, Codes]:
    """Codes of both columns' rows in which near numbers are one, chains of them too: coarser than any tolerance.

    What is near stands under one code; what stands under one code need not be near. Codes that come in are below
    `size`, those that come out below twice as much.
    """
    rows = len(codes[0])
    values = np.concatenate([points[0].values, points[1].values])
    inexact = np.concatenate([points[0].inexact, points[1].inexact])
    order = np.argsort(values)
    rising = Points(values[order], inexact[order])
    behind, ahead = rising.take(slice(-1)), rising.take(slice(1, None))
    group = np.full(len(values), size)
    group[1:] += np.cumsum((ahead.values != behind.values) & ~near_points(behind, ahead, tolerance))
    coarse = np.concatenate(codes)
    numbers = order[: np.searchsorted(rising.values, np.inf)]  # NaN comes last
    coarse[numbers] = group[: len(numbers)]
    return coarse[:rows], coarse[rows:]
