"""An asked range or period against a range, and against single values, in the SQL."""

from datetime import datetime, timedelta
from math import isclose
from typing import TypeAlias

from stef.alignment.ground import Ground
from stef.alignment.intervals import Relation, compact_dates, numeric, relation, spellings, year_numbers
from stef.alignment.match_result import Match
from stef.records.alignment import FilterState
from stef.records.expressions import Agg, Func, Literal
from stef.records.predicates import Bound, Interval, Predicate

_APPLIED = FilterState.APPLIED
_ALTERED = FilterState.ALTERED
_OPPOSED = FilterState.OPPOSED
_STATES = {
    Relation.SAME: (_APPLIED, ""),
    Relation.WEAKER: (_ALTERED, "weaker than asked"),
    Relation.STRICTER: (_ALTERED, "stricter than asked"),
    Relation.OVERLAPPING: (_ALTERED, "another range than asked"),
    Relation.OPPOSITE: (_OPPOSED, "the opposite test"),
}


def match_intervals(asked: Predicate, done: Predicate, tied: float, ground: Ground) -> Match | None:
    """Two ranges; None where they are about different things."""
    interval = done.interval
    if asked.interval is None or interval is None:
        return None
    counts = (isinstance(done.subject, Agg) and done.subject.name == "COUNT") or _neighbours(asked.interval, interval)
    found = relation(asked.interval, interval, integers=counts)
    if found is None:
        years, dates = year_numbers(asked.interval), compact_dates(interval)
        if dates is not None:
            found = relation(asked.interval, dates)
        elif years is not None:
            found = relation(years, interval, integers=True)
    if found is not Relation.SAME and _same_in_another_unit(asked.interval, interval, ground):
        found = Relation.SAME
    if found is None or found is Relation.APART:
        return None
    if found in (Relation.OVERLAPPING, Relation.WEAKER, Relation.STRICTER) and not _related(asked, done, tied):
        return None
    if found is Relation.STRICTER and _other_end_asked(asked.interval, interval, ground):
        found = Relation.SAME
    state, why = _STATES[found]
    return Match(state, tied, why)


def _neighbours(asked: Interval, done: Interval) -> bool:
    """ "Score >= 20" as `> 19`: one whole number each, side by side; who writes so means whole numbers."""
    for one, other in ((asked.low, done.low), (asked.high, done.high)):
        if one is not None and other is not None and isinstance(one.value, int) and isinstance(other.value, int):
            return one.inclusive != other.inclusive and abs(one.value - other.value) == 1
    return False


# How many of what a column may count one named unit is.
_UNITS = {
    "minut": (60, 60_000, 1 / 60),
    "hour": (60, 3600, 3_600_000, 1 / 24),
    "second": (1000,),
    "day": (24, 1440, 86_400),
    "week": (7,),
    "year": (12, 365),
    "kilomet": (1000,),
    "meter": (100, 1000, 0.001),
    "kg": (1000,),
    "kilogram": (1000,),
    "ton": (1000,),
    "percent": (0.01,),
    "thousand": (1000, 0.001),
    "million": (1_000_000, 0.001, 1e-6),
    "billion": (1e9, 1e-3),
    "mb": (1024, 1_048_576, 1000, 1_000_000),
    "gb": (1024, 1_073_741_824, 1000, 1e9),
}


def _same_in_another_unit(asked: Interval, done: Interval, ground: Ground) -> bool:
    """ "Longer than 5 minutes" against milliseconds: each end is the asked one times one factor of a named unit."""
    for unit, factors in _UNITS.items():
        if unit in ground.stems:
            for factor in factors:
                if _scaled(asked.low, done.low, factor) and _scaled(asked.high, done.high, factor):
                    return True
    return False


def _scaled(asked: Bound | None, done: Bound | None, factor: float) -> bool:
    if asked is None or done is None:
        return asked is done
    left, right = numeric(Literal(asked.value)), numeric(Literal(done.value))
    if left is None or right is None or asked.inclusive != done.inclusive:
        return False
    return isclose(left * factor, right, rel_tol=1e-9)


def _other_end_asked(asked: Interval, done: Interval, ground: Ground) -> bool:
    """Two ends that are asked apart ("over 3 and under 9") stand as one interval in the SQL."""
    if asked.low is not None and asked.high is None:
        return done.low == asked.low and _mentions_end(done.high, ground)
    if asked.high is not None and asked.low is None:
        return done.high == asked.high and _mentions_end(done.low, ground)
    return False


def _mentions_end(bound: Bound | None, ground: Ground) -> bool:
    if bound is None:
        return False
    if isinstance(bound.value, datetime):
        return bool({bound.value.year, (bound.value - timedelta(days=1)).year} & ground.numbers)
    number = numeric(Literal(bound.value))
    return number is not None and number in ground.numbers


def _related(asked: Predicate, done: Predicate, tied: float) -> bool:
    """Whether two ranges that differ are about one thing: a shared bound, or words that name the column."""
    return tied >= 0.5 or bool(_bounds(asked.interval) & _bounds(done.interval))


def _bounds(interval: Interval | None) -> set[object]:
    if interval is None:
        return set()
    return {bound.value for bound in (interval.low, interval.high) if bound is not None}


def match_values(asked: Interval, done: Predicate, tied: float, ground: Ground) -> Match | None:
    """A period or range against single values; None where none of them lies in it."""
    for attempt in _ATTEMPTS:
        found = attempt(asked, done, ground)
        if found is not None:
            state, why = found
            if done.negated:
                state, why = _OPPOSED, "the opposite test"
            return Match(state, max(tied, 0.5), why)
    return None


_Found: TypeAlias = tuple[FilterState, str] | None


def _date_part(asked: Interval, done: Predicate, _: Ground) -> _Found:
    """The month alone, where a month of one year was asked: every March is more than this March."""
    low, subject = asked.low, done.subject
    if low is None or not isinstance(low.value, datetime) or not isinstance(subject, Func):
        return None
    at = low.value
    part = {"MONTH": at.month, "DAY": at.day, "QUARTER": (at.month + 2) // 3}.get(subject.name)
    if part is None or part not in {numeric(value) for value in done.values}:
        return None
    return _ALTERED, "of every year, where one was asked"


def _midnight(asked: Interval, done: Predicate, _: Ground) -> _Found:
    """A day without a time, as the midnight that it is stored as."""
    low = asked.low
    if low is None or not isinstance(low.value, datetime):
        return None
    return (_APPLIED, "") if any(value.value == low.value for value in done.values) else None


def _spelled(asked: Interval, done: Predicate, ground: Ground) -> _Found:
    """A period as text: '201208', '2015/2016'."""
    known = spellings(asked)
    rest = [value for value in done.values if str(value.text or value.value).strip().casefold() not in known]
    if not known or len(rest) == len(done.values):
        return None
    if all(ground.mentions(value, done.subject) for value in rest):
        return _APPLIED, ""
    return _ALTERED, "other periods than asked"


def _whole_numbers(asked: Interval, done: Predicate, _: Ground) -> _Found:
    """A range of whole numbers as the list of them."""
    if asked.low is None or asked.high is None or len(done.values) < 3:
        return None
    low, high = asked.low.value, asked.high.value
    numbers = {number for value in done.values if (number := numeric(value)) is not None}
    if not isinstance(low, int) or not isinstance(high, int) or not numbers:
        return None
    whole = (min(numbers), max(numbers), len(numbers)) == (low, high, high - low + 1)
    return (_APPLIED, "") if whole else None


def _years(asked: Interval, done: Predicate, ground: Ground) -> _Found:
    """Whole years as their numbers."""
    years = year_numbers(asked)
    if years is None or years.low is None or years.high is None:
        return None
    low, high = years.low.value, years.high.value
    if not isinstance(low, int) or not isinstance(high, int) or high - low > _MOST_YEARS:
        return None
    wanted, numbers = set(range(low, high)), {numeric(value) for value in done.values}
    if not wanted & numbers:
        return None
    if wanted <= numbers and all(number in ground.numbers for number in numbers - wanted):
        return _APPLIED, ""
    return _ALTERED, "other years than asked"


def _one_bound(asked: Interval, done: Predicate, _: Ground) -> _Found:
    if _bounds(asked) & {numeric(value) for value in done.values}:
        return _ALTERED, "a single value, where a range was asked"
    return None


_MOST_YEARS = 200
_ATTEMPTS = (_date_part, _midnight, _spelled, _whole_numbers, _years, _one_bound)
