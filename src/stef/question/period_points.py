"""Points of a calendar as written: dates, months, quarters, years, decades."""

import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from stef.question import period_calendar as cal
from stef.question.number_words import CURRENCY_WORDS, ORDINALS, UNITS
from stef.question.period_calendar import Stretch
from stef.question.period_types import Page, Periodic, Point

_MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
MONTHS: dict[str, int] = (
    {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
    | {name[:3]: number for number, name in enumerate(_MONTH_NAMES, 1)}
    | {"sept": 9}
)
_DOUBTFUL_MONTHS = frozenset({"may", "march", "mar", "dec", "jan", "jun", "august", "april", "june"})
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
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d|2100")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_QUARTER = re.compile(r"([qh])([1-4])")
_FISCAL = re.compile(r"fy(\d{4}|\d{2})?")
_DECADE = re.compile(r"(\d{2}|\d{4})s")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?\s?([ap])\.?m\b", re.IGNORECASE)
_CENTURY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
_FISCAL_WORDS = frozenset({"fiscal", "financial"})
_ORDINAL_DIGITS = {"1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "last": 4, "final": 4}
_NAMES_A_YEAR = frozenset({"year", "years"})
_FILLERS = frozenset({"of", "the", "in", "is", "was", "are", "were", "to", "equal", "equals"})
PEOPLE = frozenset(
    {"people", "persons", "employees", "users", "customers", "students", "members", "seats", "inhabitants"}
)


POINT_STARTERS: frozenset[str] = frozenset(
    {
        *MONTHS,
        *WEEKDAYS,
        *_DECADES,
        *_FISCAL_WORDS,
        *_NAMES_A_YEAR,
        *ORDINALS,
        *_ORDINAL_DIGITS,
        *(f"{letter}{part}" for letter in "qh" for part in "1234"),
    }
)
"""Words that a point can start with, but for digits and "FY"."""


def year_number(form: str) -> int | None:
    """The year that four digits can be, 1600 to 2100."""
    return int(form) if _YEAR.fullmatch(form) else None


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
    if form in _FISCAL_WORDS or form in _NAMES_A_YEAR:
        return _fiscal_or_year(page, index)
    if form in _DECADES and page.at(index - 1) in {"the", "early", "late", "mid"}:
        return _with(cal.years(_DECADES[form], 10, "decade"), index, index)
    if form in ORDINALS or form in _ORDINAL_DIGITS:
        return _part_of_year(page, index)
    if form[0] in "qhf":
        return _quarter_code(page, index)
    return None


def _with(stretch: Stretch | None, first: int, last: int) -> Point | None:
    return Point(stretch, stretch.grain, first, last) if stretch else None


def _from_digits(page: Page, index: int) -> Point | None:
    form = page.low[index]
    year = year_number(form)
    if year is not None and _QUARTER.fullmatch(page.at(index + 1)) and page.gap(index) in {"", "-"}:
        return _quarter_code(page, index + 1, index)
    if year is not None:
        return _with_bare(cal.year_of(year), index)
    if (clock := _CLOCK.match(page.text, page.words[index].span[0])) and int(clock[1]) <= 12:
        return _hour(page, index, clock)
    decade = _DECADE.fullmatch(form)
    if decade and form[-2] == "0":
        start = int(decade[1])
        whole = start > 100 and start % 100 == 0 and start < 2000
        start += 0 if start > 100 else 1900
        return _with(cal.years(start, 100 if whole else 10, "century" if whole else "decade"), index, index)
    if page.at(index + 1) == "century" and (century := _CENTURY.fullmatch(form)):
        return _with(cal.years(100 * (int(century[1]) - 1) + 1, 100, "century"), index, index + 1)
    number = _DAY.fullmatch(form)
    if number is None:
        return None
    after = index + 1
    if page.at(after) == "day" or page.at(after) == "of":
        after += 1 + (page.at(after) == "day" and page.at(after + 1) == "of")
    if page.at(after) in MONTHS and page.gap(index) in {"", "-", ","}:
        return _day_in_month(page, index, int(number[1]), after, after)
    return _part_of_year(page, index) if form in _ORDINAL_DIGITS else None


def _hour(page: Page, index: int, clock: re.Match[str]) -> Point:
    """ "5 pm", "9:30 a.m."; minutes are more than an hour can say."""
    hour = int(clock[1]) % 12 + (12 if clock[3].lower() == "p" else 0)
    last = index
    while last + 1 < len(page.words) and page.words[last + 1].span[0] < clock.end():
        last += 1
    return Point(None, "hour", index, last, (Periodic("HOUR", hour, hour),), certain=clock[2] in {None, "00"})


def _with_bare(stretch: Stretch | None, index: int) -> Point | None:
    point = _with(stretch, index, index)
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
    year, last = _year_after(page, index)
    if year is not None:
        point = _with(cal.month_of(year, month), index, last)
        # A number right before it was a day that the month does not have.
        impossible = _DAY.fullmatch(page.at(index - 1)) and page.gap(index - 1) == ""
        return replace(point, certain=False) if point and impossible else point
    if not page.words[index].text[0].isupper():
        if page.low[index] in {"may", "march", "mar", "dec", "jan", "jun"} and page.at(index - 1) not in {"in", "of"}:
            return None
        if len(page.low[index]) <= 4 and page.low[index] != "may" and page.at(index - 1) not in {"in", "of", "since"}:
            return None
    return Point(None, "month", index, index, (Periodic("MONTH", month, month),), bare=True, open_year=True)


def _year_after(page: Page, index: int) -> tuple[int | None, int]:
    """The year that follows word `index` ("2021", ", 2021", "of 2021", "'21"), and its place."""
    after = index + 1
    if page.at(after) in {"of", "in"} and page.gap(index) in {"", "."}:
        after += 1
        after += page.at(after) == "the" and page.at(after + 1) == "year"
        after += page.at(after) == "year"
    elif page.gap(index) not in {"", ",", ".", "-", "/", "'", "’", ".,"}:
        return None, index
    year = year_number(page.at(after))
    if year is not None and not counts(page, after):
        return year, after
    start = page.words[after].span[0] if after < len(page.words) else 0
    if start and page.text[start - 1] in "'’" and page.low[after].isdecimal() and len(page.low[after]) == 2:
        short = int(page.low[after])
        return (1900 if short >= 70 else 2000) + short, after
    return None, index


def counts(page: Page, index: int) -> bool:
    """Whether the number at `index` counts what follows it: "2000 dollars", "2000 people"."""
    after = page.at(index + 1)
    return page.gap(index) == "" and (after in CURRENCY_WORDS or after in PEOPLE or after in UNITS)


def _day_in_month(page: Page, first: int, number: int, month_at: int, last: int) -> Point | None:
    month = MONTHS[page.low[month_at]]
    year, last = _year_after(page, last)
    if year is not None:
        return _with(cal.day(year, month, number), first, last)
    if cal.day(2000, month, number) is None:
        return None
    comes_again = (Periodic("MONTH", month, month), Periodic("DAY", number, number))
    return Point(None, "day", first, last, comes_again, open_year=True)


def _weekday(page: Page, index: int) -> Point | None:
    form = page.low[index]
    low, high = WEEKDAYS[form]
    alone = not (index and page.words[index - 1].text[0].isupper() and page.gap(index - 1) == "" and index > 1)
    if not alone or (not form.endswith("s") and page.at(index - 1) not in {"on", "a", "every", "each", "the"}):
        return None
    return Point(None, "day", index, index, (Periodic("WEEKDAY", low, high),))


def _fiscal_or_year(page: Page, index: int) -> Point | None:
    """ "fiscal year 2023", "fiscal 2023", "fiscal Q3 2023"; "year 2014", "year is 2014"."""
    fiscal = page.low[index] in _FISCAL_WORDS
    after = index + 1
    if fiscal and _QUARTER.fullmatch(page.at(after)):
        return _quarter_code(page, after, index, fiscal=True)
    if fiscal and page.at(after) in _NAMES_A_YEAR:
        after += 1
    if not fiscal:
        while page.at(after) in _FILLERS and after < index + 4:
            after += 1
    year = year_number(page.at(after))
    if year is None or page.gap(after - 1) not in {"", "=", "==", ":", ","}:
        return None
    return _with(cal.year_of(year, page.calendar.fiscal_year_start_month if fiscal else 1), index, after)


def _quarter_code(page: Page, index: int, first: int | None = None, fiscal: bool = False) -> Point | None:
    """ "Q3 2022", "H1 of 2023", "Q3 FY2023", "FY2023", "FY 23"."""
    form = page.low[index]
    first = index if first is None else first
    code = _QUARTER.fullmatch(form)
    if code is None:
        year, last = _fiscal_year(page, index)
        return _with(cal.year_of(year, page.calendar.fiscal_year_start_month), first, last) if year else None
    part = int(code[2])
    if code[1] == "h" and part > 2:
        return None
    year, last = _year_after(page, index)
    if year is None:
        after = index + 1 + (page.at(index + 1) == "of")
        year, ahead = _fiscal_year(page, after)
        if year is not None:
            fiscal, last = True, ahead
    if year is None and index and year_number(page.at(index - 1)) and page.gap(index - 1) in {"", "-"}:
        year, first = year_number(page.at(index - 1)), index - 1
    return _year_part(page, (code[1], part), year, (first, last), fiscal)


def _fiscal_year(page: Page, index: int) -> tuple[int | None, int]:
    match = _FISCAL.fullmatch(page.at(index))
    if match is None:
        return None, index
    written, last = (match[1], index) if match[1] else (page.at(index + 1), index + 1)
    if not written.isdecimal() or len(written) not in {2, 4}:
        return None, index
    return (2000 + int(written) if len(written) == 2 else int(written)), last


def _part_of_year(page: Page, index: int) -> Point | None:
    """ "third quarter of 2022", "1st half of 2023", "second fiscal quarter of 2023", "twentieth century"."""
    form = page.low[index]
    part = ORDINALS.get(form) or _ORDINAL_DIGITS[form]
    after = index + 1
    if page.at(after) == "century" and part > 4:
        return _with(cal.years(100 * (part - 1) + 1, 100, "century"), index, after)
    fiscal = page.at(after) in _FISCAL_WORDS
    after += fiscal
    kind = {"quarter": "q", "half": "h", "semester": "h"}.get(page.at(after))
    if kind is None or part > 4:
        return None
    if kind == "h" and form in {"last", "final"}:
        part = 2
    year, last = _year_after(page, after)
    if year is None and page.at(after + 1) in {"of", "in"}:
        more = after + 2 + (page.at(after + 2) == "the")
        if page.at(more) in _FISCAL_WORDS and (point := _fiscal_or_year(page, more)):
            year, last, fiscal = year_number(page.at(point.last)), point.last, True
    if year is None and form in {"last", "final"}:
        return None
    return _year_part(page, (kind, part), year, (index, last), fiscal) if part <= (4 if kind == "q" else 2) else None


def _year_part(
    page: Page, code: tuple[str, int], year: int | None, words: tuple[int, int], fiscal: bool
) -> Point | None:
    kind, part = code
    if year is None and kind == "h":
        return None
    if year is None:
        return Point(None, "quarter", *words, (Periodic("QUARTER", part, part),), open_year=True)
    start = page.calendar.fiscal_year_start_month if fiscal else 1
    return _with(cal.quarter_of(year, part, start) if kind == "q" else cal.half_of(year, part, start), *words)
