"""Turns → the slots of each series: a period, and its turns."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta, tzinfo

import numpy as np

from stef.runs.monitor.columns import EPOCH
from stef.runs.monitor.facts import Fact
from stef.runs.monitor.kinds import Kinds
from stef.runs.monitor.turns import Turns, Watched
from stef.runs.numbering import NONE, Whole
from stef.stats.periods import By, Period, period_of

MOST_ASKED = 1_000
"""Questions of a period whose kind is looked at: where there are more, those with the lowest digests."""

_MINUTE = 60_000_000
_AT_ONCE = 1_000_000

ReadKinds = Callable[[Whole], tuple[Whole, Kinds]]
"""What kinds of questions stand in these places, which are in order: for each its number."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A period and its turns."""

    period: Period
    turns: Watched

    @property
    def sampled(self) -> bool:
        """Whether not every question's kind is looked at."""
        return self.turns.sample is not self.turns


@dataclass(frozen=True, slots=True)
class Slots:
    """The slots of the turns that are watched together: those of one name, measured by one yardstick."""

    name: str | None
    yardstick: int
    slots: Sequence[Slot]
    kinds: Kinds


def slots_of(turns: Turns, by: By, zone: tzinfo, per: str | None, read: ReadKinds) -> list[Slots]:
    """The slots of each series, by name, then in the order in which their yardsticks come.

    The arrays of `turns` are put in another order, in place: a second copy of a month's turns would be too much.
    """
    names = sorted({_name(one, per) for one in turns.facts.all})
    sticks = int(turns.yardstick.max()) + 1
    place = {name: at * sticks for at, name in enumerate(names)}
    slot = np.array([place[_name(one, per)] for one in turns.facts.all], dtype=np.int64)[turns.fact]
    slot += turns.yardstick
    first = _first(slot, turns.moment)
    periods, period = _periods(turns.moment, by, zone)
    slot *= len(periods)
    slot += period
    keys, ends = _arranged(turns, slot)
    starts = [0, *ends[:-1]]
    asked, kinds = _asked(turns, starts, ends, read)
    found: dict[int, list[Slot]] = {}
    for key, start, end in zip(keys, starts, ends, strict=True):
        one, at = divmod(key, len(periods))
        found.setdefault(one, []).append(Slot(periods[at], _watched(turns, asked, start, end)))
    ordered = sorted(found, key=lambda one: (one // sticks, first[one]))
    return [Slots(None if per is None else names[one // sticks], one % sticks, found[one], kinds) for one in ordered]


def _name(fact: Fact, per: str | None) -> str:
    return "" if per is None else getattr(fact, per) or ""


def _arranged(turns: Turns, slot: Whole) -> tuple[list[int], list[int]]:
    """Put `turns` in order of their slots, by question and then by time; the slots, and where each ends."""
    order = np.lexsort((turns.moment, turns.cluster, slot))
    for name in turns.columns():
        column = getattr(turns, name)
        column[:] = column[order]
    ordered = slot[order]
    last = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(ordered) - 1)
    return ordered[last].tolist(), (last + 1).tolist()


def _first(group: Whole, moment: Whole) -> dict[int, int]:
    """When each group begins."""
    first = np.full(int(group.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, group, moment)
    return dict(enumerate(first.tolist()))


def _periods(moment: Whole, by: By, zone: tzinfo) -> tuple[list[Period], Whole]:
    """The periods, in order, and the number of each turn's. No zone's clock is ever set by less than a minute."""
    minutes = np.unique(np.concatenate([np.unique(some // _MINUTE) for some in _pieces(moment)]))
    of_minute = [period_of(EPOCH + timedelta(minutes=one), by, zone) for one in minutes.tolist()]
    periods = sorted(set(of_minute))
    place = {period: number for number, period in enumerate(periods)}
    numbers = np.array([place[one] for one in of_minute], dtype=np.int32)
    return periods, np.concatenate([numbers[np.searchsorted(minutes, some // _MINUTE)] for some in _pieces(moment)])


def _pieces(column: Whole) -> Iterator[Whole]:
    return (column[start : start + _AT_ONCE] for start in range(0, len(column), _AT_ONCE))


def _asked(turns: Turns, starts: Sequence[int], ends: Sequence[int], read: ReadKinds) -> tuple[Whole, Kinds]:
    """For each turn the number of what kind of question it is; NONE where its question is none of the first ones.

    The digest is the drawing: whether a question is looked at does not hang on what came of it, and one that is asked
    again is looked at again.
    """
    chosen = np.zeros(len(turns), dtype=np.bool_)
    for start, end in zip(starts, ends, strict=True):
        cluster = turns.cluster[start:end]
        new = np.flatnonzero(cluster[1:] != cluster[:-1])
        chosen[start : start + int(new[MOST_ASKED - 1]) + 1 if len(new) >= MOST_ASKED else end] = True
    at = np.flatnonzero(chosen)
    at = at[np.argsort(turns.place[at], kind="stable")]
    numbers, kinds = read(turns.place[at])
    asked = np.full(len(turns), NONE, dtype=np.int32)
    asked[at] = numbers
    return asked, kinds


def _watched(turns: Turns, asked: Whole, start: int, end: int) -> Watched:
    part = slice(start, end)
    return Watched(
        turns.facts,
        turns.cluster[part],
        turns.fact[part],
        turns.score[part],
        turns.p_correct[part],
        asked[part],
    )
