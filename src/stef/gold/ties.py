"""What decides between columns that overlap equally well: nothing that depends on where rows and columns stand.

In this order: how many rows the two columns agree on, rows being known by what both results share of them; equal
names; the names; what the columns hold. Position is left for columns that nothing tells apart.
"""

import hashlib
from functools import cache, cached_property
from typing import Any

import numpy as np

from stef.gold.coding import Coded, Codes, Flags, Hashes, Side, common

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


class Ties:
    """The order among pairs of equal overlap, for `sorted`."""

    def __init__(self, coded: Coded) -> None:
        self.coded = coded
        self._agree = cache(self._agreement)
        self._contents: dict[tuple[int, int], Content] = {}

    def key(self, edge: tuple[int, int]) -> tuple[Any, ...]:
        """Smallest first: the pair to take of several that are equally good."""
        reference, candidate = edge
        names = self.coded.reference.names[reference], self.coded.candidate.names[candidate]
        return (
            -self._agree(reference, candidate),
            names[0].casefold() != names[1].casefold(),
            names,
            self.content(0, reference),
            self.content(1, candidate),
            edge,
        )

    def content(self, side: int, place: int) -> "Content":
        """What a column of the reference (0) or the candidate (1) holds; worked out only where it is compared."""
        known = self._contents.get((side, place))
        if known is None:
            known = self._contents[side, place] = Content((self.coded.reference, self.coded.candidate)[side], place)
        return known

    def _agreement(self, reference: int, candidate: int) -> int:
        """The rows that two columns agree on, as multisets of (what is known of the row, value)."""
        left, right = self._known
        one = _mixed(left, self.coded.reference.codes[reference])
        other = _mixed(right, self.coded.candidate.codes[candidate])
        return common(one.view(np.int64), other.view(np.int64))

    @cached_property
    def _known(self) -> tuple[Hashes, ...]:
        """A hash of the values of every row that the other side holds too, whichever column they stand in."""
        left, right = self.coded.reference, self.coded.candidate
        return _row_hashes(left, _held(right)), _row_hashes(right, _held(left))


def _held(side: Side) -> Flags:
    return np.logical_or.reduce(side.holds, axis=0, initial=False)  # type: ignore[no-any-return]


def _row_hashes(side: Side, counts: Flags) -> Hashes:
    total = np.zeros(side.rows, np.uint64)
    for column in side.codes:
        total += np.where(counts[column], _mixed(np.zeros_like(total), column), np.uint64(0))
    return total


def _mixed(hashes: Hashes, codes: Codes) -> Hashes:
    mixed = (hashes ^ (codes.astype(np.uint64) + np.uint64(1))) * _MIX
    mixed ^= mixed >> _SHIFT
    mixed *= _MIX
    return mixed ^ (mixed >> _SHIFT)


class Content:
    """A column's values with the rows that they stand in, in an order of their own."""

    __slots__ = ("digest", "place", "side")

    def __init__(self, side: Side, place: int) -> None:
        self.side = side
        self.place = place
        self.digest: bytes | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Content):
            return NotImplemented
        return (self.side is other.side and self.place == other.place) or self._digest() == other._digest()

    def __lt__(self, other: "Content") -> bool:
        return self._digest() < other._digest()

    __hash__ = None  # type: ignore[assignment]

    def _digest(self) -> bytes:
        if self.digest is None:
            rows = [sorted(map(_spelt, row)) for row in zip(*self.side.cells, strict=True)]
            own = sorted(
                f"{_spelt(value)}\x1f{row}" for value, row in zip(self.side.cells[self.place], rows, strict=True)
            )
            self.digest = hashlib.sha256("\x1e".join(own).encode("utf-8", "surrogatepass")).digest()
        return self.digest


def _spelt(value: Any) -> str:
    if isinstance(value, frozenset):
        return f"{{{','.join(sorted(map(_spelt, value)))}}}"  # its own order is the process's
    if isinstance(value, tuple):
        return f"({','.join(map(_spelt, value))})"
    return f"{type(value).__name__}:{value!r}"
