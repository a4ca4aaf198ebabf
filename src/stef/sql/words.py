"""Values, intervals and patterns of a Spec in words."""

from datetime import datetime, time

from stef.records.expressions import Literal, Relative, Value
from stef.records.predicates import Bound, Interval, Pattern, PatternKind

_PATTERN_WORDS = {
    PatternKind.PREFIX: "starts with",
    PatternKind.SUFFIX: "ends with",
    PatternKind.CONTAINS: "contains",
    PatternKind.WILDCARD: "LIKE",
    PatternKind.REGEX: "matches",
}


_LONGEST = 200


def shorten(text: str) -> str:
    """`text` on one line, cut after 200 characters."""
    if len(text) > _LONGEST:
        text = text[:_LONGEST] + "…"
    return text if text.isprintable() else " ".join(text.split())


def pattern_words(pattern: Pattern) -> str:
    """A text pattern, such as `starts with 'ab'`."""
    return f"{_PATTERN_WORDS[pattern.kind]} '{shorten(pattern.text)}'"


def interval_words(interval: Interval) -> str:
    """An interval, such as `>= 3` or `in 2024-03-01 to 2024-04-01 (exclusive)`."""
    low, high = interval.low, interval.high
    if low is None:
        return "is anything but NULL" if high is None else f"{'<=' if high.inclusive else '<'} {_bound_words(high)}"
    if high is None:
        return f"{'>=' if low.inclusive else '>'} {_bound_words(low)}"
    if low.inclusive and high.inclusive:
        return f"between {_bound_words(low)} and {_bound_words(high)}"
    start = "" if low.inclusive else " (exclusive)"
    end = "" if high.inclusive else " (exclusive)"
    return f"in {_bound_words(low)}{start} to {_bound_words(high)}{end}"


def _bound_words(bound: Bound) -> str:
    return value_words(bound.value)


def value_words(value: Value) -> str:
    """A value: text in quotes, midnight as its day, a relative time in words."""
    if isinstance(value, str):
        return f"'{shorten(value)}'"
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time.min else value.isoformat(" ")
    if isinstance(value, Relative):
        return _relative_words(value)
    return str(value)


def _relative_words(value: Relative) -> str:
    if value.offset == 0:
        if value.floor is None:
            return "now"
        return "today" if value.floor == "day" else f"the start of this {value.floor}"
    count = abs(value.offset)
    unit = value.unit if count == 1 else f"{value.unit}s"
    words = f"{count} {unit} {'ago' if value.offset < 0 else 'from now'}"
    return words if value.floor in (None, "day") else f"the start of the {value.floor} {words}"


def literal_words(literal: Literal) -> str:
    """A constant, text as it was written."""
    if isinstance(literal.value, str) and literal.text:
        return f"'{shorten(literal.text)}'"
    return value_words(literal.value)
