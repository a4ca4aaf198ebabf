"""How two intervals lie to each other: numbers, dates, relative dates, and years written as numbers."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from stef.records.expressions import Literal, Relative, Value
from stef.records.predicates import Bound, Interval, Predicate


class Relation(StrEnum):
    """How the interval that was applied lies to the one that was asked."""

    SAME = "same"
    WEAKER = "weaker"  # it lets more through
    STRICTER = "stricter"  # it lets less through
    OVERLAPPING = "overlapping"
    OPPOSITE = "opposite"  # the complement
    APART = "apart"


@dataclass(frozen=True, slots=True)
class _End:
    """An end as a sortable key: the value, and how far just beside it."""

    value: float
    beside: int


_NO_LOW = _End(float("-inf"), 0)
_NO_HIGH = _End(float("inf"), 0)
_UNIT_DAYS = {
    "second": 1 / 86400,
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "day": 1.0,
    "week": 7.0,
    "month": 30.4369,
    "quarter": 91.3106,
    "year": 365.2425,
}
_FLOORS: dict[str | None, float] = {"week": -0.001, "month": -0.002, "quarter": -0.003, "year": -0.004}
_EPOCH = datetime(1970, 1, 1)


def relation(asked: Interval, done: Interval, *, integers: bool = False) -> Relation | None:
    """How `done` lies to `asked`; None where the two cannot be compared (a date with a number, text with a date).

    `integers`: the subject takes whole numbers only (a count), so that > 4 is ≥ 5.
    """
    if asked == done:
        return Relation.SAME
    ends = _ends(asked, integers), _ends(done, integers)
    if ends[0] is None or ends[1] is None or _family(asked) != _family(done):
        return None
    (a_low, a_high), (d_low, d_high) = ends  # type: ignore[misc]
    low, high = _compare(d_low, a_low), _compare(d_high, a_high)
    if low == 0 and high == 0:
        return Relation.SAME
    if _compare(d_low, a_high) >= 0 or _compare(a_low, d_high) >= 0:
        return Relation.OPPOSITE if _is_complement(asked, done) else Relation.APART
    if low <= 0 and high >= 0:
        return Relation.WEAKER
    if low >= 0 and high <= 0:
        return Relation.STRICTER
    return Relation.OPPOSITE if _is_complement(asked, done) else Relation.OVERLAPPING


def _is_complement(a: Interval, b: Interval) -> bool:
    """`< 5` against `> 5` (or ≥): one bound each, the same value, the other direction."""
    if a.low is not None and a.high is None and b.high is not None and b.low is None:
        return a.low.value == b.high.value
    if a.high is not None and a.low is None and b.low is not None and b.high is None:
        return a.high.value == b.low.value
    return False


def _compare(a: _End, b: _End) -> int:
    left, right = (a.value, a.beside), (b.value, b.beside)
    return (left > right) - (left < right)


def _ends(interval: Interval, integers: bool) -> tuple[_End, _End] | None:
    """Both ends as cuts between values: a low end cuts before or after its value, a high end likewise."""
    low = _NO_LOW if interval.low is None else _cut(interval.low, integers, is_low=True)
    if interval.high is None or (interval.low is not None and _is_now(interval.high.value)):
        # "The past 7 days" end now; rows of the future are not in the data, and most SQL leaves this end open.
        return None if low is None else (low, _NO_HIGH)
    high = _cut(interval.high, integers, is_low=False)
    return None if low is None or high is None else (low, high)


def _cut(bound: Bound, integers: bool, *, is_low: bool) -> _End | None:
    value = _number(bound.value)
    if value is None:
        return None
    after = bound.inclusive != is_low
    if is_low and after and isinstance(bound.value, datetime) and bound.value.time() == time():
        return _End(value + 86400, 0)  # "after the 1st" starts on the 2nd
    if integers and value.is_integer() and after:
        return _End(value + 1, 0)
    return _End(value, 1 if after else 0)


def _is_now(value: Value) -> bool:
    return isinstance(value, Relative) and value.offset == 0 and value.floor in (None, "second", "minute")


def _number(value: Value) -> float | None:
    match value:
        case bool() | None:
            return None
        case int() | float():
            return float(value)
        case datetime():
            return (value - _EPOCH).total_seconds()
        case Relative():
            # The start of last month lies before a month ago: the floor counts as a small shift back.
            return value.offset * _UNIT_DAYS[value.unit] + _FLOORS.get(value.floor, 0.0)
        case str():
            return _spelled(value)


def _family(interval: Interval) -> str:
    for bound in (interval.low, interval.high):
        if bound is not None:
            match bound.value:
                case datetime():
                    return "date"
                case Relative():
                    return "relative"
                case int() | float():
                    return "number"
                case str() as text if _spelled(text) is not None:
                    return "number"
    return "text"


def year_numbers(interval: Interval) -> Interval | None:
    """An interval of whole years as the interval of their numbers: [2019-01-01, 2021-01-01) is [2019, 2021)."""
    ends: list[Bound | None] = []
    for bound in (interval.low, interval.high):
        if bound is None:
            ends.append(None)
            continue
        at = bound.value
        if not isinstance(at, datetime) or (at.month, at.day, at.hour, at.minute, at.second) != (1, 1, 0, 0, 0):
            return None
        ends.append(Bound(at.year, bound.inclusive))
    return Interval(ends[0], ends[1])


def compact_dates(interval: Interval) -> Interval | None:
    """An interval of days or months in digits only, as dates: 201308 to 201311 is [2013-08-01, 2013-12-01)."""
    low = None if interval.low is None else _compact(interval.low, is_low=True)
    high = None if interval.high is None else _compact(interval.high, is_low=False)
    if (interval.low is not None and low is None) or (interval.high is not None and high is None):
        return None
    return Interval(low, high)


def _compact(bound: Bound, *, is_low: bool) -> Bound | None:
    digits = str(bound.literal.text if bound.literal is not None and bound.literal.text else bound.value)
    if not digits.isdigit() or len(digits) not in (6, 8):
        return None
    year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:] or 1)
    try:
        start = datetime(year, month, day)
    except ValueError:
        return None
    if bound.inclusive is is_low:
        return Bound(start, is_low)
    # An inclusive end, or an exclusive start, lies after the whole day or month.
    days = 1 if len(digits) == 8 else monthrange(year, month)[1]
    return Bound(start + timedelta(days=days), is_low)


def spellings(interval: Interval) -> frozenset[str]:
    """Texts that databases use for a whole year, month or day: 2012, 201208, 2012-08, 2012/8, aug 2012, 20120824…"""
    low, high = interval.low, interval.high
    if low is None or high is None or not isinstance(low.value, datetime) or not isinstance(high.value, datetime):
        return frozenset()
    at, days = low.value, (high.value - low.value).days
    y, m, d = at.year, at.month, at.day
    if days in (365, 366) and (m, d) == (1, 1):
        return frozenset((str(y), f"{y}-01-01", f"{y}/{y + 1}", f"{y - 1}/{y}", f"{y}-{(y + 1) % 100:02d}"))
    if d == 1 and 28 <= days <= 31:
        name = at.strftime("%B").lower()
        numbers = (f"{y}{m:02d}", f"{y}-{m:02d}", f"{y}/{m:02d}", f"{y}/{m}", f"{y}-{m}", f"{m:02d}/{y}")
        names = (f"{name} {y}", f"{name[:3]} {y}", f"{name[:3]}-{y % 100:02d}", name, name[:3])
        return frozenset((*numbers, *names))
    if days == 1:
        year_first = (
            f"{y}-{m:02d}-{d:02d}",
            f"{y}{m:02d}{d:02d}",
            f"{y}/{m}/{d}",
            f"{y}/{m:02d}/{d:02d}",
            f"{y}-{m}-{d}",
        )
        year_last = (f"{m}/{d}/{y}", f"{d}/{m}/{y}", f"{m:02d}/{d:02d}/{y}", f"{d:02d}/{m:02d}/{y}")
        return frozenset((*year_first, *year_last, f"{y % 100:02d}{m:02d}{d:02d}"))
    return frozenset()


def numeric(literal: Literal) -> float | None:
    """The number that a constant is or spells, None where it is none."""
    return _spelled(literal.value)


def _spelled(value: Value) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return None


def points(predicate: Predicate) -> tuple[float, ...]:
    """The numbers that a predicate names as values or bounds."""
    values = [literal.value for literal in predicate.values]
    if predicate.interval is not None:
        ends = (predicate.interval.low, predicate.interval.high)
        values += [bound.value for bound in ends if bound is not None]
    return tuple([number for value in values if (number := _spelled(value)) is not None])
