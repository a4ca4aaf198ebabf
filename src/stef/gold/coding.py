"""Two results as arrays of whole numbers: equal cells carry equal codes, whichever side and column they stand in.

The numbers follow the order in which values are met, so nothing may depend on which of two codes is the greater.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stef.gold.numbering import Codes, Flags, number
from stef.gold.verdicts import Alike

if TYPE_CHECKING:
    from stef.gold.exact import Table

Hashes: TypeAlias = NDArray[np.uint64]

_ROOM = 2**62  # codes of several columns are multiplied into one; it must stay below the largest int64
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Side:
    """One result: its canonical columns, their codes, and which codes each column holds."""

    names: tuple[str, ...]
    cells: Sequence[Sequence[Any]]
    matrix: Codes  # columns x rows
    codes: tuple[Codes, ...]  # the same, column by column
    holds: Flags  # columns x all codes
    distinct: list[int]  # how many of each column
    rows: int


@dataclass(frozen=True, slots=True)
class Coded:
    """Both results under one numbering of `size` values."""

    reference: Side
    candidate: Side
    size: int


def code(reference: "Table", candidate: "Table") -> Coded:
    """Number the values of both sides."""
    tables = (reference, candidate)
    kinds = [table.kinds for table in tables]
    matrices, size = number([table.columns for table in tables], kinds, [table.rows for table in tables])
    sides = [_side(table, matrix, size) for table, matrix in zip(tables, matrices, strict=True)]
    return Coded(sides[0], sides[1], size)


def _side(table: "Table", matrix: Codes, size: int) -> Side:
    codes = tuple(matrix)
    holds = np.zeros((len(codes), size), np.bool_)
    for place, column in enumerate(codes):
        holds[place, column] = True
    distinct = [int(np.count_nonzero(row)) for row in holds]
    return Side(table.names, table.columns, matrix, codes, holds, distinct, table.rows)


def shared(coded: Coded) -> list[list[int]]:
    """How many distinct values each reference column shares with each column of the candidate."""
    left, right = coded.reference.holds, coded.candidate.holds
    total = np.zeros((len(left), len(right)), np.int64)
    for start in range(0, coded.size, _BLOCK):  # in blocks: as floats all at once would take four times the memory
        block = slice(start, start + _BLOCK)
        total += (left[:, block].astype(np.float32) @ right[:, block].T.astype(np.float32)).astype(np.int64)
    return total.tolist()


def joined(columns: Sequence[Codes], size: int) -> tuple[Codes, int]:
    """One code a row for several columns, equal where all are, and a bound that the codes stay below."""
    ids, bound = columns[0], size
    for column in columns[1:]:
        if bound * size >= _ROOM:
            ids, bound = dense(ids)
        ids = ids * size + column
        bound *= size
    return ids, bound


def alike(coded: Coded, known: tuple[bool, bool] | None = None) -> Alike:
    """How two results of one width are alike; `known`: are they as multisets and as sets, where that is known."""
    left, right = coded.reference, coded.candidate
    multisets, sets = known or _rows_alike(coded)
    values = sets or np.array_equal(left.holds.any(axis=0), right.holds.any(axis=0))
    return Alike(multisets, sets, values)


def _rows_alike(coded: Coded) -> tuple[bool, bool]:
    one, other = map(np.sort, rows_joined(coded.reference.matrix, coded.candidate.matrix, coded.size))
    if np.array_equal(one, other):
        return True, True
    return False, np.array_equal(_unique(one), _unique(other))


def _unique(ordered: Codes) -> Codes:
    first = _changes(ordered)
    first[:1] = True
    return ordered[first]


def rows_joined(left: Codes, right: Codes, size: int) -> tuple[Codes, Codes]:
    """One code a row of either side, equal where all columns are; both sides are columns x rows."""
    width, rows = left.shape
    if size**width < _ROOM:
        weights = np.array([size**place for place in range(width)], np.int64)
        return weights @ left, weights @ right
    ids, _ = joined([np.concatenate(columns) for columns in zip(left, right, strict=True)], size)
    return ids[:rows], ids[rows:]


def dense(ids: Codes) -> tuple[Codes, int]:
    """The same equalities with codes from 0, and how many there are."""
    if not len(ids):
        return ids, 0
    order = np.argsort(ids)
    ranks = np.empty_like(ids)
    steps = np.cumsum(_changes(ids[order]))
    ranks[order] = steps
    return ranks, int(steps[-1]) + 1


def counted(left: Codes, right: Codes) -> tuple[Codes, Codes, tuple[Codes, Codes]]:
    """Both sides' codes made dense together, and how often each occurs on either side."""
    ranks, number = dense(np.concatenate([left, right]))
    one, other = ranks[: len(left)], ranks[len(left) :]
    return one, other, (np.bincount(one, minlength=number), np.bincount(other, minlength=number))


def common(left: Codes, right: Codes) -> int:
    """How many of both sides are equal, as multisets."""
    return int(np.minimum(*counted(left, right)[2]).sum())


def how_many(ids: Codes) -> int:
    """The number of distinct codes."""
    return int(np.count_nonzero(_changes(np.sort(ids)))) + 1 if len(ids) else 0


def _changes(ordered: Codes) -> Flags:
    changes = np.zeros(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=changes[1:])
    return changes
