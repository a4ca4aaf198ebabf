"""Period phrases of a question as half-open intervals: an own closed grammar."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from stef.question import period_calendar as cal
from stef.question.period_bare_years import is_year
from stef.question.period_calendar import Calendar, PlainCalendar, Stretch
from stef.question.period_points import MONTHS, POINT_STARTERS, WEEKDAYS, named_point, numeric_dates
from stef.question.period_ranges import Ranged, in_year, year_range
from stef.question.period_relations import Related, Relation, relate
from stef.question.period_relative import OPENERS, RELATIVE_STARTERS, ago_bound, relative_point
from stef.question.period_types import Page, Periodic, Point
from stef.records.expressions import Span
from stef.records.predicates import Bound, Interval
from stef.records.reading import Word
from stef.records.record import record

__all__ = ["Calendar", "PeriodMention", "Periodic", "PlainCalendar", "Relation", "find_periods"]


@record(frozen=True, slots=True)
class PeriodMention:
    """A period as written, the word of its relation included ("since March 2023").

    `interval` is what the rows must lie in, the relation's effect included, with naive `datetime` ends in the
    calendar's time zone, or `Relative` ones where there is no clock; None is an open end ("since", and "the past 7
    days", which end now). It is None as a whole where the period only comes again: then `periodic` holds. `negated`:
    the rows must lie outside. `grain` is the unit that was named: second, minute, hour, day, week, month, quarter,
    half, year, decade, century. `first`, `last` are the places of its first and last word. An ambiguous date gives one
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
    negated: bool = False
    certain: bool = True


_TRIGGER = re.compile(r"\d{4}|\d[-/.]\d|\d0s\b|\b[QqHh][1-4]\b|\b[Ff][Yy]|\d\s?[AaPp]\.?[Mm]\b")
_WORDS = frozenset({*MONTHS, *WEEKDAYS, *OPENERS, "quarter", "half", "nineties", "eighties", "seventies", "century"})
_STARTERS = frozenset({*POINT_STARTERS, *RELATIVE_STARTERS})
_PARTS = frozenset(
    {"summer", "winter", "spring", "autumn", "fall", "week", "weekend", "middle", "rest", "part", "most"}
)
_FULL_MONTHS = frozenset(
    {"in", "during", "for", "of", "since", "until", "till", "before", "after", "by", "every", "each"}
)


def find_periods(
    text: str, words: Sequence[Word], now: datetime | None = None, calendar: Calendar | None = None
) -> tuple[PeriodMention, ...]:
    """The periods that `text` names, in order; `words` are its words.

    `now` is the turn's own clock: without it relative periods stay relative. A naive one is read in the calendar's
    time zone.
    """
    low = [word.text.lower() for word in words]
    if _WORDS.isdisjoint(low) and _TRIGGER.search(text) is None:
        return ()
    calendar = calendar or PlainCalendar()
    page = Page(text, words, low, cal.local(now, calendar) if now else None, calendar)
    found: list[PeriodMention] = []
    ago = "ago" in low
    beyond = 0
    for index, form in enumerate(low):
        if index < beyond or not (ago or form in _STARTERS or form[0].isdecimal() or form.startswith("fy")):
            continue
        mentions = _mentions_at(page, index, found)
        if mentions:
            found.extend(mentions)
            beyond = mentions[-1].last + 1
    return _with_lent_years(page, found)


def _with_lent_years(page: Page, found: list[PeriodMention]) -> tuple[PeriodMention, ...]:
    """In a list, the last one's year holds for all: "Q1 and Q2 of 2023"."""
    for place in range(len(found) - 2, -1, -1):
        one, following = found[place], found[place + 1]
        low = following.interval.low.value if following.interval and following.interval.low else None
        listed = one.last + 2 == following.first and page.at(one.last + 1) in {"and", "or"}
        listed = listed or (one.last + 1 == following.first and page.gap(one.last) == ",")
        if one.interval or one.relation is not Relation.IN or not listed or not isinstance(low, datetime):
            continue
        stretch = in_year(one.periodic, low.year)
        if stretch:
            interval = Interval(Bound(stretch.low, True), Bound(stretch.high, False))
            found[place] = replace(one, interval=interval, periodic=(), certain=following.certain)
    return tuple(found)


def _mentions_at(page: Page, index: int, earlier: Sequence[PeriodMention]) -> tuple[PeriodMention, ...]:
    """The readings of the period whose own first word stands at `index`."""
    readings = _readings(page, index)
    if not readings:
        return ()
    ranged = year_range(page, readings[0], lambda at: _readings(page, at)[:1])
    if ranged:
        return (_from_range(page, ranged),)
    mentions = (_mention(page, reading, earlier) for reading in readings)
    return tuple(mention for mention in mentions if mention)


def _readings(page: Page, index: int) -> tuple[Point, ...]:
    if page.low[index][0].isdecimal() and (dates := numeric_dates(page, index)):
        return dates
    point = named_point(page, index)
    if point is None:
        point = relative_point(page, index)
        return (point,) if point else ()
    if point.grain not in {"quarter", "half"} or page.calendar.fiscal_year_start_month == 1:
        return (point,)
    return _both_calendars(page, point)


def _both_calendars(page: Page, point: Point) -> tuple[Point, ...]:
    """ "Q3 2022" of an application whose fiscal year is not the calendar's may be meant in either."""
    said = any(form.startswith(("fiscal", "financial", "fy")) for form in page.low[point.first : point.last + 1])
    if said or point.stretch is None or not isinstance(point.stretch.low, datetime):
        return (point,)
    months = page.calendar.fiscal_year_start_month - 13
    try:
        ends = [cal.shift(end, "month", months) for end in (point.stretch.low, point.stretch.high)]  # type: ignore[arg-type]
    except OverflowError:
        return (point,)
    fiscal = replace(point, stretch=Stretch(ends[0], ends[1], point.grain), certain=False)
    return (replace(point, certain=False), fiscal)


def _from_range(page: Page, ranged: Ranged) -> PeriodMention:
    span = (page.words[ranged.first].span[0], page.words[ranged.last].span[1])
    return PeriodMention(
        page.text[slice(*span)],
        span,
        ranged.interval,
        ranged.relation,
        ranged.grain,
        ranged.first,
        ranged.last,
        ranged.periodic,
        certain=ranged.certain,
    )


def _mention(page: Page, point: Point, earlier: Sequence[PeriodMention]) -> PeriodMention | None:
    related = relate(page, point)
    # "the summer of 2012" is less than 2012: how much less is not said.
    within = related.word == "of" and page.at(related.first - 1) in _PARTS
    certain = point.certain and not within
    if point.bare and point.grain == "year":
        years = earlier[-1:] if earlier and earlier[-1].grain == "year" else ()
        sure = is_year(page, point, related, (years[0].last, years[0].certain) if years else None)
        if sure is None:
            return None
        certain = certain and sure
    elif point.bare and related.word not in _FULL_MONTHS and not _listed(page, point, earlier):
        return None
    interval, periodic = None, point.periodic
    if point.stretch is None:
        point = _resolved(page, point, related)
        interval = _interval(point.stretch, related) if point.stretch else None
        periodic = () if interval else _periodic(point.periodic, related)
        certain = certain and (related.relation is Relation.IN or interval is not None or point.grain == "hour")
        certain = certain and (related.word not in {"", "the"} or point.grain != "quarter")
    elif page.at(point.last) == "ago" and (bound := ago_bound(page, point)) and related.relation is not Relation.IN:
        related = replace(related, relation=_ago_relation(related))
        interval = _ago(bound, related.relation)
    elif point.trailing:
        interval = Interval(Bound(point.stretch.low, True), None)
        related = replace(related, relation=Relation.SINCE)
    else:
        interval = _interval(point.stretch, related)
    span = (page.words[related.first].span[0], page.words[related.last].span[1])
    return PeriodMention(
        page.text[slice(*span)],
        span,
        interval,
        related.relation,
        point.grain,
        related.first,
        related.last,
        periodic,
        related.negated,
        certain,
    )


def _interval(stretch: Stretch, related: Related) -> Interval:
    """What the relation makes of a stretch of time."""
    low, high = Bound(stretch.low, True), Bound(stretch.high, False)
    start_only = related.edge == "start"
    if stretch.grain in {"second", "minute"} and related.relation in {Relation.AFTER, Relation.UNTIL}:
        after = related.relation is Relation.AFTER
        return Interval(Bound(stretch.low, False), None) if after else Interval(None, Bound(stretch.low, True))
    match related.relation:
        case Relation.BEFORE:
            return Interval(None, Bound(stretch.high if related.edge == "end" else stretch.low, False))
        case Relation.UNTIL:
            return Interval(None, Bound(stretch.low, False) if start_only else high)
        case Relation.AFTER:
            return Interval(low if start_only else Bound(stretch.high, True), None)
        case Relation.SINCE:
            return Interval(Bound(stretch.high, True) if related.edge == "end" else low, None)
        case _:
            return Interval(low, high)


def _ago_relation(related: Related) -> Relation:
    """ "more than 3 days ago" is before that moment, "less than 3 days ago" since it.

    More days are an earlier moment: the relation of the number turns round, that of a time ("later than") does not.
    """
    later = related.relation in {Relation.AFTER, Relation.SINCE}
    return Relation.SINCE if later != (related.word == "more") else Relation.BEFORE


def _ago(bound: Stretch, relation: Relation) -> Interval:
    if relation is Relation.SINCE:
        return Interval(Bound(bound.low, True), None)
    return Interval(None, Bound(bound.low, False))


def _periodic(periodic: tuple[Periodic, ...], related: Related) -> tuple[Periodic, ...]:
    """The part of the year that the relation leaves, without a clock: "since March" is March to December."""
    if len(periodic) != 1 or related.relation is Relation.IN:
        return periodic
    part, highest = periodic[0], {"MONTH": 12, "QUARTER": 4, "HOUR": 23}.get(periodic[0].part, 7)
    if part.part == "HOUR":
        later = related.relation in {Relation.SINCE, Relation.AFTER}
        return (Periodic("HOUR", part.low, 23) if later else Periodic("HOUR", 0, max(part.low - 1, 0)),)
    match related.relation:
        case Relation.SINCE:
            return (Periodic(part.part, part.low, highest),)
        case Relation.AFTER:
            return (Periodic(part.part, min(part.high + 1, highest), highest),)
        case Relation.BEFORE:
            return (Periodic(part.part, 1, max(part.low - 1, 1)),)
        case _:
            return (Periodic(part.part, 1, part.high),)


def _resolved(page: Page, point: Point, related: Related) -> Point:
    """A month that a relation bounds is the latest such month, where there is a clock ("since March")."""
    months = [one for one in point.periodic if one.part == "MONTH"]
    if page.now is None or related.relation is Relation.IN or len(point.periodic) != len(months) or not months:
        return point
    year = page.now.year - (months[0].low > page.now.month)
    return replace(point, stretch=cal.month_of(year, months[0].low))


def _listed(page: Page, point: Point, earlier: Sequence[PeriodMention]) -> bool:
    """Whether the month goes on a list of months: "in June and July"."""
    if not earlier or earlier[-1].grain != "month":
        return False
    joined = page.at(point.first - 1) in {"and", "or"} and earlier[-1].last == point.first - 2
    return joined or (page.gap(point.first - 1) == "," and earlier[-1].last == point.first - 1)
