"""Numbers in words: "twenty-five", "two hundred and twelve", "half a dozen", "two thirds"."""

from collections.abc import Sequence

from stef.question.number_words import CARDINALS, FRACTIONS, ORDINALS, SCALES, TIMES
from stef.records.expressions import Span
from stef.records.reading import Word
from stef.records.record import record

_NOT_ONE_AFTER = frozenset({"the", "which", "this", "that", "no", "any", "each", "every", "another", "what"})
_NOT_ONE_BEFORE = frozenset({"of", "another", "who", "that", "which", "whose"})
_COUNTS_ONE = frozenset({"than", "least", "most", "exactly", "only", "to", "equal"})


@record(frozen=True, slots=True)
class Core:
    """The bare value of a number, before its marks are read; `spelled`: it stands in words."""

    value: int | float
    span: Span
    first: int
    last: int
    ordinal: bool = False
    unit: str | None = None
    spelled: bool = False


def number_in_words(words: Sequence[Word], lowered: list[str], index: int) -> Core | None:
    """The number in words that starts at word `index`, or None; `lowered` are the words in lower case."""
    form = lowered[index]
    following = lowered[index + 1] if index + 1 < len(words) else ""
    previous = lowered[index - 1] if index else ""
    capital = index > 0 and words[index].text[0].isupper() and not words[index].text.isupper()
    if capital or form in {"minus", "negative"}:
        return None
    if form in TIMES:
        return Core(TIMES[form], words[index].span, index, index, spelled=True)
    if form == "half":
        return _half(words, lowered, index)
    if form in ORDINALS:
        if (following == "name" and form == "first") or (
            form == "second" and previous in {"per", "each", "a", "every"}
        ):
            return None
        return Core(ORDINALS[form], words[index].span, index, index, ordinal=True, spelled=True)
    if form == "one" and previous not in _COUNTS_ONE and (previous in _NOT_ONE_AFTER or following in _NOT_ONE_BEFORE):
        return None
    if form in SCALES and not (previous in {"a", "per"} or following not in {"of", ""}):
        return None
    value, last, ordinal = _compose(lowered, index)
    if last + 1 < len(words) and lowered[last + 1] in FRACTIONS and lowered[last + 1].endswith("s") and value < 100:
        return Core(
            value / FRACTIONS[lowered[last + 1]], _across(words, index, last + 1), index, last + 1, spelled=True
        )
    first = index - 1 if form in SCALES and previous == "a" else index
    return Core(value, _across(words, first, last), first, last, ordinal, spelled=True)


def _half(words: Sequence[Word], lowered: list[str], index: int) -> Core | None:
    """ "half a dozen" is 6, "half of" and "half the" are 0.5; "first half" is a period."""
    if lowered[index + 1 : index + 3] == ["a", "dozen"]:
        return Core(6, _across(words, index, index + 2), index, index + 2, spelled=True)
    if index and lowered[index - 1] in ORDINALS:
        return None
    return Core(0.5, words[index].span, index, index, spelled=True)


def _compose(lowered: list[str], index: int) -> tuple[int, int, bool]:
    """Value, last word, and whether ordinal, of the number words from `index` on: "two hundred and twenty-five"."""
    total = current = 0
    smallest = 10**13
    last, position = index, index
    while position < len(lowered):
        form = lowered[position]
        joined = form == "and" and position > index and current % 100 == 0 and (total or current)
        if joined and position + 1 < len(lowered) and lowered[position + 1] in CARDINALS:
            position += 1
            form = lowered[position]
        value = CARDINALS.get(form)
        ordinal = ORDINALS.get(form) if position > index and value is None else None
        if ordinal is not None and current % 10 == 0 and ordinal < 10 and current % 100 >= 20:
            return total + current + ordinal, position, True
        if value is not None and (current == 0 or _fits(current, value)):
            current += value
        elif form in SCALES and SCALES[form] < smallest and (SCALES[form] != 100 or current < 100):
            scale = SCALES[form]
            if scale == 100:
                current = max(1, current) * 100
            else:
                total, current, smallest = total + max(1, current) * scale, 0, scale
        else:
            break
        last, position = position, position + 1
    return total + current, last, False


def _fits(current: int, value: int) -> bool:
    """Whether `value` goes on the number so far: "twenty" "five", "two hundred" "thirty"."""
    return current % 100 == 0 or (current % 10 == 0 and current % 100 >= 20 and 0 < value < 10)


def _across(words: Sequence[Word], first: int, last: int) -> Span:
    return (words[first].span[0], words[last].span[1])
