"""What an answer claims: its numbers, dates and names, each with the sentence that it stands in."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from stef.question.number_words import TIMES
from stef.question.numbers import NumberMention, find_numbers
from stef.question.periods import find_periods
from stef.question.scan import scan_text
from stef.question.values import find_values
from stef.question.words import tokenize
from stef.records.expressions import Span
from stef.verify.wording.table import fold

MOST_CHARACTERS = 20_000
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-z]|\d)|\n+|(?<=[;])\s+")
_LIST_MARK = re.compile(r"(?m)^\s*(?:[-*•]\s*)?(\d{1,3})[.)]\s")
_MANTISSA = re.compile(r"(\d[\d,]*)(?:\.(\d+))?")
_ABOUT = re.compile(
    r"\b(?:about|around|approximately|approx|roughly|nearly|almost|circa|some|over|more than|less than|just under|"
    r"close to|under|at least|up to)\W*$|[~≈]\s*$",
    re.IGNORECASE,
)
_LEEWAY = 0.05
_HALF_OF_TIMES = 0.1
"""What is 2.5 times as much is not called twice as much."""
_POINTS = re.compile(r"\b(?:the|these|those|other|into|no|any)\s+$", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\s+(?:is|was|are|were|has|had|with|of|that|which|who|in|on|by)\b|\s*[.,:;!?)]|\s*$", re.IGNORECASE
)
_SMALL = 12


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its place in the answer; `folded` for looking things up."""

    text: str
    span: Span
    folded: str


@dataclass(frozen=True, slots=True)
class Stated:
    """A number as an answer states it: any value within `half` of `value` would be written so.

    `exact`: it is written whole, so that whole numbers are it only if they are equal. `about` widens both. `lone`: no
    other number stands in its sentence.
    """

    text: str
    span: Span
    value: float
    half: float
    exact: bool
    about: bool
    percent: bool
    ordinal: bool
    unit: str | None
    sentence: Sentence
    lone: bool = False

    def fits(self, number: float) -> bool:
        """Whether a number would be stated so; its sign is left aside ("a decrease of 5")."""
        apart = min(abs(number - self.value), abs(-number - self.value))
        if self.about:
            return apart <= max(self.half, _LEEWAY * abs(self.value))
        if self.exact and number == int(number):
            return apart == 0
        return apart <= self.half * (1 + 1e-9) + 1e-12 * abs(self.value)


@dataclass(frozen=True, slots=True)
class Dated:
    """A date or period as an answer states it: from `low` up to and without `high`."""

    text: str
    span: Span
    low: datetime
    high: datetime
    grain: str


@dataclass(frozen=True, slots=True)
class Named:
    """A name, or a quoted text."""

    text: str
    span: Span
    quoted: bool


@dataclass(frozen=True, slots=True)
class Claims:
    """All that an answer claims."""

    numbers: tuple[Stated, ...]
    dates: tuple[Dated, ...]
    names: tuple[Named, ...]


def claims_of(text: str, now: datetime | None = None) -> Claims:
    """The claims of the first 20,000 characters of an answer. The numbers of a list's own numbering are none."""
    text = text[:MOST_CHARACTERS]
    words = tokenize(text)
    sentences = sentences_of(text)
    dates = _dates(text, now)
    taken = [one.span for one in dates] + [match.span(1) for match in _LIST_MARK.finditer(text)]
    found = [one for one in find_numbers(text, words) if not _inside(one.span, taken)]
    numbers = [_stated(text, one, sentences) for one in found if not _is_reference(text, one)]
    held = Counter(one.sentence.span for one in numbers)
    numbers = [replace(one, lone=held[one.sentence.span] == 1) for one in numbers]
    return Claims(tuple(numbers), dates, _names(text, sentences))


def sentences_of(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text; a line ends one, too."""
    found, start = [], 0
    for end, following in [*(match.span() for match in _SENTENCE_END.finditer(text)), (len(text), len(text))]:
        if text[start:end].strip():
            found.append(Sentence(text[start:end], (start, end), fold(text[start:end])))
        start = following
    return tuple(found)


def _stated(text: str, one: NumberMention, sentences: Sequence[Sentence]) -> Stated:
    sentence = next((each for each in sentences if each.span[0] <= one.span[0] < each.span[1]), sentences[0])
    value = float(one.value)
    found = _MANTISSA.search(one.text)
    half, exact = 0.5, True
    if found is not None:
        mantissa = float(found.group(1).replace(",", "") + "." + (found.group(2) or "0"))
        scale = abs(value) / mantissa if mantissa else 1.0
        decimals = len(found.group(2) or "")
        half = 0.5 * 10.0**-decimals * scale
        exact = decimals == 0 and scale == 1.0
    elif one.text.casefold() in TIMES:
        half = _HALF_OF_TIMES
    before = text[max(0, one.span[0] - 20) : one.span[0]]
    return Stated(
        text=one.text,
        span=one.span,
        value=value,
        half=half,
        exact=exact,
        about=_ABOUT.search(before) is not None,
        percent=one.percent,
        ordinal=one.ordinal,
        unit=one.unit,
        sentence=sentence,
    )


def _is_reference(text: str, one: NumberMention) -> bool:
    """ "the two tables", "the first one": a small number in words that points at what is known already."""
    if one.text.casefold() == "one" and _PRONOUN.match(text[one.span[1] :]):
        return True
    small = one.text.isalpha() and not one.ordinal and one.value <= _SMALL
    return small and _POINTS.search(text[max(0, one.span[0] - 12) : one.span[0]]) is not None


def _dates(text: str, now: datetime | None) -> tuple[Dated, ...]:
    found = []
    for one in find_periods(text, tokenize(text), now):
        interval = one.interval
        low = None if interval is None or interval.low is None else interval.low.value
        high = None if interval is None or interval.high is None else interval.high.value
        if isinstance(low, datetime) and isinstance(high, datetime):
            found.append(Dated(one.text, one.span, low, high, one.grain))
    return tuple(found)


def _names(text: str, sentences: Sequence[Sentence]) -> tuple[Named, ...]:
    found = []
    for sentence in sentences:
        for value in find_values(scan_text(sentence.text)):
            first, last = value.span
            span = (sentence.span[0] + first, sentence.span[0] + last)
            if len(value.text) > 1 and any(map(str.isalpha, value.text)) and not _is_code(text, span, value.text):
                found.append(Named(value.text, span, value.quoted))
    return tuple(found)


def _is_code(text: str, span: Span, name: str) -> bool:
    """A word between back-quotes or with underscores is a name of the database, not of anything in it."""
    return "_" in name or text[span[0] - 1 : span[0]] == "`" or text[span[1] : span[1] + 1] == "`"


def _inside(span: Span, spans: Sequence[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in spans)
