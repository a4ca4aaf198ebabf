"""The row key: at most two paired columns that best separate the reference's rows.

Ties: first how well the key's columns overlap (min(P, R), the mean over the key), then fewer columns, then names. A
second column must separate what the first leaves together: one that adds nothing would only let a wrong cell keep
rows apart that belong together. For keys of one size the mean ranks as the sum does; between sizes a sum would always
favour the second column.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isqrt
from typing import Any, Protocol

from stef.gold.coding import how_many, joined
from stef.gold.numbering import Codes
from stef.gold.ties import Ties
from stef.records.gold import ColumnPair

_SEARCHED = 100_000_000  # rows looked at in the search for two columns: seconds


class KeyColumn(Protocol):
    """What a key needs of one of the reference's columns: codes of its rows, and how many are distinct."""

    @property
    def key_codes(self) -> Codes:
        """A code a row."""

    @property
    def separates(self) -> int:
        """The number of distinct codes."""


@dataclass(frozen=True, slots=True)
class Key:
    """Indices of pairs, and how many of the reference's rows it tells apart (the number of its distinct values)."""

    pairs: tuple[int, ...]
    separates: int


def choose_key(pairs: Sequence[ColumnPair], columns: Sequence[KeyColumn], size: int, most: int, ties: Ties) -> Key:
    """The key of the reference's rows; `columns` are its paired columns, their codes below `size`.

    `most` is a bound of what any key can separate: the search ends with the first that reaches it.
    """
    overlap = [min(pair.precision or 0.0, pair.recall or 0.0) for pair in pairs]
    preference = _Preference(overlap, [pair.reference for pair in pairs], ties)
    single: list[tuple[int, ...]] = [(place,) for place in range(len(pairs))]
    # The best single columns first: where one of them separates all that can be, no two columns are needed.
    highest = max(overlap)
    leaders = [places for places in single if overlap[places[0]] == highest]
    for places in sorted(leaders, key=preference.of):
        if columns[places[0]].separates == most:
            return Key(places, most)
    best = Key((), 0)
    # Of very many columns over very many rows, those that separate best alone are tried in twos.
    width = max(2, isqrt(2 * _SEARCHED // max(1, len(columns[0].key_codes))))
    tried = sorted(single, key=lambda places: (-columns[places[0]].separates, preference.of(places)))[:width]
    twos = combinations(sorted(place for (place,) in tried), 2)
    for places in sorted([*single, *twos], key=preference.of):
        separates = _separates(places, columns, size, (best.separates, most))
        if separates > best.separates:
            best = Key(places, separates)
        if separates >= most:
            break
    return best


def _separates(places: tuple[int, ...], columns: Sequence[KeyColumn], size: int, bounds: tuple[int, int]) -> int:
    """What a key separates; 0 where that is no more than the first bound, or a column of it separates as much."""
    if len(places) == 1:
        return columns[places[0]].separates
    one, other = (columns[place] for place in places)
    least, most = bounds
    alone = max(one.separates, other.separates)
    if alone >= most or one.separates * other.separates <= max(least, alone):
        return 0
    separates = how_many(joined([one.key_codes, other.key_codes], size)[0])
    return separates if separates > alone else 0


class _Preference:
    """Smallest first: the key to take of several that separate equally well."""

    def __init__(self, overlap: Sequence[float], references: Sequence[int], ties: Ties) -> None:
        names = ties.coded.reference.names
        self._overlap = overlap
        # Where names do not tell the reference's columns apart, what they hold does.
        telling = len(set(names)) == len(names)
        self._named: list[Any] = [
            names[place] if telling else (names[place], ties.content(0, place)) for place in references
        ]

    def of(self, places: tuple[int, ...]) -> tuple[Any, ...]:
        """Overlap (the mean over the key), then fewer columns, then names."""
        if len(places) == 1:
            return -self._overlap[places[0]], 1, [self._named[places[0]]]
        one, other = places
        named = [self._named[one], self._named[other]]
        if named[1] < named[0]:
            named.reverse()
        return -(self._overlap[one] + self._overlap[other]) / 2, 2, named
