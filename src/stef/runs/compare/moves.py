"""What changed in a pair, for the few that are named: their texts are read back from the RUNs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stef.runs.compare.model import Change, Moved
from stef.runs.compare.pairs import Half, Pairs
from stef.runs.compare.rows import CORRECT, P_CORRECT, SCORE
from stef.runs.compare.sides import Sides
from stef.runs.compare.turns import Turns
from stef.runs.numbering import Floats, Whole
from stef.runs.picked import picked

_Z = 1.96
"""Standard errors of the judge's own noise within which a change says nothing."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Shown:
    """A pair that is named: its place, on both sides the turn that stands for all, and what was read back of it."""

    place: int
    turns: tuple[int, int]
    rows: tuple[Row, Row]


class Telling:
    """Makes a Change of each pair that is named. `noise`: the judge's own standard error of p_correct, by pair."""

    figure: str
    columns: tuple[str, ...] = ("id", "question")

    def __init__(self, pairs: Pairs, sides: Sides, noise: Floats | None = None) -> None:
        self._pairs = pairs
        self._sides = sides
        self._noise = noise
        self._facts = pairs.a.turns.known.facts.all()

    def changes(self, chosen: Whole, kinds: Sequence[str]) -> tuple[Change, ...]:
        """The changes of the pairs at these places, each of its kind."""
        pairs, chosen_pairs = self._pairs, self._pairs.where(chosen)
        before, after = chosen_pairs.values(self.figure)
        same, counts = chosen_pairs.same_sql, chosen_pairs.turns
        return tuple(
            Change(
                kind=kind,
                question=one.rows[0]["question"] or "",
                a_id=one.rows[0]["id"],
                b_id=one.rows[1]["id"],
                a_row=one.rows[0]["row"],
                b_row=one.rows[1]["row"],
                turns=int(counts[number]),
                a=_known(before[number]),
                b=_known(after[number]),
                difference=_known(after[number] - before[number]),
                moved=tuple(self._moves(one)),
                same_sql=bool(same[number]),
                within_noise=self._within_noise(one.place) if kind in {"lower", "higher"} else None,
            )
            for number, (kind, one) in enumerate(zip(kinds, self._shown(pairs, chosen), strict=True))
        )

    def _shown(self, pairs: Pairs, chosen: Whole) -> Iterator[_Shown]:
        """The pairs at these places, with their rows."""
        turns = (pairs.a.turns, pairs.b.turns)
        shown = [one[chosen].tolist() for one in pairs.shown]
        numbers = [side.row[at].tolist() for side, at in zip(turns, shown, strict=True)]
        a, b = (
            picked(side.run.parts(), rows, self.columns)
            for side, rows in zip((self._sides.a, self._sides.b), numbers, strict=True)
        )
        for place, at_a, at_b, row_a, row_b in zip(chosen.tolist(), *shown, *numbers, strict=True):
            yield _Shown(place, (at_a, at_b), (a[row_a], b[row_b]))

    def _fact(self, turns: Turns, at: int) -> Row:
        return dict(zip(turns.known.columns, self._facts[turns.fact[at]], strict=True))

    def _moves(self, one: _Shown) -> Iterator[Moved]:
        raise NotImplementedError

    def _within_noise(self, place: int) -> bool | None:
        if self._noise is None:
            return None
        moved = self._pairs.where(np.array([place])).difference(P_CORRECT)[0]
        return None if np.isnan(moved) else bool(abs(moved) <= _Z * self._noise[place])


class ScoreTelling(Telling):
    """Of scored RUNs."""

    figure = SCORE
    columns = ("id", "question", "missing_filters", "extra_filters")

    def _moves(self, one: _Shown) -> Iterator[Moved]:
        turns = (self._pairs.a.turns, self._pairs.b.turns)
        a, b = ({**row, **self._fact(side, at)} for row, side, at in zip(one.rows, turns, one.turns, strict=True))
        yield from _column("unscored", "unscored_reason", a, b)
        yield from _column("verdict", "verdict", a, b)
        yield from _column("filters", "filter_alignment", a, b)
        yield from _listed("finding", "findings", a, b)
        yield from _listed("missing filter", "missing_filters", a, b)
        yield from _listed("extra filter", "extra_filters", a, b)


class GoldTelling(Telling):
    """Of gold runs."""

    figure = CORRECT

    def _moves(self, one: _Shown) -> Iterator[Moved]:
        a, b = self._moved_most(int(self._pairs.chosen[one.place]))
        for name in ("outcome", "bucket", "symptom", "error"):
            yield from _column(name, name, a, b)

    def _moved_most(self, pair: int) -> tuple[Row, Row]:
        """A turn of each side, of which one is right and the other is not where there are such."""
        a, b = self._pairs.a, self._pairs.b
        higher = b if b.value(CORRECT)[pair] > a.value(CORRECT)[pair] else a
        one, other = (self._fact(half.turns, _most(half, pair, lowest=half is not higher)) for half in (a, b))
        return one, other


def _most(half: Half, pair: int, *, lowest: bool) -> int:
    """Of the turns of a pair the first that is right, or is not."""
    members = half.members(pair)
    values = half.turns.figures[CORRECT][members]
    place = np.nan_to_num(values, nan=np.inf).argmin() if lowest else np.nan_to_num(values, nan=-np.inf).argmax()
    return int(members[place])


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _column(what: str, column: str, a: Row, b: Row) -> Iterator[Moved]:
    if a.get(column) != b.get(column):
        yield Moved(what, a.get(column), b.get(column))


def _listed(what: str, column: str, a: Row, b: Row) -> Iterator[Moved]:
    """What is in the list of one side only; nothing where a side was not aligned."""
    before, after = a.get(column), b.get(column)
    if before is None or after is None:
        return
    for one in dict.fromkeys(before):
        if one not in after:
            yield Moved(what, one, None)
    for one in dict.fromkeys(after):
        if one not in before:
            yield Moved(what, None, one)
