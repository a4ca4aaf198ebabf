"""RUNs → how they go over time, and whether they drift."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from itertools import pairwise
from typing import TYPE_CHECKING

from stef.errors import InputError, UserError
from stef.runs.monitor.alarms import POINTS, Slot, answers_tested, questions_tested, units
from stef.runs.monitor.causes import cause_of
from stef.runs.monitor.figures import period_figures
from stef.runs.monitor.model import Change, Monitored, Series, YardstickChange
from stef.runs.monitor.rows import AGAIN, PER, SCORE, Watched, Yardstick, figure_of, watched_rows, yardstick_of
from stef.runs.run import Run
from stef.stats.bootstrap import LEVEL
from stef.stats.dispersion import Dispersion, dispersion
from stef.stats.means import mean
from stef.stats.periods import By, Period, far_off, gaps, period_of, time_zone
from stef.stats.sequential import threshold

if TYPE_CHECKING:
    from stef.runs.monitor.kinds import Traits

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


@dataclass(slots=True)
class _Read:
    """The turns of all RUNs, and what was left out."""

    turns: list[Watched] = field(default_factory=list)
    untimed: int = 0
    duplicates: int = 0
    same_id: int = 0
    early: int = 0


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
    read = _read(runs, sticks, options, zone)
    if not read.turns:
        raise InputError(_nothing(runs, read, options))
    series = series_of(read.turns, options)
    periods = sorted({one.period for each in series for one in each.periods})
    return Monitored(
        runs=tuple(str(run.path) for run in runs),
        by=options.by,
        zone=options.zone,
        rate=options.rate,
        series=series,
        judges=tuple(stick.judge for stick in sticks),
        yardsticks=_yardstick_changes(read.turns, sticks, options, zone),
        turns=len(read.turns),
        untimed=read.untimed,
        duplicates=read.duplicates,
        same_id=read.same_id,
        early=read.early,
        future=0 if now is None else sum(turn.moment > now for turn in read.turns),
        odd=far_off(periods),
        agents=tuple(sorted({turn.agent for turn in read.turns if turn.agent is not None})),
        remarks=tuple(
            f"{run.path} is not finished: what is scored so far is shown" for run in runs if not run.complete
        ),
    )


def series_of(turns: Sequence[Watched], options: MonitorOptions) -> tuple[Series, ...]:
    """The series of `turns`, which are in order of time. Raises UserError for an unknown time zone."""
    zone = time_zone(options.zone)
    return tuple(_series(name, stick, held, options, zone) for (name, stick), held in _grouped(turns, options.per))


def _read(runs: Sequence[Run], sticks: Sequence[Yardstick], options: MonitorOptions, zone: tzinfo) -> _Read:
    """All turns in order of time. A turn that is there twice under one yardstick counts once."""
    found = _Read()
    since = None if options.since is None else _aware(options.since, zone)
    # Hashes of who was seen: an id, and an id with all that makes it the same turn.
    ids: set[int] = set()
    marks: set[int] = set()
    asked: dict[str, Traits] = {}
    for run in runs:
        for turn in watched_rows(run, sticks.index(yardstick_of(run)), dict(options.only), asked=asked):
            if turn is None:
                found.untimed += 1
            elif since is not None and turn.moment < since:
                found.early += 1
            else:
                known = hash((turn.yardstick, turn.id))
                mark = hash((known, turn.moment, turn.cluster, turn.agent, turn.agent_version))
                if mark in marks:
                    found.duplicates += 1
                    continue
                found.same_id += known in ids
                ids.add(known)
                marks.add(mark)
                found.turns.append(turn)
    found.turns.sort(key=lambda turn: (turn.moment, turn.cluster, turn.id))
    return found


def _aware(moment: datetime, zone: tzinfo) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)


def _nothing(runs: Sequence[Run], read: _Read, options: MonitorOptions) -> str:
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


def _grouped(turns: Iterable[Watched], per: str | None) -> list[tuple[tuple[str | None, int], list[Watched]]]:
    """Turns that are watched together, by name, then in the order in which their yardsticks come."""
    groups: dict[tuple[str | None, int], list[Watched]] = {}
    for turn in turns:
        name = None if per is None else getattr(turn, per) or ""
        groups.setdefault((name, turn.yardstick), []).append(turn)
    return sorted(groups.items(), key=lambda item: (item[0][0] or "", item[1][0].moment))


def _series(name: str | None, stick: int, turns: Sequence[Watched], options: MonitorOptions, zone: tzinfo) -> Series:
    slots = _slots(turns, options.by, zone)
    answers = answers_tested(slots, options.rate, options.seed)
    asked = questions_tested(slots, options.rate, options.seed)
    changes = [change for tested in answers.values() for change in _explained(tested.changes, slots)]
    moved = [change for tested in asked.values() for change in tested.changes]
    return Series(
        name=name,
        yardstick=stick,
        periods=tuple(period_figures(slot.period, slot.turns, options.level) for slot in slots),
        gaps=gaps(slot.period for slot in slots),
        changes=tuple(sorted(changes, key=lambda one: (one.since, one.figure))),
        question_changes=tuple(sorted(moved, key=lambda one: (one.since, one.figure))),
        evidence={figure: tested.evidence for figure, tested in answers.items()},
        threshold=threshold(options.rate / len(answers)),
        dispersion=_dispersion(slots, answers[SCORE].changes),
    )


def _dispersion(slots: Sequence[Slot], changes: Sequence[Change]) -> Dispersion | None:
    """How the scores of periods differ between two changes."""
    starts = [0, *(_at(slots, change.since) for change in changes), len(slots)]
    values = [list(units(slot.turns, lambda turn: figure_of(turn, SCORE)).values()) for slot in slots]
    return dispersion([values[start:end] for start, end in pairwise(starts)])


def _slots(turns: Sequence[Watched], by: By, zone: tzinfo) -> list[Slot]:
    held: dict[Period, list[Watched]] = {}
    for turn in turns:
        held.setdefault(period_of(turn.moment, by, zone), []).append(turn)
    return [Slot(period, held[period]) for period in sorted(held)]


def _explained(changes: Sequence[Change], slots: Sequence[Slot]) -> list[Change]:
    """The changes of one figure, each over all periods up to the next one, and with its cause."""
    starts = [0, *(_at(slots, change.since) for change in changes), len(slots)]
    found = []
    for number, change in enumerate(changes):
        before, after = slots[starts[number] : starts[number + 1]], slots[starts[number + 1] : starts[number + 2]]
        a, b = _values(before, change.figure), _values(after, change.figure)
        if change.figure == AGAIN:
            a, b = ({name: side[name] for name in a.keys() & b.keys()} for side in (a, b))
        found.append(
            replace(
                change,
                before=_points(a.values(), change.before),
                after=_points(b.values(), change.after),
                before_questions=len(a),
                after_questions=len(b),
                cause=cause_of(change, before, after),
            )
        )
    return found


def _at(slots: Sequence[Slot], period: Period) -> int:
    return next(at for at, slot in enumerate(slots) if slot.period == period)


def _values(slots: Sequence[Slot], figure: str) -> dict[str, float]:
    """One value of the figure for each question."""
    turns = [turn for slot in slots for turn in slot.turns]
    return units(turns, lambda turn: figure_of(turn, figure))


def _points(values: Iterable[float], otherwise: float) -> float:
    found = mean(values)
    return otherwise if found is None else found * POINTS


def _yardstick_changes(
    turns: Sequence[Watched], sticks: Sequence[Yardstick], options: MonitorOptions, zone: tzinfo
) -> tuple[YardstickChange, ...]:
    """Where turns begin to be measured by another yardstick than those before."""
    first: dict[int, datetime] = {}
    for turn in turns:
        first.setdefault(turn.yardstick, turn.moment)
    ordered = sorted(first, key=lambda stick: first[stick])
    return tuple(
        YardstickChange(period_of(first[now], options.by, zone), sticks[before].changes(sticks[now]))
        for before, now in pairwise(ordered)
    )
