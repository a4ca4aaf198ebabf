"""Days, weeks and hours of a time zone: in which one a moment lies, and how many lie between two."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum
from itertools import pairwise
from typing import assert_never
from zoneinfo import ZoneInfo

from stef.errors import UserError

_WEEK = 7
_LONGEST_GAP, _FARTHEST = 10, 30
"""What is so many times as far away as the rest is long, and so many periods, makes a clock look wrong."""


class By(StrEnum):
    """How long a period is."""

    DAY = "day"
    WEEK = "week"
    HOUR = "hour"


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """One day, week (from Monday) or hour. `start` is its first moment, in the time zone that it is a period of.

    `number` counts periods: of two, the difference of their numbers is how far they lie apart, also over a change of
    the clocks. An hour that the clocks show twice is two periods.
    """

    number: int
    start: datetime
    by: By

    @property
    def label(self) -> str:
        """Its name: 2025-11-03 for a day and for the week that it begins, 2025-11-03T14:00+01:00 for an hour."""
        if self.by is By.HOUR:
            return self.start.isoformat(timespec="minutes")
        return self.start.date().isoformat()


def time_zone(name: str) -> tzinfo:
    """The time zone of this IANA name. Raises UserError where there is none."""
    try:
        return UTC if name.upper() == "UTC" else ZoneInfo(name)
    except (KeyError, OSError, ValueError) as error:
        raise UserError(
            f"no time zone {name!r}: name one as in Europe/Oslo, America/New_York, UTC "
            "(where a machine knows none at all: pip install tzdata)"
        ) from error


def period_of(moment: datetime, by: By, zone: tzinfo) -> Period:
    """The period in which `moment` lies; one without a time zone is read in `zone`."""
    local = moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)
    match by:
        case By.DAY:
            return Period(local.toordinal(), _midnight(local.date(), zone), by)
        case By.WEEK:
            monday = local.date() - timedelta(days=local.weekday())
            return Period((monday.toordinal() - 1) // _WEEK, _midnight(monday, zone), by)
        case By.HOUR:
            # `fold` is kept: it tells the two hours apart that the clocks show when they are turned back.
            start = local.replace(minute=0, second=0, microsecond=0)
            return Period(int(start.timestamp() // 3600), start, by)
        case _:
            assert_never(by)


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=zone)


@dataclass(frozen=True, slots=True)
class Gap:
    """`length` periods in a row in which there is nothing, between `after` and `before`."""

    after: Period
    before: Period
    length: int


def gaps(periods: Iterable[Period]) -> tuple[Gap, ...]:
    """The gaps between `periods`, which are in order."""
    ordered = list(periods)
    return tuple(Gap(a, b, b.number - a.number - 1) for a, b in pairwise(ordered) if b.number - a.number > 1)


def far_off(periods: Iterable[Period]) -> tuple[Period, ...]:
    """Periods, given in order, that lie so far from the middle four fifths of them that their clock may be wrong."""
    ordered = list(periods)
    if len(ordered) < 3:
        return ()
    cut = max(1, len(ordered) // 10)
    first, last = ordered[cut].number, ordered[-1 - cut].number
    far = max(_FARTHEST, _LONGEST_GAP * (last - first + 1))
    return tuple(one for one in ordered if one.number < first - far or one.number > last + far)
