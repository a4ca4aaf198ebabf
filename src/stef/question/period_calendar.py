"""Calendar arithmetic for periods: stretches of time with datetime or relative ends."""

from calendar import monthrange
from datetime import datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from stef.records.expressions import Relative
from stef.records.record import record


class Calendar(Protocol):
    """What the grammar asks of an application's calendar."""

    @property
    def fiscal_year_start_month(self) -> int:
        """1 to 12. A fiscal year has the name of the calendar year in which it ends."""
        ...

    @property
    def week_start(self) -> str:
        """`monday` or `sunday`."""
        ...

    @property
    def time_zone(self) -> str:
        """An IANA name; naive timestamps are read in it."""
        ...


@record(frozen=True, slots=True)
class PlainCalendar:
    """The calendar where the application has none of its own."""

    fiscal_year_start_month: int = 1
    week_start: str = "monday"
    time_zone: str = "UTC"


@record(frozen=True, slots=True)
class Stretch:
    """A half-open stretch of time; its ends are both `datetime` or both `Relative`.

    `grain` is the unit that named it.
    """

    low: datetime | Relative
    high: datetime | Relative
    grain: str


MONTHS_IN = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
SECONDS_IN = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
_MOST_UNITS = 10_000


def local(now: datetime, calendar: Calendar) -> datetime:
    """`now` as a naive time in the calendar's zone; a naive one is read as in it already, an unknown zone as UTC."""
    if now.tzinfo is None:
        return now
    try:
        zone = ZoneInfo(calendar.time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        zone = ZoneInfo("UTC")
    try:
        return now.astimezone(zone).replace(tzinfo=None)
    except OverflowError:
        return now.replace(tzinfo=None)


def shift(moment: datetime, unit: str, count: int) -> datetime:
    """`moment` moved by `count` units; a day that the month lacks becomes its last.

    Raises OverflowError off the calendar.
    """
    if unit in SECONDS_IN:
        return moment + timedelta(seconds=SECONDS_IN[unit] * count)
    months = moment.year * 12 + moment.month - 1 + MONTHS_IN[unit] * count
    year, month = divmod(months, 12)
    if not 1 <= year <= 9999:
        raise OverflowError
    return moment.replace(year=year, month=month + 1, day=min(moment.day, days_in(year, month + 1)))


def days_in(year: int, month: int) -> int:
    """How many days a month has."""
    return monthrange(year, month)[1]


def floor(moment: datetime, unit: str, week_start: str = "monday") -> datetime:
    """The start of the `unit` that `moment` lies in."""
    if unit == "second":
        return moment.replace(microsecond=0)
    if unit == "minute":
        return moment.replace(second=0, microsecond=0)
    if unit == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "week":
        since = day.weekday() if week_start == "monday" else (day.weekday() + 1) % 7
        return day - timedelta(days=since)
    if unit == "day":
        return day
    if unit == "month":
        return day.replace(day=1)
    if unit == "quarter":
        return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
    if unit == "year":
        return day.replace(month=1, day=1)
    return day.replace(year=max(1, day.year - day.year % 10), month=1, day=1)


def resolve(point: Relative, now: datetime, week_start: str) -> datetime:
    """The moment that `point` stands for at `now`. Raises OverflowError off the calendar."""
    moment = shift(now, point.unit, point.offset)
    return floor(moment, point.floor, week_start) if point.floor else moment


def relative(low: Relative, high: Relative, grain: str, now: datetime | None, calendar: Calendar) -> Stretch | None:
    """A stretch between two relative points, resolved where there is a clock; None where it leaves the calendar."""
    if max(abs(low.offset), abs(high.offset)) > _MOST_UNITS:
        return None
    if now is None:
        return Stretch(low, high, grain)
    try:
        return Stretch(resolve(low, now, calendar.week_start), resolve(high, now, calendar.week_start), grain)
    except OverflowError:
        return None


def units(unit: str, first: int, count: int, now: datetime | None, calendar: Calendar) -> Stretch | None:
    """`count` whole units from the `first` one after the present one (-1: the last) on."""
    factor, base = (10, "year") if unit == "decade" else (1, unit)
    low, high = Relative(base, first * factor, unit), Relative(base, (first + count) * factor, unit)
    if unit == "decade" and now is None:
        return None
    return relative(low, high, unit, now, calendar)


def fiscal_units(unit: str, first: int, count: int, now: datetime | None, calendar: Calendar) -> Stretch | None:
    """As `units`, in fiscal years and quarters; None without a clock where fiscal and calendar years differ."""
    offset = (calendar.fiscal_year_start_month - 1) % 12
    if offset == 0 or unit not in {"year", "quarter"}:
        return units(unit, first, count, now, calendar)
    if now is None:
        return None
    try:
        # A fiscal year that starts in April is a calendar year, looked at three months later.
        start = shift(floor(shift(now, "month", -offset), unit), unit, first)
        return Stretch(shift(start, "month", offset), shift(shift(start, unit, count), "month", offset), unit)
    except OverflowError:
        return None


def day(year: int, month: int, number: int) -> Stretch | None:
    """One day, or None where there is no such day."""
    return _stretch(year, month, number, "day")


def month_of(year: int, month: int) -> Stretch | None:
    """One month."""
    return _stretch(year, month, 1, "month")


def quarter_of(year: int, quarter: int, fiscal_start: int = 1) -> Stretch | None:
    """One quarter of a (fiscal) year."""
    return _part_of_year(year, 3 * (quarter - 1), "quarter", 3, fiscal_start)


def half_of(year: int, half: int, fiscal_start: int = 1) -> Stretch | None:
    """One half of a (fiscal) year; its grain is "half"."""
    return _part_of_year(year, 6 * (half - 1), "half", 6, fiscal_start)


def year_of(year: int, fiscal_start: int = 1) -> Stretch | None:
    """One (fiscal) year."""
    return _part_of_year(year, 0, "year", 12, fiscal_start)


def years(first: int, count: int, grain: str) -> Stretch | None:
    """`count` years from `first` on: a decade, a century."""
    return _part_of_year(first, 0, grain, 12 * count, 1)


def _part_of_year(year: int, after: int, grain: str, months: int, fiscal_start: int) -> Stretch | None:
    start = _stretch(year - (fiscal_start > 1), fiscal_start, 1, "month")
    if start is None or not isinstance(start.low, datetime):
        return None
    try:
        low = shift(start.low, "month", after)
        return Stretch(low, shift(low, "month", months), grain)
    except OverflowError:
        return None


def _stretch(year: int, month: int, number: int, grain: str) -> Stretch | None:
    try:
        low = datetime(year, month, number)
    except ValueError:
        return None
    try:
        return Stretch(low, shift(low, grain, 1), grain)
    except OverflowError:
        return Stretch(low, datetime.max, grain)


def moment(at: datetime, grain: str) -> Stretch:
    """One minute or second of a clock."""
    return Stretch(at, at + timedelta(seconds=SECONDS_IN[grain]), grain)
