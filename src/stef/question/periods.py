"""Period phrases of a question as half-open intervals: an own closed grammar."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from stef.records.expressions import Span
from stef.records.predicates import Bound, Interval
from stef.records.reading import Word


class Calendar(Protocol):
    """What the grammar asks of an application's calendar."""

    @property
    def fiscal_year_start_month(self) -> int:
        """1 to 12."""
        ...

    @property
    def week_start(self) -> str:
        """`monday` or `sunday`."""
        ...

    @property
    def time_zone(self) -> str:
        """An IANA name; naive timestamps are read in it."""
        ...


@dataclass(frozen=True, slots=True)
class PlainCalendar:
    """The calendar where the application has none of its own."""

    fiscal_year_start_month: int = 1
    week_start: str = "monday"
    time_zone: str = "UTC"


class Relation(StrEnum):
    """How the rows stand to the period that was named. `interval` already holds its effect."""

    IN = "in"
    BEFORE = "before"
    AFTER = "after"
    SINCE = "since"
    UNTIL = "until"
    BETWEEN = "between"


@dataclass(frozen=True, slots=True)
class Periodic:
    """A part of dates that comes again: `part` (MONTH, DAY, WEEKDAY, HOUR, QUARTER), `low` to `high` inclusive.

    WEEKDAY: Monday is 1, Sunday 7. "in March" is ("MONTH", 3, 3).
    """

    part: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class PeriodMention:
    """A period as written.

    `interval` is what the rows must lie in, with naive `datetime` bounds in the calendar's time zone, or `Relative`
    bounds where there is no clock; "since March 2023" has no upper end, "before 1990" no lower one. It is None where
    the period only comes again (`periodic`). `grain` is the unit that was named (year, quarter, month, week, day,
    hour, minute, second). `first`, `last` are the places of its first and last word. An ambiguous date gives one
    mention a reading, none of them `certain`.
    """

    text: str
    span: Span
    interval: Interval | None
    relation: Relation
    grain: str
    first: int
    last: int
    periodic: tuple[Periodic, ...] = ()
    certain: bool = True


def find_periods(
    text: str,  # noqa: ARG001
    words: Sequence[Word],
    now: datetime | None = None,  # noqa: ARG001
    calendar: Calendar | None = None,  # noqa: ARG001
) -> tuple[PeriodMention, ...]:
    """The periods that `text` names, in order. `now` is the turn's clock; without it relative ones stay relative."""
    found = []
    for index, word in enumerate(words[1:], 1):
        if word.text.isdigit() and len(word.text) == 4 and words[index - 1].stem in {"in", "year"}:
            year = int(word.text)
            interval = Interval(Bound(datetime(year, 1, 1), True), Bound(datetime(year + 1, 1, 1), False))
            found.append(PeriodMention(word.text, word.span, interval, Relation.IN, "year", index, index))
    return tuple(found)
