"""A RUN over time: turns put into periods whose length fits the span."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import sqrt

_Z95 = 1.959964
_HOURS, _DAYS, _WEEKS = timedelta(days=2), timedelta(days=45), timedelta(days=366)
_MONTHS = timedelta(days=366 * 20)


@dataclass(frozen=True, slots=True)
class Period:
    """The turns of one period. `low`, `high`: the 95 % interval of the mean (normal; turns taken as independent).

    A period without a scored turn has no mean: a gap, never 0.
    """

    start: datetime
    label: str
    turns: int
    scored: int
    mean: float | None
    low: float | None
    high: float | None


@dataclass(slots=True)
class Running:
    """Count, sum and sum of squares of one period."""

    turns: int = 0
    scored: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, score: float | None) -> None:
        """Count one turn."""
        self.turns += 1
        if score is not None:
            self.scored += 1
            self.total += score
            self.squares += score * score

    def period(self, start: datetime, label: str) -> Period:
        """What it comes to."""
        if not self.scored:
            return Period(start, label, self.turns, 0, None, None, None)
        mean = self.total / self.scored
        if self.scored < 2:
            return Period(start, label, self.turns, 1, mean, None, None)
        variance = max(0.0, (self.squares - self.scored * mean * mean) / (self.scored - 1))
        half = _Z95 * sqrt(variance / self.scored)
        return Period(start, label, self.turns, self.scored, mean, max(0.0, mean - half), min(100.0, mean + half))


@dataclass(frozen=True, slots=True)
class Calendar:
    """How time is cut: the name of a period's length, its start for a moment, the start after it, and its label."""

    unit: str
    start: Callable[[datetime], datetime]
    after: Callable[[datetime], datetime]
    label: Callable[[datetime], str]


def calendar_of(first: datetime, last: datetime) -> Calendar:
    """The calendar of a span: hours up to two days, days up to 45, weeks up to a year, months up to 20 years, years."""
    span = last - first
    if span <= _HOURS:
        return Calendar("hour", _hour, lambda at: at + timedelta(hours=1), lambda at: f"{at:%d %b %H}h")
    if span <= _DAYS:
        return Calendar("day", _day, lambda at: at + timedelta(days=1), lambda at: f"{at:%d %b}")
    if span <= _WEEKS:
        return Calendar("week", _week, lambda at: at + timedelta(days=7), lambda at: f"{at:%d %b}")
    if span <= _MONTHS:
        return Calendar("month", _month, _next_month, lambda at: f"{at:%b %Y}")
    return Calendar("year", _year, lambda at: at.replace(year=at.year + 1), lambda at: f"{at.year}")


def in_order(calendar: Calendar, held: Mapping[datetime, Running], span: tuple[datetime, datetime]) -> Iterator[Period]:
    """All periods from the first to the last of `span`; those without turns are there, and empty."""
    at, last = span
    while True:
        yield held.get(at, Running()).period(at, calendar.label(at))
        # Asked before the next one is made: after the last year that there is comes none.
        if at >= last:
            return
        at = calendar.after(at)


def moment(microseconds: int) -> datetime:
    """A moment in UTC."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)


def _hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)


def _day(at: datetime) -> datetime:
    return _hour(at).replace(hour=0)


def _week(at: datetime) -> datetime:
    day = _day(at)
    return day - timedelta(days=day.weekday())


def _month(at: datetime) -> datetime:
    return _day(at).replace(day=1)


def _year(at: datetime) -> datetime:
    return _month(at).replace(month=1)


def _next_month(at: datetime) -> datetime:
    return _month(_month(at) + timedelta(days=32))
