"""Days, weeks and hours, in time zones whose clocks are turned."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from stef.errors import UserError
from stef.stats.periods import By, Period, far_off, gaps, period_of, time_zone

OSLO = time_zone("Europe/Oslo")


def at(text: str) -> datetime:
    """A moment."""
    return datetime.fromisoformat(text)


def test_a_day_begins_at_midnight_of_its_zone() -> None:
    """23:30 in UTC is the next day in Oslo."""
    moment = at("2025-11-02T23:30:00+00:00")
    assert period_of(moment, By.DAY, UTC).label == "2025-11-02"
    assert period_of(moment, By.DAY, OSLO).label == "2025-11-03"


def test_a_naive_moment_is_read_in_the_zone() -> None:
    """Without a time zone a moment is one of the zone that is asked for."""
    assert period_of(at("2025-11-02T23:30:00"), By.DAY, OSLO).label == "2025-11-02"


def test_weeks_begin_on_monday() -> None:
    """Sunday belongs to the week that began on Monday, and the next week is one further, over a new year too."""
    sunday, monday = period_of(at("2025-12-28"), By.WEEK, UTC), period_of(at("2025-12-29"), By.WEEK, UTC)
    later = period_of(at("2026-01-05"), By.WEEK, UTC)
    assert (sunday.label, monday.label, later.label) == ("2025-12-22", "2025-12-29", "2026-01-05")
    assert (monday.number - sunday.number, later.number - monday.number) == (1, 1)


@pytest.mark.parametrize(("first", "hours"), [("2025-03-30", 23), ("2025-10-26", 25), ("2025-06-01", 24)])
def test_days_on_which_clocks_are_turned(first: str, hours: int) -> None:
    """A day of 23 or 25 hours is one day, with as many hours."""
    start = period_of(at(f"{first}T12:00:00"), By.DAY, OSLO).start.astimezone(UTC)
    moments = [start + timedelta(minutes=30 + 60 * hour) for hour in range(26)]
    inside = [moment for moment in moments if period_of(moment, By.DAY, OSLO).label == first]
    assert len(inside) == hours
    found = [period_of(moment, By.HOUR, OSLO) for moment in inside]
    assert len({period.label for period in found}) == hours
    assert [b.number - a.number for a, b in pairwise(found)] == [1] * (hours - 1)


def test_an_hour_that_comes_twice_is_two_periods() -> None:
    """The clocks show 02:30 twice, an hour apart; the offset tells them apart."""
    first, second = at("2025-10-26T00:30:00+00:00"), at("2025-10-26T01:30:00+00:00")
    labels = [period_of(moment, By.HOUR, OSLO).label for moment in (first, second)]
    assert labels == ["2025-10-26T02:00+02:00", "2025-10-26T02:00+01:00"]


def test_gaps_are_counted() -> None:
    """Between the 1st and the 5th lie three days without anything."""
    found = gaps(period_of(at(day), By.DAY, UTC) for day in ("2025-11-01", "2025-11-05", "2025-11-06"))
    assert [(gap.after.label, gap.before.label, gap.length) for gap in found] == [("2025-11-01", "2025-11-05", 3)]


def test_a_clock_that_is_wrong_is_named() -> None:
    """1970 and 2099 lie far off a month of 2025; a year's pause between two months does not."""
    month = [period_of(at("2025-11-01") + timedelta(days=day), By.DAY, UTC) for day in range(30)]
    first, last = (period_of(at(day), By.DAY, UTC) for day in ("1970-01-01", "2099-01-01"))
    assert far_off(sorted([first, *month, last])) == (first, last)
    later = [Period(one.number + 200, one.start + timedelta(days=200), one.by) for one in month]
    assert far_off([*month, *later]) == ()


@pytest.mark.parametrize("name", ["Mars/Phobos", "", "../etc/passwd", "CET+5"])
def test_unknown_time_zones_are_refused(name: str) -> None:
    """A name that is no time zone is the user's mistake, with an example of one."""
    with pytest.raises(UserError, match="Europe/Oslo"):
        time_zone(name)
