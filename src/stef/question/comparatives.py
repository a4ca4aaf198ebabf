"""Comparatives of a question: "at least 5", "between 3 and 7", "older than 20", "above average"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from stef.question.adjectives import LONG_ADJECTIVES
from stef.question.comparators import closing, opening, operator_before
from stef.question.number_words import CURRENCY_WORDS, PERCENT_WORDS, UNITS
from stef.question.numbers import NumberMention
from stef.question.periods import PeriodMention
from stef.records.expressions import Literal, Span
from stef.records.predicates import Bound, Interval
from stef.records.reading import Word
from stef.records.record import record


class ComparisonKind(StrEnum):
    """What is compared with."""

    RANGE = "range"
    EQUAL = "equal"
    AGGREGATE = "aggregate"


@record(frozen=True, slots=True)
class ComparisonMention:
    """A comparison as written.

    RANGE has `interval`, EQUAL `value` (with `negated`: "not 5"), AGGREGATE `comparator` (`<`, `<=`, `>`, `>=`) and
    `aggregate` (AVG, MAX, MIN, MEDIAN): "above average". `dimension` are stems of what the words themselves say is
    compared ("older" → age), empty where they do not. `flips`: on a date the comparison turns round ("younger than"
    by a date of birth). `left`, `right` are the stems of the content words before and after it, nearest first, up to
    the next comparison, number, period or end of the sentence: the subject is among them. A comparison that goes on
    another one ("over 5 but below 9") has its `left` and `dimension`. `numbers` are the numbers that it uses, `first`,
    `last` the places of its first and last word.
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


_AGGREGATES: dict[str, str] = {
    "average": "AVG",
    "avg": "AVG",
    "mean": "AVG",
    "median": "MEDIAN",
    "maximum": "MAX",
    "max": "MAX",
    "highest": "MAX",
    "largest": "MAX",
    "minimum": "MIN",
    "min": "MIN",
    "lowest": "MIN",
    "smallest": "MIN",
}
_RANGE_OPENERS = frozenset({"between", "from", "within", "range", "ranging", "ranges"})
_RANGE_FILLERS = frozenset({"the", "ages", "age", "of", "a", "values", "value", "numbers", "year", "years", "and"})
_CONNECTORS = frozenset({"and", "to", "through", "until"})
_STOPS = frozenset(".;?")
_LIFE = re.compile(r"[1-9]0s")
_OF_A_LIFE = frozenset({"their", "his", "her", "aged", "age", "ages"})
_CONTEXT = 6
_DIGITS = (["decimal"], ["decimals"])
"""What is counted is digits of the answer, and no row is constrained."""
_MARKS = UNITS | CURRENCY_WORDS | PERCENT_WORDS


def find_comparisons(
    text: str, words: Sequence[Word], numbers: Sequence[NumberMention], periods: Sequence[PeriodMention]
) -> tuple[ComparisonMention, ...]:
    """The comparisons that `text` makes with numbers and aggregates, in order; `find_periods` has those of times."""
    low = [word.text.lower() for word in words]
    taken = [period.span for period in periods if period.certain]
    free = [
        one
        for one in numbers
        if not one.ordinal
        and low[one.last + 1 : one.last + 2] not in _DIGITS
        and not any(a <= one.span[0] and one.span[1] <= b for a, b in taken)
    ]
    found: list[ComparisonMention] = []
    place = 0
    while place < len(free):
        number = free[place]
        following = free[place + 1] if place + 1 < len(free) else None
        mention = _between(text, words, low, number, following) if following else None
        place += 2 if mention else 1
        mention = mention or _with_number(text, words, low, number)
        if mention:
            found.append(mention)
    found.extend(_lives(text, words, low))
    if not _AGGREGATES.keys().isdisjoint(low):
        found.extend(_with_aggregates(text, words, low))
    found.sort(key=lambda one: one.first)
    return _with_contexts(text, words, found, numbers, periods)


def _bound(number: NumberMention, inclusive: bool) -> Bound:
    return Bound(number.value, inclusive, Literal(number.value, number.text, number.quoted, number.span))


def _spanned(
    text: str, words: Sequence[Word], first: int, last: int, numbers: tuple[NumberMention, ...]
) -> tuple[str, Span]:
    start = min(words[first].span[0], *(one.span[0] for one in numbers), len(text))
    end = max(words[last].span[1], *(one.span[1] for one in numbers), 0)
    return text[start:end], (start, end)


def _between(
    text: str, words: Sequence[Word], low: Sequence[str], number: NumberMention, following: NumberMention
) -> ComparisonMention | None:
    """ "between 3 and 7", "from 3 to 7", "3-7", "between the ages of 20 and 30"."""
    gap = text[number.span[1] : following.span[0]].strip().lower()
    if gap not in _CONNECTORS and gap not in {"-", "–", "—"}:
        return None
    first = number.first - 1
    while first >= 0 and low[first] in _RANGE_FILLERS and number.first - first < 5:
        first -= 1
    opener = low[first] if first >= 0 else ""
    if opener not in _RANGE_OPENERS:
        first, opener = number.first, ""
    if opener and first and low[first - 1] in {"ranging", "ranges", "range"}:
        first -= 1
    if gap == "and" and opener not in {"between", "within"}:
        return None
    if opener == "" and (gap in {"until", "and"} or number.value >= following.value):
        return None
    between = low[first : number.first]
    ages = "ages" in between or "age" in between
    last = following.last
    inclusive = True
    if last + 1 < len(low) and low[last + 1] in {"inclusive", "inclusively", "exclusive", "exclusively"}:
        last, inclusive = last + 1, low[last + 1].startswith("in")
    pair = (number, following)
    below, above = pair if number.value <= following.value else (following, number)
    shown, span = _spanned(text, words, first, last, pair)
    return ComparisonMention(
        shown,
        span,
        ComparisonKind.RANGE,
        first,
        last,
        Interval(_bound(below, inclusive), _bound(above, inclusive)),
        dimension=("age",) if ages else (),
        flips=ages,
        numbers=pair,
        certain=opener != "" or low[first - 1 : first] in _RANGED,
    )


_RANGED = tuple(
    [word] for word in ("numbered", "ranging", "ranked", "aged", "priced", "valued", "rated", "sized", "dated")
)


def _with_number(text: str, words: Sequence[Word], low: list[str], number: NumberMention) -> ComparisonMention | None:
    """The comparison that one number takes part in, told by the words before it or after it."""
    opened = opening(text, words, low, number) or closing(text, words, low, number)
    if opened is None:
        return None
    shown, span = _spanned(text, words, opened.first, opened.last, (number,))
    if opened.first == number.first and number.first and opened.last == number.last:
        start = words[number.first - 1].span[1]
        gap = text[start : number.span[0]]
        start += len(gap) - len(gap.lstrip()) if set(gap) & set("<>=≤≥≠") else len(gap)
        span = (start, span[1] + (text[span[1] : span[1] + 1] == "+"))
        shown = text[slice(*span)]
    mention = ComparisonMention(
        shown,
        span,
        ComparisonKind.RANGE,
        opened.first,
        opened.last,
        dimension=opened.dimension,
        flips=opened.flips,
        numbers=(number,),
        certain=opened.certain,
    )
    if opened.operator in {"=", "!="}:
        negated = opened.operator == "!="
        return replace(mention, kind=ComparisonKind.EQUAL, value=number.value, negated=negated)
    inclusive = opened.operator.endswith("=")
    bound = _bound(number, inclusive)
    interval = Interval(bound, None) if opened.operator.startswith(">") else Interval(None, bound)
    return replace(mention, interval=interval)


def _lives(text: str, words: Sequence[Word], low: list[str]) -> list[ComparisonMention]:
    """ "in their 30s", "aged 40s": ten years of age."""
    found = []
    for index, form in enumerate(low[1:], 1):
        if form[0].isdecimal() and _LIFE.fullmatch(form) and low[index - 1] in _OF_A_LIFE:
            start = int(form[:-1])
            interval = Interval(Bound(start, True), Bound(start + 10, False))
            shown, span = _spanned(text, words, index - 1, index, ())
            found.append(
                ComparisonMention(
                    shown, span, ComparisonKind.RANGE, index - 1, index, interval, dimension=("age",), flips=True
                )
            )
    return found


def _with_aggregates(text: str, words: Sequence[Word], low: list[str]) -> list[ComparisonMention]:
    """ "above average", "older than the average age", "less than the maximum"."""
    found = []
    for index, form in enumerate(low):
        aggregate = _AGGREGATES.get(form)
        if aggregate is None:
            continue
        before = index - 1
        while before >= 0 and low[before] in {"the", "their", "its", "an", "overall", "of", "all", "total"}:
            before -= 1
        opened = operator_before(low, before, index)
        if opened is None or opened.operator in {"=", "!="}:
            continue
        shown, span = _spanned(text, words, opened.first, index, ())
        found.append(
            ComparisonMention(
                shown,
                span,
                ComparisonKind.AGGREGATE,
                opened.first,
                index,
                comparator=opened.operator,
                aggregate=aggregate,
                dimension=opened.dimension,
                flips=opened.flips,
            )
        )
    return found


def _with_contexts(
    text: str,
    words: Sequence[Word],
    found: list[ComparisonMention],
    numbers: Sequence[NumberMention],
    periods: Sequence[PeriodMention],
) -> tuple[ComparisonMention, ...]:
    """Each comparison with the words around it that may name its subject."""
    if not found:
        return ()
    taken: list[NumberMention | PeriodMention | ComparisonMention] = [*numbers, *periods, *found]
    walls = {index for one in taken for index in range(one.first, one.last + 1)}
    done: list[ComparisonMention] = []
    for one in found:
        left = _inside(words, one) + _stems(text, words, range(one.first - 1, -1, -1), walls)
        right = _stems(text, words, range(one.last + 1, len(words)), walls)
        dimension, flips = one.dimension, one.flips
        if not left and done and one.first - done[-1].last <= 4:
            left = done[-1].left
            if not dimension:
                dimension, flips = done[-1].dimension, done[-1].flips
        done.append(replace(one, left=left, right=right, dimension=dimension, flips=flips))
    for place in range(len(done) - 2, -1, -1):
        one, following = done[place], done[place + 1]
        if not one.left and not one.right and following.first - one.last <= 3:
            done[place] = replace(one, right=following.right)
    return tuple(done)


def _inside(words: Sequence[Word], one: ComparisonMention) -> tuple[str, ...]:
    """The subject that stands inside the comparison itself: "more seats than 200"."""
    if not one.numbers or words[one.first].stem not in {"more", "less", "fewer"}:
        return ()
    within = words[one.first + 1 : one.numbers[0].first]
    return tuple(
        word.stem
        for word in reversed(within)
        if not word.stop and word.stem != "equal" and word.text.lower() not in LONG_ADJECTIVES
    )


def _stems(text: str, words: Sequence[Word], places: range, walls: set[int]) -> tuple[str, ...]:
    """Stems of the content words at `places`, up to a wall or the end of the sentence."""
    stems: list[str] = []
    previous = places.start - places.step
    for index in places:
        earlier, later = sorted((previous, index))
        if index in walls or not _STOPS.isdisjoint(text[words[earlier].span[1] : words[later].span[0]].strip()):
            break
        if not words[index].stop and words[index].text.lower() not in _MARKS:
            stems.append(words[index].stem)
            if len(stems) == _CONTEXT:
                break
        previous = index
    return tuple(stems)
