"""RUNs → how they go over time, and whether they drift."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np

from stef.errors import InputError, UserError
from stef.runs.monitor.alarms import POINTS, answers_tested, questions_tested
from stef.runs.monitor.causes import cause_of
from stef.runs.monitor.columns import EPOCH, microseconds
from stef.runs.monitor.facts import PER
from stef.runs.monitor.figures import period_figures
from stef.runs.monitor.kinds import Kinds, read_kinds
from stef.runs.monitor.model import Change, Monitored, Series, YardstickChange
from stef.runs.monitor.reading import Read, read_turns
from stef.runs.monitor.slots import MOST_ASKED, Slot, Slots, slots_of
from stef.runs.monitor.turns import AGAIN, SCORE, Turns, Units, Watched
from stef.runs.monitor.yardsticks import Yardstick, yardstick_of
from stef.runs.run import Run
from stef.stats.bootstrap import LEVEL
from stef.stats.dispersion import Dispersion, dispersion
from stef.stats.means import mean
from stef.stats.periods import By, Period, far_off, gaps, period_of, time_zone
from stef.stats.sequential import threshold

RATE = 0.05


@dataclass(frozen=True, slots=True)
class MonitorOptions:
    """How RUNs are watched. `rate`: the chance that a series which never drifts *ever* raises an alarm, in (0, 1).

    `per` watches each value of a field apart; `only` keeps turns of these fields' values; `since` leaves out what lies
    before it. `level` is that of the intervals.
    """

    by: By = By.DAY
    zone: str = "UTC"
    rate: float = RATE
    per: str | None = None
    only: tuple[tuple[str, str], ...] = ()
    since: datetime | None = None
    level: float = LEVEL
    seed: int = 0


def monitor_runs(runs: Sequence[Run], options: MonitorOptions | None = None, now: datetime | None = None) -> Monitored:
    """How the turns of `runs` go over time. `now` is only for counting turns that lie after it.

    Raises UserError for an unknown time zone or field,
    InputError where no turn has a timestamp, or a RUN cannot be read.
    """
    options = options or MonitorOptions()
    zone = time_zone(options.zone)
    if options.per is not None and options.per not in PER:
        raise UserError(f"--per {options.per}: turns are watched apart by one of {', '.join(PER)}")
    sticks = list(dict.fromkeys(yardstick_of(run) for run in runs))
    since = None if options.since is None else _aware(options.since, zone)
    read = read_turns([(run, sticks.index(yardstick_of(run))) for run in runs], dict(options.only), since)
    turns = read.turns
    if not len(turns):
        raise InputError(_nothing(runs, read, options))
    slots = slots_of(turns, options.by, zone, options.per, partial(read_kinds, runs))
    series = tuple(series_of(each, options) for each in slots)
    return Monitored(
        runs=tuple(str(run.path) for run in runs),
        by=options.by,
        zone=options.zone,
        rate=options.rate,
        series=series,
        judges=tuple(stick.judge for stick in sticks),
        yardsticks=_yardstick_changes(turns, sticks, options, zone),
        turns=len(turns),
        untimed=read.untimed,
        duplicates=read.duplicates,
        same_id=read.same_id,
        early=read.early,
        future=0 if now is None else int((turns.moment > microseconds(now)).sum()),
        odd=far_off(sorted({one.period for each in series for one in each.periods})),
        agents=tuple(turns.facts.values("agent", np.bincount(turns.fact, minlength=len(turns.facts)) > 0)),
        remarks=(*_unfinished(runs), *_sampled(slots, options.by)),
    )


def series_of(watched: Slots, options: MonitorOptions) -> Series:
    """The figures of a series, and whether it drifts."""
    slots = watched.slots
    answers = answers_tested(slots, options.rate, options.seed)
    asked = questions_tested(slots, watched.kinds, options.rate, options.seed)
    side = lru_cache(maxsize=2)(lambda first, end: Watched.joined([slot.turns for slot in slots[first:end]]))
    changes = [one for tested in answers.values() for one in _explained(tested.changes, slots, watched.kinds, side)]
    moved = [change for tested in asked.values() for change in tested.changes]
    return Series(
        name=watched.name,
        yardstick=watched.yardstick,
        periods=tuple(period_figures(slot.period, slot.turns, options.level) for slot in slots),
        gaps=gaps(slot.period for slot in slots),
        changes=tuple(sorted(changes, key=lambda one: (one.since, one.figure))),
        question_changes=tuple(sorted(moved, key=lambda one: (one.since, one.figure))),
        evidence={figure: tested.evidence for figure, tested in answers.items()},
        threshold=threshold(options.rate / len(answers)),
        dispersion=_dispersion(slots, answers[SCORE].changes),
    )


def _aware(moment: datetime, zone: tzinfo) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)


def _nothing(runs: Sequence[Run], read: Read, options: MonitorOptions) -> str:
    """Why there is nothing to show, and the way out."""
    names = ", ".join(str(run.path) for run in runs[:3])
    if read.untimed:
        return (
            f"{names}: none of {read.untimed:,} turns has a timestamp, so there is nothing to show over time; "
            "name the log's field in stef score: --map timestamp=FIELD"
        )
    if read.early:
        return f"{names}: all of {read.early:,} turns lie before --since"
    only = f" with {', '.join('='.join(one) for one in options.only)}" if options.only else ""
    verb = "holds" if len(runs) == 1 else "hold"
    return f"{names}: {verb} no turns{only}"


def _unfinished(runs: Sequence[Run]) -> list[str]:
    return [f"{run.path} is not finished: what is scored so far is shown" for run in runs if not run.complete]


def _sampled(slots: Sequence[Slots], by: By) -> list[str]:
    """That not every question was looked at for what is asked."""
    several = sum(slot.sampled for each in slots for slot in each.slots)
    if not several:
        return []
    return [
        f"{several:,} {by.value}{'' if several == 1 else 's'} with more than {MOST_ASKED:,} questions: what is asked "
        f"is told from {MOST_ASKED:,} of each, drawn by a digest of the question; scores are those of all"
    ]


def _dispersion(slots: Sequence[Slot], changes: Sequence[Change]) -> Dispersion | None:
    """How the scores of periods differ between two changes."""
    starts = [0, *(_at(slots, change.since) for change in changes), len(slots)]
    values = [slot.turns.units(slot.turns.figure(SCORE)).values for slot in slots]
    return dispersion([values[start:end] for start, end in pairwise(starts)])


def _explained(
    changes: Sequence[Change], slots: Sequence[Slot], kinds: Kinds, side: Callable[[int, int], Watched]
) -> list[Change]:
    """The changes of one figure, each over all periods up to the next one, and with its cause."""
    starts = [0, *(_at(slots, change.since) for change in changes), len(slots)]
    found = []
    for number, change in enumerate(changes):
        before, after = (side(*starts[place : place + 2]) for place in (number, number + 1))
        a, b = (turns.units(turns.figure(change.figure)) for turns in (before, after))
        if change.figure == AGAIN:
            a, b = a.among(b.clusters), b.among(a.clusters)
        found.append(
            replace(
                change,
                before=_points(a, change.before),
                after=_points(b, change.after),
                before_questions=len(a),
                after_questions=len(b),
                cause=cause_of(change, before, after, kinds),
            )
        )
    return found


def _at(slots: Sequence[Slot], period: Period) -> int:
    return next(at for at, slot in enumerate(slots) if slot.period == period)


def _points(found: Units, otherwise: float) -> float:
    held = mean(found.values.tolist())
    return otherwise if held is None else held * POINTS


def _yardstick_changes(
    turns: Turns, sticks: Sequence[Yardstick], options: MonitorOptions, zone: tzinfo
) -> tuple[YardstickChange, ...]:
    """Where turns begin to be measured by another yardstick than those before."""
    first = {stick: int(turns.moment[turns.yardstick == stick].min()) for stick in np.unique(turns.yardstick).tolist()}
    ordered = sorted(first, key=lambda stick: (first[stick], stick))
    return tuple(
        YardstickChange(
            period_of(EPOCH + timedelta(microseconds=first[now]), options.by, zone), sticks[before].changes(sticks[now])
        )
        for before, now in pairwise(ordered)
    )
