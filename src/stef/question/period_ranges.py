"""Ranges between two points of time: "between 2010 and 2012", "from March to June 2023", "2019 - 2021"."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from stef.question import period_calendar as cal
from stef.question.period_calendar import Stretch
from stef.question.period_relations import Relation, opening
from stef.question.period_types import Page, Periodic, Point
from stef.question.period_years import counts
from stef.records.predicates import Bound, Interval
from stef.records.record import record


@record(frozen=True, slots=True)
class Ranged:
    """A range as read, from word `first` to `last`; one of `interval` and `periodic` is set."""

    interval: Interval | None
    relation: Relation
    grain: str
    first: int
    last: int
    periodic: tuple[Periodic, ...] = ()
    certain: bool = True


_CONNECTORS = frozenset({"to", "through", "thru", "until", "till", "and"})
_DASHES = frozenset({"-", "–", "—"})
_NOW = frozenset({"now", "today", "present", "date", "currently"})
_FILLERS = frozenset({"the", "year", "in", "of", "end", "month"})
_LAST = {"HOUR": 23, "MONTH": 12, "QUARTER": 4, "WEEKDAY": 7, "DAY": 31}
_MEASURE_WORDS = """
    salary price population id weight capacity enrollment attendance score amount cost number count points budget height
    length horsepower distance size area elevation altitude value revenue income quantity rating level code zip
    """
_MEASURES = frozenset(_MEASURE_WORDS.split())


def year_range(page: Page, start: Point, points_at: Callable[[int], tuple[Point, ...]]) -> Ranged | None:
    """The range that begins with `start`, or None; `points_at` reads the point at a word."""
    before = opening(page, start.first - 1)
    if page.at(before) in {"years", "year", "both"}:
        before = opening(page, before - 1)
    prefix = page.at(before)
    target = _target(page, start.last, prefix)
    if target is None:
        return None
    first = before if prefix in {"between", "from", "in", "during", "for", "since"} else start.first
    if page.at(target) in _NOW and prefix == "from" and start.stretch:
        return Ranged(Interval(Bound(start.stretch.low, True), None), Relation.SINCE, start.grain, first, target)
    found = points_at(target) if target < len(page.words) else ()
    end = found[0] if found else _day_after(page, start, target)
    if end is None or _numbers(page, start, end, before):
        return None
    season = page.gap(start.last) == "/"
    if season and not (start.bare and end.bare and start.grain == end.grain == "year"):
        return None
    start, end = _lend(start, end)
    if start.stretch is None or end.stretch is None:
        return _comes_again(start, end, first, prefix)
    low, high = start.stretch, end.stretch
    if type(low.low) is type(high.low) is datetime and low.low > high.low:
        low, high = high, low
    last = Bound(high.low, True) if end.grain in {"second", "minute"} else Bound(high.high, False)
    interval = Interval(Bound(low.low, True), last)
    certain = start.certain and end.certain and not season and (prefix != "" or not start.bare or _modern(low, high))
    return Ranged(interval, Relation.BETWEEN, end.grain, first, end.last, certain=certain)


def _modern(low: Stretch, high: Stretch) -> bool:
    """Whether two numbers are most likely years of the present age."""
    ends = (low.low, high.low)
    return all(isinstance(one, datetime) and 1950 <= one.year <= 2050 for one in ends)


def _target(page: Page, last: int, prefix: str) -> int | None:
    """Where the second point begins, if word `last` is followed by a connector."""
    gap = page.gap(last)
    if gap in _DASHES or gap == "/":
        return last + 1
    connector = page.at(last + 1)
    if gap not in {"", ","} or connector not in _CONNECTORS or (connector == "and" and prefix != "between"):
        return None
    target = last + 2
    while page.at(target) in _FILLERS:
        target += 1
    return target


def _numbers(page: Page, start: Point, end: Point, before: int) -> bool:
    """Whether two bare years are rather numbers: they count what follows, or a measure stands before them."""
    if not (start.bare and end.bare and start.grain == end.grain == "year"):
        return False
    if any(
        isinstance(one.stretch.low, datetime) and one.stretch.low.year < 1600 for one in (start, end) if one.stretch
    ):
        return True
    nouns = {page.at(before - 1), page.at(before - 2) if page.at(before - 1) in {"is", "was", "of"} else ""}
    return counts(page, end.last) or not _MEASURES.isdisjoint(nouns - {""})


def _day_after(page: Page, start: Point, target: int) -> Point | None:
    """The second day of "March 5 to 9, 2021", or of "March 5 to 9"."""
    form = page.at(target)
    if start.grain != "day" or not form.isdecimal() or not 1 <= int(form[:3]) <= 31:
        return None
    month = next((one.low for one in start.periodic if one.part == "MONTH"), None)
    if month is None and start.stretch and isinstance(start.stretch.low, datetime):
        month = start.stretch.low.month
    year = page.at(target + 1)
    if month is None:
        return None
    if len(year) == 4 and year.isdecimal() and page.gap(target) in {"", ","}:
        stretch = cal.day(int(year), month, int(form))
        return Point(stretch, "day", target, target + 1) if stretch else None
    again = (Periodic("MONTH", month, month), Periodic("DAY", int(form), int(form)))
    return Point(None, "day", target, target, again, open_year=True)


def _lend(start: Point, end: Point) -> tuple[Point, Point]:
    """The year that one of two points has, the other takes: "from November to February 2023"."""
    if start.stretch is None and end.stretch and isinstance(end.stretch.low, datetime):
        lent = in_year(start.periodic, end.stretch.low.year)
        if lent and isinstance(lent.low, datetime) and lent.low > end.stretch.low:
            lent = in_year(start.periodic, end.stretch.low.year - 1)
        return replace(start, stretch=lent), end
    if end.stretch is None and start.stretch and isinstance(start.stretch.low, datetime):
        lent = in_year(end.periodic, start.stretch.low.year)
        if lent and isinstance(lent.low, datetime) and lent.low < start.stretch.low:
            lent = in_year(end.periodic, start.stretch.low.year + 1)
        return start, replace(end, stretch=lent)
    return start, end


def in_year(periodic: tuple[Periodic, ...], year: int) -> Stretch | None:
    """What comes again, once: in that year."""
    parts = {one.part: one.low for one in periodic}
    if "QUARTER" in parts:
        return cal.quarter_of(year, parts["QUARTER"])
    if "MONTH" not in parts:
        return None
    return cal.day(year, parts["MONTH"], parts["DAY"]) if "DAY" in parts else cal.month_of(year, parts["MONTH"])


def _comes_again(start: Point, end: Point, first: int, prefix: str) -> Ranged | None:
    """ "between March and June" of any year: one part that runs from one to the other."""
    if start.stretch or end.stretch:
        return None
    low, high = start.periodic[0], end.periodic[0]
    if len(start.periodic) != 1 or len(end.periodic) != 1:
        # Days of two months make no range of one part: their months ground it, and nothing requires it.
        part = Periodic(low.part, min(low.low, high.low), max(low.high, high.high))
        return Ranged(None, Relation.BETWEEN, end.grain, first, end.last, (part,), certain=False)
    if low.part != high.part or (start.bare and prefix == ""):
        return None
    if low.low > high.high:
        # It runs over the end of the day or year: only "to midnight" is one range.
        last = _LAST[low.part]
        midnight = low.part == "HOUR" and high.high == 0
        return Ranged(
            None, Relation.BETWEEN, end.grain, first, end.last, (Periodic(low.part, low.low, last),), certain=midnight
        )
    part = Periodic(low.part, low.low, high.high - (low.part == "HOUR" and high.high > low.low))
    return Ranged(None, Relation.BETWEEN, end.grain, first, end.last, (part,))
