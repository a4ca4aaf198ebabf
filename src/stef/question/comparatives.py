"""Comparatives of a question: "at least 5", "between 3 and 7", "older than 20", "above average"."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from stef.question.numbers import NumberMention
from stef.question.periods import PeriodMention
from stef.records.expressions import Span
from stef.records.predicates import Bound, Interval
from stef.records.reading import Word


class ComparisonKind(StrEnum):
    """What is compared with."""

    RANGE = "range"
    EQUAL = "equal"
    AGGREGATE = "aggregate"


@dataclass(frozen=True, slots=True)
class ComparisonMention:
    """A comparison as written.

    RANGE has `interval`, EQUAL `value` (with `negated`: "not 5"), AGGREGATE `comparator` (`<`, `<=`, `>`, `>=`) and
    `aggregate` (AVG, MAX, MIN, MEDIAN): "above average". `dimension` are stems of what the words themselves say is
    compared ("older" → age), empty where they do not. `flips`: on a date the comparison turns round ("younger than"
    by a date of birth). `left`, `right` are the stems of the content words before and after it, nearest first, up to
    the next comparison, period or end of the sentence: the subject is among them. `numbers` are the numbers that it
    uses, `first`, `last` the places of its first and last word.
    """

    text: str
    span: Span
    kind: ComparisonKind
    first: int
    last: int
    interval: Interval | None = None
    value: int | float | None = None
    negated: bool = False
    comparator: str | None = None
    aggregate: str | None = None
    dimension: tuple[str, ...] = ()
    flips: bool = False
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    numbers: tuple[NumberMention, ...] = ()
    certain: bool = True


def find_comparisons(
    text: str,
    words: Sequence[Word],
    numbers: Sequence[NumberMention],
    periods: Sequence[PeriodMention],  # noqa: ARG001
) -> tuple[ComparisonMention, ...]:
    """The comparisons that `text` makes with numbers and aggregates, in order; `find_periods` has those with periods."""
    found = []
    for number in numbers:
        before = tuple(word.stem for word in words[max(0, number.first - 2) : number.first])
        if before in {("more", "than"), ("greater", "than")}:
            first = number.first - 2
            span = (words[first].span[0], number.span[1])
            interval = Interval(Bound(number.value, False), None)
            found.append(
                ComparisonMention(
                    text[slice(*span)], span, ComparisonKind.RANGE, first, number.last, interval, numbers=(number,)
                )
            )
    return tuple(found)
