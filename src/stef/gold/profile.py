"""What can be said of a column at once, before its values are looked at one by one."""

from collections.abc import Hashable, Sequence
from datetime import datetime, time, timedelta
from functools import partial
from math import isclose
from sys import float_info

from stef.gold.multisets import Column, same_multiset
from stef.gold.near import as_float, gist, holds_inexact, is_number
from stef.gold.values import Kinds
from stef.records.case import Tolerance

_EPSILON = float_info.epsilon
_PLAIN_NUMBERS = frozenset({int, float})
_NO_NUMBERS = frozenset({str, bytes, type(None), datetime, time, timedelta})
_EXACT = _NO_NUMBERS | {int}


class Profile:
    """A column in canonical form, the types in it, and what is asked of it more than once."""

    __slots__ = ("_ascending", "_numbers", "column", "fuzzy", "kinds", "sign", "size", "total")

    def __init__(self, column: Column, kinds: Kinds) -> None:
        self.column = column
        self.kinds = kinds
        # Columns with the same values, each as often, share this number.
        self.sign = sum(map(hash, column))
        # Does a tolerance apply to one of the values?
        self.fuzzy = float in self.kinds or (not self.kinds <= _EXACT and holds_inexact(column))
        self._numbers: Sequence[float] | None = None
        self._ascending: list[float] | None = None
        self.total = self.size = 0.0

    @property
    def numbers(self) -> Sequence[float]:
        """Its numbers (whole ones too large for a float as infinities); then `total` and `size` are their sums."""
        if self._numbers is None:
            found = self.column
            if self.kinds <= _NO_NUMBERS:
                found = ()
            elif not self.kinds <= _PLAIN_NUMBERS:
                found = [value if type(value) is float else as_float(value) for value in found if is_number(value)]
            self._numbers = found
            try:
                self.total, self.size = float(sum(found)), float(sum(map(abs, found)))
            except OverflowError:
                self._numbers = list(map(as_float, found))
                self.total, self.size = sum(self._numbers), sum(map(abs, self._numbers))
        return self._numbers

    @property
    def ascending(self) -> list[float]:
        """Its numbers, sorted."""
        if self._ascending is None:
            self._ascending = sorted(self.numbers)
        return self._ascending


def columns_near(left: Profile, right: Profile, tolerance: Tolerance) -> bool:
    """Can the values of two columns be matched one to one, each with a near one?

    Sorted numbers meet in order: if any one-to-one match exists, that one does too. For lists of numbers and for whole
    numbers among floats it is only a necessary condition.
    """
    if len(left.numbers) != len(right.numbers):
        return False
    # Sums are cheaper than sorting. They are off by rounding themselves, by no more than the last term.
    size = left.size + right.size
    reach = tolerance.relative * size + len(left.numbers) * (tolerance.absolute + 2 * _EPSILON * size)
    if abs(left.total - right.total) > reach:
        return False
    if not left.kinds | right.kinds <= _PLAIN_NUMBERS and not same_multiset(
        map(gist, left.column), map(gist, right.column)
    ):
        return False
    close = partial(isclose, rel_tol=tolerance.relative, abs_tol=tolerance.absolute)
    return all(map(close, left.ascending, right.ascending))


def coded_alike(left: Profile, right: Profile, tolerance: Tolerance) -> tuple[list[Hashable], list[Hashable]]:
    """Both columns with codes for values, where values that are near have the same code (and some others too).

    The numbers of both sides in rising order fall into heaps, a gap wider than the tolerance between two of them.
    """
    heaps: dict[float, int] = {}
    heap, last = 0, 0.0
    for number in sorted({*left.numbers, *right.numbers}):
        heap += not isclose(number, last, rel_tol=tolerance.relative, abs_tol=tolerance.absolute)
        heaps[number] = heap
        last = number

    def coded(column: Column) -> list[Hashable]:
        return [heaps[as_float(value)] if is_number(value) else (gist(value),) for value in column]

    return coded(left.column), coded(right.column)
