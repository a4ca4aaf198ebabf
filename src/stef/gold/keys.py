"""The row key: at most two paired columns that best separate the reference's rows.

Ties: first how well the key's columns overlap (min(P, R), the mean over the key), then fewer columns, then names. A
second column must separate what the first leaves together: one that adds nothing would only let a wrong cell keep
rows apart that belong together. For keys of one size the mean ranks as the sum does; between sizes a sum would always
favour the second column.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from stef.gold.coding import Codes, how_many, joined
from stef.gold.ties import Ties
from stef.records.gold import ColumnPair


@dataclass(frozen=True, slots=True)
class Key:
    """Indices of pairs, and how many of the reference's rows it tells apart (the number of its distinct values)."""

    pairs: tuple[int, ...]
    separates: int


def choose_key(pairs: Sequence[ColumnPair], columns: Sequence[Codes], size: int, most: int, ties: Ties) -> Key:
    """The key of the reference's rows; `columns` are its paired columns as codes below `size`.

    `most` is a bound of what any key can separate: the search ends with the first that reaches it.
    """
    single = [how_many(column) for column in columns]
    best = Key((), 0)
    for places in _in_order_of_preference(pairs, ties):
        if len(places) == 1:
            separates = single[places[0]]
        else:
            one, other = places
            alone = max(single[one], single[other])
            if alone >= most or single[one] * single[other] <= max(best.separates, alone):
                continue
            separates = how_many(joined([columns[one], columns[other]], size)[0])
            if separates == alone:
                continue
        if separates > best.separates:
            best = Key(places, separates)
        if separates >= most:
            break
    return best


def _in_order_of_preference(pairs: Sequence[ColumnPair], ties: Ties) -> Iterator[tuple[int, ...]]:
    overlap = [min(pair.precision or 0.0, pair.recall or 0.0) for pair in pairs]
    everything = range(len(pairs))

    def preference(places: tuple[int, ...]) -> tuple[Any, ...]:
        names = [ties.coded.reference.names[pairs[place].reference] for place in places]
        contents = [ties.content(0, pairs[place].reference) for place in places]
        return (
            -sum(overlap[place] for place in places) / len(places),
            len(places),
            names,
            contents,
        )

    yield from sorted([*((place,) for place in everything), *combinations(everything, 2)], key=preference)
