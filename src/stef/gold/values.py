"""What makes two values of a result one: a typed canonical form in which Python's own equality is the right one.

Whole numbers, floats and decimals are equal where their values are (1 = 1.0 = Decimal("1.00"), -0.0 = 0.0), which is
what Python's `==` and `hash` do. The canonical form mends the rest:

- a bool is no number (True ≠ 1), NaN equals NaN, and NULL equals NULL and nothing else ('' and 0 and 'None' differ);
- a date is the timestamp of its midnight, and a timestamp with a zone is its instant. One without a zone is read as
  UTC, as everywhere in stef. Text that looks like a date stays text;
- a UUID is its text, because some drivers give it as such; bytes, bytearray and memoryview are bytes;
- lists, structs and maps are compared by what they hold, structs and maps without the order of their keys;
- text is exact: case, space and accents count.

A tolerance is no equivalence, so it has no canonical form: see `near`.
"""

from collections.abc import Callable, Hashable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from itertools import repeat
from math import isnan
from operator import attrgetter, ne
from typing import Any, TypeAlias
from uuid import UUID

Kinds: TypeAlias = frozenset[type]


class NotComparableError(TypeError):
    """A column holds values without a notion of equality: what is compared with it is undefined."""


class _Mark:
    """A value that equals itself only."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"


NAN = _Mark("NaN")
TRUE = _Mark("true")
FALSE = _Mark("false")
_LIST = _Mark("list")
_MAP = _Mark("map")
_SET = _Mark("set")
_SPELT = _Mark("spelt")

# What stands for itself, whatever the value; of floats and decimals all but NaN do.
_PLAIN = frozenset({int, str, type(None), bytes, time, timedelta})
_PLAIN_UNLESS_NAN = frozenset({float, Decimal})
_SELDOM_NAN = _PLAIN | _PLAIN_UNLESS_NAN
_SUMMED = frozenset({int, float})
_DATES = frozenset({date})
_TIMESTAMPS = frozenset({datetime})
_ZONE = attrgetter("tzinfo")
_MIDNIGHT = time()


def canonical(column: Sequence[Any]) -> Sequence[Hashable]:
    """The values of a column in canonical form, in their order.

    A column that is canonical already comes back as it is, not as a copy. Raises NotComparableError.
    """
    return canonical_with_kinds(column)[0]


def canonical_with_kinds(column: Sequence[Any]) -> tuple[Sequence[Hashable], Kinds]:
    """The same, and the types in it. Raises NotComparableError."""
    types = frozenset(map(type, column))
    if types <= _PLAIN:
        return column, types
    if types <= _SELDOM_NAN and not _holds_nan(column, types):
        return column, types
    if types == _DATES:
        return list(map(datetime.combine, column, repeat(_MIDNIGHT))), _TIMESTAMPS
    if types == _TIMESTAMPS and not any(map(_ZONE, column)):
        return column, types
    converters = {kind: _CONVERT.get(kind, _of_unknown_type) for kind in types}
    found = [converters[type(value)](value) for value in column]
    return found, frozenset(map(type, found))


def canonical_value(value: Any) -> Hashable:
    """One value in canonical form. Raises NotComparableError."""
    return _CONVERT.get(type(value), _of_unknown_type)(value)


def _holds_nan(column: Sequence[Any], types: Kinds) -> bool:
    try:
        if types <= _SUMMED:  # three times as fast; an infinity less an infinity is only a false alarm
            return isnan(sum(column))
        return any(map(ne, column, column))
    except ArithmeticError:  # a signalling NaN does not even compare
        return True


def _itself(value: Hashable) -> Hashable:
    return value


def _of_bool(value: bool) -> Hashable:
    return TRUE if value else FALSE


def _of_float(value: float) -> Hashable:
    return value if value == value else NAN  # noqa: PLR0124 - only NaN differs from itself


def _of_decimal(value: Decimal) -> Hashable:
    return NAN if value.is_nan() else value


def _of_timestamp(value: datetime) -> Hashable:
    if value.tzinfo is None:
        return value
    try:
        return value.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:  # its instant in UTC lies outside of the calendar; it equals its like
        return value


def _of_date(value: date) -> Hashable:
    return datetime.combine(value, _MIDNIGHT)


def _of_sequence(value: Sequence[Any]) -> Hashable:
    return (_LIST, *map(canonical_value, value))


def _of_map(value: dict[Any, Any]) -> Hashable:
    return (_MAP, frozenset((canonical_value(key), canonical_value(one)) for key, one in value.items()))


def _of_set(value: set[Any]) -> Hashable:
    return (_SET, frozenset(map(canonical_value, value)))


_CONVERT: dict[type, Callable[[Any], Hashable]] = {
    **dict.fromkeys(_PLAIN, _itself),
    bool: _of_bool,
    float: _of_float,
    Decimal: _of_decimal,
    datetime: _of_timestamp,
    date: _of_date,
    UUID: str,
    bytearray: bytes,
    memoryview: bytes,
    list: _of_sequence,
    tuple: _of_sequence,
    dict: _of_map,
    set: _of_set,
    frozenset: _of_set,
}


def _of_unknown_type(value: Any) -> Hashable:
    """A subclass of a known type, an array or scalar of numpy's kind, or a driver's own type."""
    for base in type(value).__mro__[1:-1]:
        if base in _CONVERT:
            return _CONVERT[base](value)
    if callable(to_python := getattr(value, "tolist", None)):
        return canonical_value(to_python())
    kind = type(value)
    if _own(kind, "__eq__") and kind.__hash__ is not None:
        return value  # type: ignore[no-any-return]
    if not (_own(kind, "__str__") or _own(kind, "__repr__")):
        raise NotComparableError(f"values of type {kind.__module__}.{kind.__qualname__} have no notion of equality")
    return (_SPELT, f"{kind.__module__}.{kind.__qualname__}", str(value))


def _own(kind: type, method: str) -> bool:
    return getattr(kind, method) is not getattr(object, method)
