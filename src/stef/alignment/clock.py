"""Relative periods of the SQL, read by the turn's clock, so that they can meet fixed dates."""

from dataclasses import replace
from datetime import datetime

from stef.question.period_calendar import resolve
from stef.records.expressions import Relative
from stef.records.predicates import Bound, Clause, Predicate
from stef.records.record import record


@record(frozen=True, slots=True)
class Clock:
    """The naive local time of a turn, and the day that a week starts on (its English name)."""

    now: datetime
    week_start: str = "monday"


def at(clause: Clause, clock: Clock | None) -> Clause:
    """`clause` with every relative bound as a point in time; as it is without a clock."""
    if clock is None or not any(_is_relative(predicate) for predicate in clause.predicates):
        return clause
    return replace(clause, predicates=tuple(_resolved(predicate, clock) for predicate in clause.predicates))


def _is_relative(predicate: Predicate) -> bool:
    interval = predicate.interval
    return interval is not None and any(
        bound is not None and isinstance(bound.value, Relative) for bound in (interval.low, interval.high)
    )


def _resolved(predicate: Predicate, clock: Clock) -> Predicate:
    interval = predicate.interval
    if interval is None:
        return predicate
    return replace(
        predicate,
        interval=replace(interval, low=_bound(interval.low, clock), high=_bound(interval.high, clock)),
    )


def _bound(bound: Bound | None, clock: Clock) -> Bound | None:
    if bound is None or not isinstance(bound.value, Relative):
        return bound
    return replace(bound, value=resolve(bound.value, clock.now, clock.week_start))
