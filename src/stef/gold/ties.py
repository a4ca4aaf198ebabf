"""What decides between columns that overlap equally well: nothing that depends on where rows and columns stand.

In this order: how many rows the two columns agree on, rows being known by the values that both results share and by
the pairs that were settled before; equal names; the names; what the columns hold, told apart as far as columns and the
rows they stand in tell each other apart. Position is left for columns that are alike in all of this.
"""

from collections.abc import Callable, Hashable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from stef.gold.coding import Coded, Hashes, Side, common
from stef.gold.near import is_number
from stef.gold.numbering import Codes, Flags

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_ROUNDS = 8  # of columns and rows telling each other apart; two or three tell all that can be told of most results


class Ties:
    """The order among edges (a reference column, a candidate column) of equal overlap."""

    def __init__(self, coded: Coded) -> None:
        self.coded = coded
        self.sides = (coded.reference, coded.candidate)
        self._memory: dict[tuple[Any, ...], Any] = {}

    def first(self, edges: Sequence[tuple[int, int]], settled: tuple[tuple[int, int], ...]) -> tuple[int, int]:
        """The edge to take, after those that were settled."""

        def key(edge: tuple[int, int]) -> tuple[Any, ...]:
            names = self.coded.reference.names[edge[0]], self.coded.candidate.names[edge[1]]
            contents = (self.content(side, edge[side], settled) for side in (0, 1))
            differ = names[0].casefold() != names[1].casefold()
            return (-self._once(self._agreement, edge, settled), differ, names, *contents, edge)

        return min(edges, key=key)

    def content(self, side: int, place: int, settled: tuple[tuple[int, int], ...] = ()) -> "Content":
        """What a column of the reference (0) or the candidate (1) holds; worked out only where it is compared."""
        return Content(self, side, place, settled)

    def colour(self, side: int, place: int, settled: tuple[tuple[int, int], ...]) -> int:
        """A number for what a column holds and the rows that it stands in."""
        colours: list[int] = self._once(self._refined, side, settled)
        return colours[place]

    def _once(self, work: Callable[..., Any], *of: Any) -> Any:
        key = (work.__name__, *of)
        if key not in self._memory:
            self._memory[key] = work(*of)
        return self._memory[key]

    def _agreement(self, edge: tuple[int, int], settled: tuple[tuple[int, int], ...]) -> int:
        """The rows that two columns agree on, as multisets of (what is known of the row, value)."""
        one, other = (
            _mixed(known, side.codes[place])
            for known, side, place in zip(self._once(self._rows_known, settled), self.sides, edge, strict=True)
        )
        return common(one.view(np.int64), other.view(np.int64))

    def _rows_known(self, settled: tuple[tuple[int, int], ...]) -> tuple[Hashes, Hashes]:
        """A hash of every row's values: of those in settled pairs, and of the others that the other side holds too."""
        left, right = self.sides
        return (
            self._row_hashes(left, _held(right), [one for one, _ in settled]),
            self._row_hashes(right, _held(left), [other for _, other in settled]),
        )

    def _row_hashes(self, side: Side, counts: Flags, settled: list[int]) -> Hashes:
        total = np.zeros(side.rows, np.uint64)
        for place, column in enumerate(side.codes):
            label = settled.index(place) + 1 if place in settled else 0
            hashed = _mixed(np.full(side.rows, label, np.uint64), column)
            total += hashed if label else np.where(counts[column], hashed, np.uint64(0))
        return total

    def _refined(self, side_index: int, settled: tuple[tuple[int, int], ...]) -> list[int]:
        """Colours of columns, rows and columns telling each other apart in turns (Weisfeiler and Leman)."""
        side = self.sides[side_index]
        stable: Hashes = self._once(self._values, side_index)
        values = [stable[codes] for codes in side.codes]
        places = {edge[side_index] for edge in settled}
        labels = [int(place in places) for place in range(len(values))]
        colours, rows = labels, np.zeros(side.rows, np.uint64)
        for _ in range(min(len(values), _ROUNDS) + 1):
            colours = [
                int(_stirred(rows ^ _stirred(column ^ np.uint64(label))).sum(dtype=np.uint64))
                for column, label in zip(values, labels, strict=True)
            ]
            rows = np.zeros(side.rows, np.uint64)
            for column, colour in zip(values, colours, strict=True):
                rows += _stirred(column ^ np.uint64(colour))
        return colours

    def _values(self, side_index: int) -> Hashes:
        """A hash of every code's value that is the same in every process, whatever number the value was given."""
        side, stable = self.sides[side_index], np.zeros(self.coded.size, np.uint64)
        for codes, cells in zip(side.codes, side.cells, strict=True):
            for number, value in dict(zip(codes.tolist(), cells, strict=True)).items():
                stable[number] = int.from_bytes(blake2b(_spelt(value), digest_size=8).digest(), "big")
        return stable


class Content:
    """What a column holds, for comparison; equal columns are seen at once, others are told apart by their colours."""

    __slots__ = ("_place", "_settled", "_side", "_ties")

    def __init__(self, ties: Ties, side: int, place: int, settled: tuple[tuple[int, int], ...]) -> None:
        self._ties = ties
        self._side = side
        self._place = place
        self._settled = settled

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Content):
            return NotImplemented
        if self._place == other._place or np.array_equal(self._codes(), other._codes()):
            return True
        return self._colour() == other._colour()

    def __lt__(self, other: "Content") -> bool:
        return self._colour() < other._colour()

    __hash__ = None  # type: ignore[assignment]

    def _codes(self) -> Codes:
        return self._ties.sides[self._side].codes[self._place]

    def _colour(self) -> int:
        return self._ties.colour(self._side, self._place, self._settled)


def _held(side: Side) -> Flags:
    held: Flags = np.logical_or.reduce(side.holds, axis=0, initial=False)
    return held


def _mixed(hashes: Hashes, codes: Codes) -> Hashes:
    return _stirred(hashes ^ _stirred(codes.astype(np.uint64) + np.uint64(1)))


def _stirred(hashes: Hashes) -> Hashes:
    stirred = (hashes + np.uint64(1)) * _MIX
    stirred ^= stirred >> _SHIFT
    stirred *= _MIX
    return stirred ^ (stirred >> _SHIFT)


def _spelt(value: Hashable) -> bytes:
    """A value as text that equal values share, in every process."""
    if is_number(value):
        return b"%d" % hash(value)  # the one hash that no seed changes, and that 1, 1.0 and Decimal(1) share
    if isinstance(value, frozenset):
        return b"{" + b",".join(sorted(map(_spelt, value))) + b"}"  # its own order is the process's
    if isinstance(value, tuple):
        return b"(" + b",".join(map(_spelt, value)) + b")"
    return f"{type(value).__name__}:{value!r}".encode("utf-8", "surrogatepass")
