"""Numbers for the values of two results: equal values, and no others, have one number.

A dict numbers any values. In large results it is slow where most values are distinct, for every look-up waits for
memory; there, columns of plain numbers are sorted instead. Both ways tell the same values apart.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, count
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stef.gold.kinds import has_numbers
from stef.gold.values import Kinds

Codes: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Column: TypeAlias = Sequence[Any]

LARGE = 200_000  # cells, from which plain numbers are sorted
_PLAIN = frozenset({int, float, type(None)})
_WHOLE = 2.0**53  # up to here a float holds every whole number


def number(
    sides: Sequence[Sequence[Column]], kinds: Sequence[Sequence[Kinds]], rows: Sequence[int]
) -> tuple[list[Codes], int]:
    """A matrix of numbers for each side (columns x rows), and how many numbers there are."""
    shapes = [(len(columns), length) for columns, length in zip(sides, rows, strict=True)]
    if sum(width * length for width, length in shapes) >= LARGE:
        found = _by_sorting(sides, kinds, shapes)
        if found is not None:
            return found
    numbers: defaultdict[Any, int] = defaultdict(count().__next__)
    look_up = numbers.__getitem__
    matrices = [
        np.fromiter(map(look_up, chain.from_iterable(columns)), np.int64, width * length).reshape(width, length)
        for columns, (width, length) in zip(sides, shapes, strict=True)
    ]
    return matrices, len(numbers)


def _by_sorting(
    sides: Sequence[Sequence[Column]], kinds: Sequence[Sequence[Kinds]], shapes: Sequence[tuple[int, int]]
) -> tuple[list[Codes], int] | None:
    """The same; None where numbers stand among other values, or are too large."""
    if any(has_numbers(of_column) and not of_column <= _PLAIN for side in kinds for of_column in side):
        return None
    numbers: defaultdict[Any, int] = defaultdict(count().__next__)
    matrices = [np.full(shape, numbers[None], np.int64) for shape in shapes]
    ranked: list[tuple[Codes, Flags, Codes, Floats]] = []
    for columns, of_side, matrix in zip(sides, kinds, matrices, strict=True):
        for column, of_column, out in zip(columns, of_side, matrix, strict=True):
            if not has_numbers(of_column):
                out[:] = np.fromiter(map(numbers.__getitem__, column), np.int64, len(out))
                continue
            values = _floats(column)
            if values is None:
                return None
            there = ~np.isnan(values)
            ranked.append((out, there, *_ranked(values[there])))
    every = np.unique(np.concatenate([distinct for *_, distinct in ranked])) if ranked else np.empty(0)
    for out, there, ranks, distinct in ranked:
        out[there] = (np.searchsorted(every, distinct) + len(numbers))[ranks]
    return matrices, len(numbers) + len(every)


def _floats(column: Column) -> Floats | None:
    """Plain numbers as floats, NULL as NaN; None where a float does not hold them all."""
    try:
        values = np.array(column if isinstance(column, list) else list(column), np.float64)
    except OverflowError:
        return None
    whole = np.abs(values) >= _WHOLE
    return (
        None if whole.any() and any(type(column[place]) is int for place in np.flatnonzero(whole).tolist()) else values
    )


def _ranked(values: Floats) -> tuple[Codes, Floats]:
    """The rank of each value among the distinct ones, and these in rising order."""
    order = np.argsort(values)
    rising = values[order]
    first = np.ones(len(values), np.bool_)
    np.not_equal(rising[1:], rising[:-1], out=first[1:])
    ranks = np.empty(len(values), np.int64)
    ranks[order] = np.cumsum(first) - 1
    return ranks, rising[first]
