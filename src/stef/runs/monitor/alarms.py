"""Periods of turns → where the test says that a figure, or what is asked, drifts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from stef.runs.monitor.kinds import FEATURES, Kinds
from stef.runs.monitor.model import Change
from stef.runs.monitor.slots import Slot
from stef.runs.monitor.turns import AGAIN, DECLINED, P_CORRECT, READABLE, SCORE, Units
from stef.runs.numbering import Floats, sums
from stef.stats.bags import Values
from stef.stats.changepoint import change_point
from stef.stats.sequential import Alarm, Evidence, watch

FIGURES = (SCORE, AGAIN, P_CORRECT, READABLE, DECLINED)
"""What is watched of the answers."""

POINTS = 100.0

Value = Callable[[Slot], Units]
"""What is watched of a slot: one value for each question."""


@dataclass(frozen=True, slots=True)
class Tested:
    """What the tests of one figure found, and the evidence of the last one."""

    changes: tuple[Change, ...]
    evidence: Evidence


def answers_tested(slots: Sequence[Slot], rate: float, seed: int) -> dict[str, Tested]:
    """Each figure of the answers, tested so that all of them together have the false-alarm rate `rate`."""
    return {name: _tested(name, slots, _figure(name), rate / len(FIGURES), seed) for name in FIGURES}


def questions_tested(slots: Sequence[Slot], kinds: Kinds, rate: float, seed: int) -> dict[str, Tested]:
    """Each feature of what is asked, likewise."""
    return {name: _tested(name, slots, _feature(kinds, name), rate / len(FEATURES), seed) for name in FEATURES}


def _figure(name: str) -> Value:
    return lambda slot: slot.turns.units(slot.turns.figure(name))


def _feature(kinds: Kinds, name: str) -> Value:
    has = kinds.having(name).astype(np.float64)
    return lambda slot: slot.turns.sample.units(has[slot.turns.sample.asked])


def _tested(name: str, slots: Sequence[Slot], value: Value, rate: float, seed: int) -> Tested:
    """Test from the first period on; after an alarm anew, against what came since the change."""
    units = [value(slot) for slot in slots]
    valued = [Values(one.values, one.clusters if name == AGAIN else None) for one in units]
    found: list[Change] = []
    start, since = 0, 0
    while True:
        alarm, last = watch(valued[start:], rate, seed, _together(valued[since:start]))
        if alarm is None:
            return Tested(tuple(found), last)
        raised = start + alarm.period
        change = _change(name, slots, units, (since, raised), alarm, seed)
        if change is None:
            since = raised
        else:
            found.append(change)
            since = next(at for at, slot in enumerate(slots) if slot.period == change.since)
        start = raised + 1


def _together(several: Sequence[Values]) -> Values | None:
    if not several:
        return None
    strata = [one.strata for one in several if one.strata is not None]
    return Values(np.concatenate([one.values for one in several]), np.concatenate(strata) if strata else None)


def _change(  # noqa: PLR0913, PLR0917  what a change is made of
    name: str,
    slots: Sequence[Slot],
    units: Sequence[Units],
    within: tuple[int, int],
    alarm: Alarm,
    seed: int,
) -> Change | None:
    """Where the change behind an `alarm` after period `within[1]` lies, from `within[0]` on."""
    first, raised = within
    held = units[first : raised + 1]
    point = change_point(_around_themselves(held) if name == AGAIN else [one.values for one in held], alarm.sign, seed)
    if point is None:
        return None
    return Change(
        figure=name,
        sign=alarm.sign,
        since=slots[first + point.at].period,
        earliest=slots[first + point.earliest].period,
        latest=slots[first + point.latest].period,
        raised=slots[raised].period,
        evidence=alarm.evidence,
        before=point.before * POINTS,
        after=point.after * POINTS,
        before_questions=sum(map(len, units[first : first + point.at])),
        after_questions=sum(map(len, units[first + point.at : raised + 1])),
        p=point.p,
    )


def _around_themselves(held: Sequence[Units]) -> list[Floats]:
    """By period, how far each question's value lies from its mean over all periods; those asked once left out."""
    _, of, counts = np.unique(np.concatenate([one.clusters for one in held]), return_inverse=True, return_counts=True)
    values = np.concatenate([one.values for one in held])
    off = np.where(counts[of] > 1, values - (sums(of, values, len(counts)) / counts)[of], np.nan)
    ends = np.cumsum([len(one) for one in held])
    return [period[~np.isnan(period)] for period in np.split(off, ends[:-1])]
