"""Many turns in columns: arrays of numbers, and things that stand for a number each."""

from collections.abc import Hashable
from typing import Any, TypeAlias

import numpy as np

Whole: TypeAlias = np.ndarray[Any, np.dtype[np.signedinteger[Any]]]
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Truths: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
Digests: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]

NONE = -1
"""The number of what is not there."""

_FINE = float(1 << 26)


class Numbers:
    """Things that stand for their number, in the order in which they came."""

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def of(self, thing: Hashable) -> int:
        """The number of a thing."""
        return self._numbers.setdefault(thing, len(self._numbers))

    def all(self) -> list[Any]:
        """Every thing, by its number."""
        return list(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def sums(at: Whole, values: Floats, number: int) -> Floats:
    """What the values of each of `number` groups add up to, whatever their order; `at` says to which one each belongs.

    The values' upper halves add up without any error (as long as the sum stays below 2²⁷); what is below them is too
    small for the order in which turns were read to move the last digit, but where all values lie near 0.
    """
    upper = np.rint(values * _FINE) / _FINE
    lower = np.bincount(at, weights=values - upper, minlength=number)
    return np.asarray(np.bincount(at, weights=upper, minlength=number) + lower, dtype=np.float64)
