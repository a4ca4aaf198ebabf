"""Periods of turns → where the test says that a figure, or what is asked, drifts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stef.runs.monitor.kinds import FEATURES
from stef.runs.monitor.model import Change
from stef.runs.monitor.rows import AGAIN, DECLINED, P_CORRECT, READABLE, SCORE, Watched, figure_of
from stef.stats.changepoint import change_point
from stef.stats.periods import Period
from stef.stats.sequential import Alarm, Evidence, Valued, evidence, first_alarm

FIGURES = (SCORE, AGAIN, P_CORRECT, READABLE, DECLINED)
"""What is watched of the answers."""

POINTS = 100.0

Value = Callable[[Watched], float | None]


@dataclass(frozen=True, slots=True)
class Slot:
    """A period and its turns."""

    period: Period
    turns: Sequence[Watched]


@dataclass(frozen=True, slots=True)
class Tested:
    """What the tests of one figure found, and the evidence of the last one."""

    changes: tuple[Change, ...]
    evidence: Evidence


def answers_tested(slots: Sequence[Slot], rate: float, seed: int) -> dict[str, Tested]:
    """Each figure of the answers, tested so that all of them together have the false-alarm rate `rate`."""
    return {name: _tested(name, slots, _figure(name), rate / len(FIGURES), seed) for name in FIGURES}


def questions_tested(slots: Sequence[Slot], rate: float, seed: int) -> dict[str, Tested]:
    """Each feature of what is asked, likewise."""
    return {name: _tested(name, slots, _feature(name), rate / len(FEATURES), seed) for name in FEATURES}


def units(turns: Sequence[Watched], value: Value) -> dict[str, float]:
    """One value for each question: the mean of its turns. A question that is asked 500 times in a period is one."""
    held: dict[str, list[float]] = {}
    for turn in turns:
        found = value(turn)
        if found is not None:
            held.setdefault(turn.cluster, []).append(found)
    return {name: sum(values) / len(values) for name, values in sorted(held.items())}


def _figure(name: str) -> Value:
    return lambda turn: figure_of(turn, name)


def _feature(name: str) -> Value:
    return lambda turn: float(name in turn.asked.features)


def _tested(name: str, slots: Sequence[Slot], value: Value, rate: float, seed: int) -> Tested:
    """Test from the first period on; after an alarm anew, against what came since the change."""
    values = [units(slot.turns, value) for slot in slots]
    valued = [[Valued(one, cluster if name == AGAIN else None) for cluster, one in held.items()] for held in values]
    found: list[Change] = []
    start, since = 0, 0
    while True:
        before = [one for period in valued[since:start] for one in period]
        series = evidence(valued[start:], seed, before)
        alarm = first_alarm(series, rate)
        if alarm is None:
            return Tested(tuple(found), series[-1] if series else Evidence(0.0, 0.0))
        raised = start + alarm.period
        change = _change(name, slots, values, (since, raised), alarm, seed)
        if change is None:
            since = raised
        else:
            found.append(change)
            since = next(at for at, slot in enumerate(slots) if slot.period == change.since)
        start = raised + 1


def _change(  # noqa: PLR0913, PLR0917  what a change is made of
    name: str,
    slots: Sequence[Slot],
    values: Sequence[dict[str, float]],
    within: tuple[int, int],
    alarm: Alarm,
    seed: int,
) -> Change | None:
    """Where the change behind an `alarm` after period `within[1]` lies, from `within[0]` on."""
    first, raised = within
    held = values[first : raised + 1]
    point = change_point(
        _around_themselves(held) if name == AGAIN else [[*one.values()] for one in held], alarm.sign, seed
    )
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
        before_questions=sum(map(len, values[first : first + point.at])),
        after_questions=sum(map(len, values[first + point.at : raised + 1])),
        p=point.p,
    )


def _around_themselves(held: Sequence[dict[str, float]]) -> list[list[float]]:
    """By period, how far each question's value lies from its mean over all periods; those asked once left out."""
    every: dict[str, list[float]] = {}
    for period in held:
        for cluster, value in period.items():
            every.setdefault(cluster, []).append(value)
    means = {cluster: sum(values) / len(values) for cluster, values in every.items() if len(values) > 1}
    return [[value - means[cluster] for cluster, value in period.items() if cluster in means] for period in held]
