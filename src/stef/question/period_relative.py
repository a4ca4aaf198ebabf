"""Periods relative to now: "last month", "the past 7 days", "3 weeks ago", "year to date", "yesterday"."""

from dataclasses import replace

from stef.question import period_calendar as cal
from stef.question.number_words import CARDINALS
from stef.question.period_calendar import Stretch
from stef.question.period_points import MONTHS, WEEKDAYS
from stef.question.period_types import Page, Point
from stef.records.expressions import Relative

_UNITS = {
    form: unit
    for unit in ("second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade")
    for form in (unit, f"{unit}s")
} | {"fortnight": "fortnight", "fortnights": "fortnight"}
_PAST = frozenset({"last", "past", "previous", "prior", "preceding", "recent", "latest", "trailing"})
_PRESENT = frozenset({"this", "current", "present"})
_COMING = frozenset({"next", "coming", "upcoming"})
_DAYS = {"today": 0, "yesterday": -1, "tomorrow": 1}
_TO_DATE = {"ytd": "year", "qtd": "quarter", "mtd": "month"}
_WHOLE = frozenset({"full", "complete", "whole", "calendar", "completed"})
_COMPARED = frozenset({"than", "to", "with", "versus", "vs", "against", "from", "over"})
OPENERS: frozenset[str] = frozenset({*_PAST, *_PRESENT, *_COMING, *_DAYS, *_TO_DATE, "ago", "date"})
"""Words that a relative period needs."""
RELATIVE_STARTERS: frozenset[str] = (OPENERS | _UNITS.keys()) - {"ago", "date"}
"""Words that a relative period starts with, but for those with "ago": they start with any count."""


def relative_point(page: Page, index: int) -> Point | None:
    """The relative period whose first word stands at `index`, or None."""
    form = page.low[index]
    if form in _DAYS:
        return _units(page, "day", (_DAYS[form], 1), (index, index))
    if form in _TO_DATE:
        return _since_start(page, _TO_DATE[form], (index, index))
    if form in _UNITS and page.at(index + 1) == "to" and page.at(index + 2) == "date":
        return _since_start(page, _UNITS[form], (index, index + 2))
    if form in _PAST or form in _PRESENT or form in _COMING:
        return _shifted(page, index)
    return _ago(page, index)


def _units(page: Page, unit: str, which: tuple[int, int], words: tuple[int, int], fiscal: bool = False) -> Point | None:
    first, count = which
    stretch = (cal.fiscal_units if fiscal else cal.units)(unit, first, count, page.now, page.calendar)
    return Point(stretch, unit, *words) if stretch else None


def _since_start(page: Page, unit: str, words: tuple[int, int]) -> Point | None:
    point = _units(page, unit, (0, 1), words)
    return replace(point, trailing=True) if point else None


def _shifted(page: Page, index: int) -> Point | None:
    """ "last month", "past 7 days", "next two weeks", "this fiscal year", "last March"."""
    form = page.low[index]
    after = index + 1
    count = _count(page.at(after))
    after += count is not None
    whole = page.at(after) in _WHOLE
    after += whole
    fiscal = page.at(after) in {"fiscal", "financial"}
    after += fiscal
    unit = _UNITS.get(page.at(after))
    if unit is None:
        return _last_named(page, index) if count is None and form in {"last", "this"} else None
    if count is None and (page.at(after + 1) in {"of", "name", "names"} or form in {"recent", "latest"}):
        return None
    words = (index, after)
    if form in _PRESENT:
        return _units(page, unit, (0, 1), words, fiscal) if count is None else None
    if form in _COMING:
        return _units(page, unit, (0 if count and unit == "day" else 1, count or 1), words, fiscal)
    return _past(page, unit, (count, whole), words, fiscal)


def _past(
    page: Page, unit: str, how_many: tuple[int | None, bool], words: tuple[int, int], fiscal: bool
) -> Point | None:
    """ "last month" is the whole month before this one, "the past month" the month that ends now."""
    form = page.low[words[0]]
    count, whole = how_many
    with_article = page.at(words[0] - 1) == "the"
    if unit in {"day", "fortnight"} and count is None and unit == "day":
        return None
    complete = whole or fiscal or unit == "quarter"
    if complete or (count is None and form not in {"past", "trailing"}):
        point = _units(page, unit, (-(count or 1), count or 1), words, fiscal)
        if point is None:
            return None
        doubtful = with_article and not complete and form == "last"
        compared = form in {"previous", "prior", "preceding"} and page.at(words[0] - 1 - with_article) in _COMPARED
        return replace(point, certain=not (doubtful or compared))
    return _trailing(page, unit, count or 1, words)


def _trailing(page: Page, unit: str, count: int, words: tuple[int, int]) -> Point | None:
    """The `count` units that end now."""
    stretch = _until_now(page, unit, count)
    return Point(stretch, unit, *words, trailing=True) if stretch else None


def _until_now(page: Page, unit: str, count: int) -> Stretch | None:
    base, factor = {"decade": ("year", 10), "fortnight": ("week", 2)}.get(unit, (unit, 1))
    floor = None if base in {"second", "minute", "hour"} else "day"
    low, high = Relative(base, -count * factor, floor), Relative("day", 0, None)
    return cal.relative(low, high, base, page.now, page.calendar)


def _last_named(page: Page, index: int) -> Point | None:
    """ "last March", "last Friday": only a clock says which."""
    name = page.at(index + 1)
    now = page.now
    if now is None:
        return None
    if name in MONTHS and page.words[index + 1].text[0].isupper():
        this_year = page.low[index] == "this"
        year = now.year if this_year or MONTHS[name] < now.month else now.year - 1
        stretch = cal.month_of(year, MONTHS[name])
        return Point(stretch, "month", index, index + 1) if stretch else None
    if name in WEEKDAYS and WEEKDAYS[name][0] == WEEKDAYS[name][1] and page.low[index] == "last":
        back = (now.isoweekday() - WEEKDAYS[name][0]) % 7 or 7
        return _units(page, "day", (-back, 1), (index, index + 1))
    return None


def _ago(page: Page, index: int) -> Point | None:
    """ "3 days ago" is that day; "more than a year ago" and "less than 2 weeks ago" are read by its relation."""
    unit = _UNITS.get(page.at(index + 1))
    count = _count(page.low[index])
    if unit is None or count is None or page.at(index + 2) != "ago":
        return None
    base, factor = {"decade": ("year", 10), "fortnight": ("week", 2)}.get(unit, (unit, 1))
    return _units(page, base, (-count * factor, 1), (index, index + 2))


def ago_bound(page: Page, point: Point) -> Stretch | None:
    """From the moment that "3 days ago" names up to now."""
    unit, count = _UNITS.get(page.at(point.first + 1)), _count(page.low[point.first])
    return _until_now(page, unit, count) if unit and count is not None else None


def _count(form: str) -> int | None:
    """A small count, in digits or one word."""
    if form.isdecimal() and len(form) <= 4:
        return int(form)
    if form in {"a", "an"}:
        return 1
    return 2 if form == "couple" else CARDINALS.get(form)
