"""Points of a calendar as written: dates, months, quarters, years, decades."""

import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from stef.question import period_calendar as cal
from stef.question.number_words import ORDINALS
from stef.question.period_calendar import Stretch
from stef.question.period_quarters import (
    FISCAL_WORDS,
    ORDINAL_DIGITS,
    QUARTER_CODE,
    YEAR_NAMES,
    fiscal_or_year,
    part_of_year,
    quarter_code,
)
from stef.question.period_types import Page, Periodic, Point
from stef.question.period_years import named, year_after, year_number

_MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
MONTHS: dict[str, int] = (
    {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
    | {name[:3]: number for number, name in enumerate(_MONTH_NAMES, 1)}
    | {"sept": 9}
)
_WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS: dict[str, tuple[int, int]] = (
    {name: (number, number) for number, name in enumerate(_WEEKDAY_NAMES, 1)}
    | {f"{name}s": (number, number) for number, name in enumerate(_WEEKDAY_NAMES, 1)}
    | {"weekend": (6, 7), "weekends": (6, 7), "weekdays": (1, 5), "weekday": (1, 5)}
)
_DECADES = {f"{word}ies": 1900 + 10 * tens for tens, word in enumerate(("twent", "thirt", "fort", "fift"), 2)} | {
    f"{word}ies": 1900 + 10 * tens for tens, word in enumerate(("sixt", "sevent", "eight", "ninet"), 6)
}
_NUMERIC = re.compile(
    r"(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})"
    r"(?:[T ](?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![-/\d])"
    r"|(?P<a>\d{1,2})(?P<t>[-/.])(?P<b>\d{1,2})(?P=t)(?P<yy>\d{4}|\d{2})(?![-/\d])"
    r"|(?P<ym>\d{4})[-/](?P<mm>\d{1,2})(?![-/\d])"
    r"|(?P<my>\d{1,2})/(?P<yr>\d{4})(?![-/\d])"
)
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_DECADE = re.compile(r"(\d{2}|\d{4})s")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?\s?([ap])\.?m\b", re.IGNORECASE)
_OF_A_LIFE = frozenset({"their", "his", "her", "aged", "age", "ages"})
_CENTURY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
POINT_STARTERS: frozenset[str] = frozenset(
    {
        *MONTHS,
        *WEEKDAYS,
        *_DECADES,
        *FISCAL_WORDS,
        *YEAR_NAMES,
        *ORDINALS,
        *ORDINAL_DIGITS,
        *(f"{letter}{part}" for letter in "qh" for part in "1234"),
    }
)
"""Words that a point can start with, but for digits and "FY"."""


def numeric_dates(page: Page, index: int) -> tuple[Point, ...]:
    """The date in digits that starts at word `index`; two readings, both uncertain, where day and month can swap."""
    match = _NUMERIC.match(page.text, page.words[index].span[0])
    if match is None:
        return ()
    last = index
    while last + 1 < len(page.words) and page.words[last + 1].span[0] < match.end():
        last += 1
    part = match.groupdict()
    found: tuple[Stretch | None, ...]
    if part["y"]:
        found = (_at_time(cal.day(int(part["y"]), int(part["m"]), int(part["d"])), part),)
    elif part["yy"]:
        found = _day_month_year(int(part["a"]), int(part["b"]), part["yy"])
    elif part["ym"]:
        return _year_and_month(int(part["ym"]), part["mm"], index, last)
    else:
        found = (cal.month_of(int(part["yr"]), int(part["my"])),)
    stretches = [one for one in found if one]
    sure = len(stretches) == 1
    return tuple(Point(one, one.grain, index, last, certain=sure) for one in stretches)


def _at_time(day: Stretch | None, part: dict[str, Any]) -> Stretch | None:
    """The minute or second of a day, where a time is written; a time that no clock shows gives the day."""
    if day is None or part["hour"] is None or not isinstance(day.low, datetime):
        return day
    try:
        at = day.low.replace(hour=int(part["hour"]), minute=int(part["minute"]), second=int(part["second"] or 0))
        return cal.moment(at, "second" if part["second"] else "minute")
    except (ValueError, OverflowError):
        return day


def _day_month_year(a: int, b: int, written_year: str) -> tuple[Stretch | None, ...]:
    year = int(written_year)
    if len(written_year) == 2:
        year += 1900 if year >= 70 else 2000
    readings = (cal.day(year, a, b), cal.day(year, b, a))
    return readings[:1] if a == b else readings


def _year_and_month(year: int, written: str, index: int, last: int) -> tuple[Point, ...]:
    """ "2012/8" is a month, "2014-15" a span of two years, "2010-11" may be either."""
    month = cal.month_of(year, int(written))
    season = cal.years(year, 2, "year") if int(written) == (year + 1) % 100 and len(written) == 2 else None
    found = [one for one in (month, season) if one]
    sure = month is not None and season is None
    return tuple(Point(one, one.grain, index, last, certain=sure) for one in found)


def named_point(page: Page, index: int) -> Point | None:
    """The point in words that starts at word `index`, or None."""
    form = page.low[index]
    if form in MONTHS:
        return _month(page, index)
    if form[0].isdecimal():
        return _from_digits(page, index)
    if form in WEEKDAYS:
        return _weekday(page, index)
    if form in FISCAL_WORDS or form in YEAR_NAMES:
        return fiscal_or_year(page, index)
    if form in _DECADES and page.at(index - 1) in {"the", "early", "late", "mid"}:
        return named(cal.years(_DECADES[form], 10, "decade"), index, index)
    if form in ORDINALS or form in ORDINAL_DIGITS:
        return part_of_year(page, index)
    if form[0] in "qhf":
        return quarter_code(page, index)
    return None


def _from_digits(page: Page, index: int) -> Point | None:
    form = page.low[index]
    year = year_number(form)
    if year is not None and QUARTER_CODE.fullmatch(page.at(index + 1)) and page.gap(index) in {"", "-"}:
        return quarter_code(page, index + 1, index)
    if year is not None:
        return _with_bare(cal.year_of(year), index)
    if (clock := _CLOCK.match(page.text, page.words[index].span[0])) and int(clock[1]) <= 12:
        return _hour(page, index, clock)
    decade = _DECADE.fullmatch(form)
    if decade and form[-2] == "0" and page.at(index - 1) in _OF_A_LIFE:
        return None
    if decade and form[-2] == "0":
        start = int(decade[1])
        whole = start > 100 and start % 100 == 0 and start < 2000
        start += 0 if start > 100 else 1900
        return named(cal.years(start, 100 if whole else 10, "century" if whole else "decade"), index, index)
    if page.at(index + 1) == "century" and (century := _CENTURY.fullmatch(form)):
        return named(cal.years(100 * (int(century[1]) - 1) + 1, 100, "century"), index, index + 1)
    number = _DAY.fullmatch(form)
    if number is None:
        return None
    after = index + 1
    if page.at(after) == "day" or page.at(after) == "of":
        after += 1 + (page.at(after) == "day" and page.at(after + 1) == "of")
    if page.at(after) in MONTHS and page.gap(index) in {"", "-", ","}:
        return _day_in_month(page, index, int(number[1]), after, after)
    return part_of_year(page, index) if form in ORDINAL_DIGITS else None


def _hour(page: Page, index: int, clock: re.Match[str]) -> Point:
    """ "5 pm", "9:30 a.m."; minutes are more than an hour can say."""
    hour = int(clock[1]) % 12 + (12 if clock[3].lower() == "p" else 0)
    last = index
    while last + 1 < len(page.words) and page.words[last + 1].span[0] < clock.end():
        last += 1
    return Point(None, "hour", index, last, (Periodic("HOUR", hour, hour),), certain=clock[2] in {None, "00"})


def _with_bare(stretch: Stretch | None, index: int) -> Point | None:
    point = named(stretch, index, index)
    return replace(point, bare=True) if point else None


def _month(page: Page, index: int) -> Point | None:
    month = MONTHS[page.low[index]]
    number = _DAY.fullmatch(page.at(index + 1))
    if page.at(index + 1) == "the":
        number = _DAY.fullmatch(page.at(index + 2))
    if number and 1 <= int(number[1]) <= 31 and page.gap(index) in {"", ".", "-"}:
        last = index + 1 + (page.at(index + 1) == "the")
        short = page.gap(index) == "" and page.text[page.words[index].span[1] :].lstrip().startswith(("'", "’"))
        if not short:
            return _day_in_month(page, index, int(number[1]), index, last)
    year, last = year_after(page, index)
    if year is not None:
        point = named(cal.month_of(year, month), index, last)
        # A number right before it was a day that the month does not have.
        impossible = _DAY.fullmatch(page.at(index - 1)) and page.gap(index - 1) == ""
        return replace(point, certain=False) if point and impossible else point
    if not page.words[index].text[0].isupper():
        if page.low[index] in {"may", "march", "mar", "dec", "jan", "jun"} and page.at(index - 1) not in {"in", "of"}:
            return None
        if len(page.low[index]) <= 4 and page.low[index] != "may" and page.at(index - 1) not in {"in", "of", "since"}:
            return None
    return Point(None, "month", index, index, (Periodic("MONTH", month, month),), bare=True, open_year=True)


def _day_in_month(page: Page, first: int, number: int, month_at: int, last: int) -> Point | None:
    month = MONTHS[page.low[month_at]]
    year, last = year_after(page, last)
    if year is not None:
        return named(cal.day(year, month, number), first, last)
    if cal.day(2000, month, number) is None:
        return None
    comes_again = (Periodic("MONTH", month, month), Periodic("DAY", number, number))
    return Point(None, "day", first, last, comes_again, open_year=True)


def _weekday(page: Page, index: int) -> Point | None:
    form = page.low[index]
    low, high = WEEKDAYS[form]
    alone = not (index and page.words[index - 1].text[0].isupper() and page.gap(index - 1) == "" and index > 1)
    opener = page.at(index - 1) if page.at(index - 1) not in {"a", "the"} else page.at(index - 2)
    if not alone or (not form.endswith("s") and opener not in {"on", "every", "each"}):
        return None
    return Point(None, "day", index, index, (Periodic("WEEKDAY", low, high),))
