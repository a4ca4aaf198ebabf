"""Columns of equal signature: is there a way to pair them under which all rows are the same?

Rows are told apart by what is known of their columns, columns by the rows that their values stand in, in turns, until
nothing more is told apart (the colours of Weisfeiler and Leman). Where columns still share a colour, one of them is
paired with each that it may stand for, and told apart anew. Colours are hashes, which only ever rule out: whole rows
decide.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import repeat

from stef.gold.multisets import Column, Columns, same_multiset, same_rows


class SpentError(Exception):
    """The budget ended before the search did."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side's distinct columns with their colours, and its rows with theirs.

    Columns of equal colour on the two sides are what may stand for each other.
    """

    columns: Columns
    colours: Sequence[Hashable]
    rows: Sequence[int]

    @classmethod
    def of(cls, columns: Columns, colours: Sequence[Hashable], rows: Sequence[int]) -> "Side":
        """Columns that are the same in every row stand there once: they go with such columns, as many of them."""
        counts = Counter(zip(map(tuple, columns), colours, strict=True))
        return cls([column for column, _ in counts], [(colour, n) for (_, colour), n in counts.items()], rows)

    def refined(self) -> "Side":
        """Rows told apart by the columns of their cells, then columns by the rows of theirs."""
        hashed = [map(hash, zip(repeat(c), column)) for c, column in zip(self.colours, self.columns, strict=True)]
        rows = list(map(hash, zip(self.rows, map(sum, zip(*hashed, strict=True)), strict=True)))
        colours = [
            (hash(colour), sum(map(hash, zip(rows, column, strict=True))))
            for colour, column in zip(self.colours, self.columns, strict=True)
        ]
        return Side(self.columns, colours, rows)

    def picked(self, place: int) -> "Side":
        """One column told apart from all others."""
        colours = [(colour, n == place) for n, colour in enumerate(self.colours)]
        return Side(self.columns, colours, self.rows)


@dataclass(slots=True)
class Isomorphism:
    """The search for a pairing of columns. `known` are pairs that are settled, `budget` cells that may be looked at."""

    known: list[tuple[Column, Column]]
    budget: int

    def exists(self, left: Side, right: Side) -> bool | None:
        """Is there one? None where the budget ends first."""
        try:
            return self._from(left, right)
        except SpentError:
            return None

    def _from(self, left: Side, right: Side) -> bool:
        stable = self._stable(left, right)
        if stable is None:
            return False
        left, right = stable
        open_colours = [(n, colour) for colour, n in Counter(left.colours).items() if n > 1]
        if not open_colours:
            return self._same(left, right)
        fewest = min(n for n, _ in open_colours)
        colour = next(colour for n, colour in open_colours if n == fewest)
        picked = left.picked(left.colours.index(colour))
        return any(
            self._from(picked, right.picked(place)) for place, other in enumerate(right.colours) if other == colour
        )

    def _stable(self, left: Side, right: Side) -> tuple[Side, Side] | None:
        """Both sides refined until nothing more is told apart; None where they differ."""
        while True:
            self.budget -= 2 * len(left.rows) * len(left.columns)
            if self.budget < 0:
                raise SpentError
            kinds = len(set(left.colours))
            left, right = left.refined(), right.refined()
            if not same_multiset(left.colours, right.colours):
                return None
            if len(set(left.colours)) == kinds:
                return left, right

    def _same(self, left: Side, right: Side) -> bool:
        places = {colour: place for place, colour in enumerate(right.colours)}
        pairs = [(column, right.columns[places[c]]) for column, c in zip(left.columns, left.colours, strict=True)]
        return same_rows(*zip(*self.known, *pairs, strict=True))
