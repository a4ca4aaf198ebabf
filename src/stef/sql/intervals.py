"""Intervals: which end is tighter, what two of them have in common, and whether two of them meet."""

from datetime import datetime

from stef.records.expressions import Literal, Relative, Value
from stef.records.predicates import Bound, Interval

_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}


def comparable(left: Value, right: Value) -> bool:
    """Whether two ends can be told apart by size."""
    if isinstance(left, bool) or isinstance(right, bool):
        return False
    if isinstance(left, int | float):
        return isinstance(right, int | float)
    if isinstance(left, Relative):
        return isinstance(right, Relative) and distance(left)[:2] == distance(right)[:2]
    return isinstance(left, str | datetime) and type(left) is type(right)


def distance(value: Relative) -> tuple[str | None, str, int]:
    """A relative point as what it is cut down to, the unit of its shift, and the shift in that unit."""
    if value.offset == 0:
        return value.floor, "", 0
    if value.unit in _DAYS:
        return value.floor, "day", value.offset * _DAYS[value.unit]
    if value.unit in _MONTHS:
        return value.floor, "month", value.offset * _MONTHS[value.unit]
    return value.floor, value.unit, value.offset


def _size(value: Value) -> object:
    return distance(value)[2] if isinstance(value, Relative) else value


def _tighter_low(left: Bound, right: Bound) -> Bound:
    if _size(left.value) == _size(right.value):
        return right if left.inclusive else left
    return left if _size(left.value) > _size(right.value) else right  # type: ignore[operator]


def _tighter_high(left: Bound, right: Bound) -> Bound:
    if _size(left.value) == _size(right.value):
        return right if left.inclusive else left
    return left if _size(left.value) < _size(right.value) else right  # type: ignore[operator]


def intersect(left: Interval, right: Interval) -> Interval | None:
    """What two intervals have in common; None where their ends cannot be compared."""
    low, high = left.low or right.low, left.high or right.high
    if left.low is not None and right.low is not None:
        if not comparable(left.low.value, right.low.value):
            return None
        low = _tighter_low(left.low, right.low)
    if left.high is not None and right.high is not None:
        if not comparable(left.high.value, right.high.value):
            return None
        high = _tighter_high(left.high, right.high)
    if low is not None and high is not None and _kind(low.value) is not _kind(high.value):
        return None
    return Interval(low, high)


def _kind(value: Value) -> type:
    # An interval may run from a date to a point relative to now.
    return float if isinstance(value, int | float) else str if isinstance(value, str) else datetime


def unite(left: Interval, right: Interval) -> Interval | None:
    """One interval that holds what either holds; None where there is a gap, or their ends cannot be compared."""
    for high, low in ((left.high, right.low), (right.high, left.low)):
        if high is not None and low is not None and not (comparable(high.value, low.value) and _meet(high, low)):
            return None
    low, high = left.low, left.high
    if low is None or right.low is None:
        low = None
    elif not comparable(low.value, right.low.value):
        return None
    elif _tighter_low(low, right.low) is low:
        low = right.low
    if high is None or right.high is None:
        high = None
    elif not comparable(high.value, right.high.value):
        return None
    elif _tighter_high(high, right.high) is high:
        high = right.high
    return Interval(low, high)


def _meet(high: Bound, low: Bound) -> bool:
    end, start = _size(high.value), _size(low.value)
    return bool(end > start) or (end == start and (high.inclusive or low.inclusive))  # type: ignore[operator]


def point(interval: Interval) -> Literal | None:
    """The only value of an interval, where it has just one."""
    low, high = interval.low, interval.high
    if low is None or high is None or not (low.inclusive and high.inclusive) or low.value != high.value:
        return None
    return low.literal or high.literal or Literal(low.value)


def whole_number(interval: Interval) -> int | None:
    """The only whole number in an interval between whole numbers; None where there are none or several."""
    low, high = interval.low, interval.high
    if low is None or high is None or not (type(low.value) is int and type(high.value) is int):
        return None
    first = low.value if low.inclusive else low.value + 1
    last = high.value if high.inclusive else high.value - 1
    return first if first == last else None
