"""Numbers of a question: digits and number words, with their marks."""

import re
from collections.abc import Sequence

from stef.question.number_spelled import Core, number_in_words
from stef.question.number_words import (
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    PERCENT_WORDS,
    QUANTITY_WORDS,
    SCALES,
    SUFFIX_SCALES,
    UNITS,
)
from stef.records.expressions import Span
from stef.records.reading import Word
from stef.records.record import record


@record(frozen=True, slots=True)
class NumberMention:
    """A number as written, with its value.

    `ordinal`: "third", "2nd". `percent`: the value is as written (50 for "50%"). `currency`: its sign, or its word in
    lower case. `unit`: the measure named right after it, in lower case ("70 kg", "3 years", "4-star"). `label`: it
    names the noun right before it and counts nothing ("store 12", "#5", "id 7", "Boeing 737"). `quoted`: it stands
    inside quotes. `first`, `last` are the places of its first and last word in the words that it was found in.
    """

    text: str
    span: Span
    value: int | float
    first: int
    last: int
    ordinal: bool = False
    percent: bool = False
    currency: str | None = None
    unit: str | None = None
    label: bool = False
    quoted: bool = False


_DIGIT = re.compile(r"\d")
_NUMERAL = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?([^\W\d_]*)")
_LIST = re.compile(r"\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)+")
_QUOTES = re.compile(r"(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|“[^”]*”|‘[^’]*’|`[^`]*`")
_ORDINAL_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_OPEN_BEFORE_HYPHEN = frozenset({"top", "under", "over", "bottom", "first", "last", "mid"})
_HYPHENS = frozenset({"-", "–"})
_LABELS = frozenset({"number", "no", "nr", "num", "id", "code", "key"})


def find_numbers(text: str, words: Sequence[Word]) -> tuple[NumberMention, ...]:
    """The numbers of `text`, in order; `words` are its words.

    Digits inside names and codes ("A11", "3-D", "K-12", "8:30", "1.2.3") are no numbers. Numbers inside dates are
    found too: they lie in the span of a period.
    """
    digits = _DIGIT.search(text) is not None
    lowered = [word.text.lower() for word in words]
    if not digits and QUANTITY_WORDS.isdisjoint(lowered):
        return ()
    quotes: tuple[Span, ...] | None = None
    found: list[NumberMention] = []
    beyond = 0
    for index, form in enumerate(lowered):
        if index < beyond or not (form[0].isdecimal() or form in QUANTITY_WORDS):
            continue
        cores = _digits(text, words, lowered, index) if form[0].isdecimal() else _spelled(words, lowered, index)
        if not cores:
            continue
        if quotes is None:
            quotes = tuple(match.span() for match in _QUOTES.finditer(text))
        found.extend(_marked(text, words, lowered, core, quotes) for core in cores)
        beyond = cores[-1].last + 1
    return tuple(found)


def _digits(text: str, words: Sequence[Word], lowered: list[str], index: int) -> tuple[Core, ...]:
    """The numbers in digits at `index`: none, one, or several of one written list ("1,2,3")."""
    form = words[index].text
    start, end = words[index].span
    if _in_code(text, words, lowered, index) or _in_chain(text, words, index):
        return ()
    match = _NUMERAL.fullmatch(form)
    if match is None:
        return _listed(form, start, index) if _LIST.fullmatch(form) else ()
    whole, decimals, suffix = match.groups()
    value: int | float = float(whole.replace(",", "") + decimals) if decimals else _integer(whole.replace(",", ""))
    folded = suffix.lower()
    kind = _suffix_kind(suffix, folded, whole)
    if kind == "code":
        return ()
    if kind == "scale":
        value *= SUFFIX_SCALES[folded]
    if text[end : end + 1] == "/" and text[end + 1 : end + 2].isdecimal() and index + 1 < len(words):
        return _fraction(words, index, value)
    start = _signed_start(text, start)
    negative = text[start] in "-−"
    if start > 0 and text[start - 1] == "." and not text[max(0, start - 2) : start - 1].isalnum() and value >= 0:
        value, start = float(f".{form}") if form.isdecimal() else value, start - 1
    last = index
    while last + 1 < len(words) and lowered[last + 1] in SCALES and not suffix:
        value, last = value * SCALES[lowered[last + 1]], last + 1
    value = _plain(-value if negative else value)
    unit = folded if kind == "unit" else None
    return (Core(value, (start, words[last].span[1]), index, last, kind == "ordinal", unit),)


def _suffix_kind(suffix: str, folded: str, whole: str) -> str:
    """What the letters right after digits are: "ordinal", "scale", "unit", none (empty), or part of a "code"."""
    if not suffix:
        return ""
    if folded in _ORDINAL_SUFFIXES:
        return "ordinal"
    if folded in SUFFIX_SCALES and suffix != "B":
        return "scale"
    decade = folded == "s" and whole.endswith("0")
    return "unit" if folded in UNITS and not decade and (suffix.islower() or len(suffix) > 1) else "code"


def _integer(digits: str) -> int | float:
    """Beyond 4,300 digits Python refuses to make an integer of a text; no database holds one beyond 40."""
    return int(digits) if len(digits) <= 40 else float("1e40")


def _plain(value: float) -> float:
    """2.0 is 2."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


def _listed(form: str, start: int, index: int) -> tuple[Core, ...]:
    cores = []
    for piece in re.finditer(r"[\d.]+", form):
        span = (start + piece.start(), start + piece.end())
        number = piece.group()
        value = float(number) if "." in number else _integer(number)
        cores.append(Core(_plain(value), span, index, index))
    return tuple(cores)


def _fraction(words: Sequence[Word], index: int, over: float) -> tuple[Core, ...]:
    """ "3/4" is a number where it is a proper fraction of small parts; else it is a date or a code, and none."""
    under = words[index + 1].text
    if under.isdecimal() and 0 < over < int(under[:9]) <= 10:
        span = (words[index].span[0], words[index + 1].span[1])
        return (Core(over / int(under), span, index, index + 1),)
    return ()


def _signed_start(text: str, start: int) -> int:
    """Where the number starts with its sign: a minus that nothing stands before but space, a bracket or an operator."""
    if start and text[start - 1] in "-−" and (start == 1 or text[start - 2] in " \t\n(=<>,:"):
        return start - 1
    return start


def _in_chain(text: str, words: Sequence[Word], index: int) -> bool:
    """Whether the digits are a link of a code of digits and hyphens: "016-25367", "67-66-67"; "10-20" is a range."""
    first = last = index
    while first and words[first - 1].text.isdecimal() and _between(text, words, first - 1) in _HYPHENS:
        first -= 1
    while last + 1 < len(words) and words[last + 1].text[0].isdecimal() and _between(text, words, last) in _HYPHENS:
        last += 1
    links = words[first : last + 1]
    if len(links) == 1 or (len(links) == 3 and len(links[0].text) == 4):
        return False
    return len(links) > 2 or any(link.text[0] == "0" and len(link.text) > 1 for link in links)


def _between(text: str, words: Sequence[Word], index: int) -> str:
    return text[words[index].span[1] : words[index + 1].span[0]]


def _in_code(text: str, words: Sequence[Word], lowered: list[str], index: int) -> bool:
    """Whether the digits at `index` are a piece of a name, a code, a time or a version."""
    start, end = words[index].span
    before, after = text[start - 1 : start], text[end : end + 1]
    if before == "_" or after == "_":
        return True
    if before == ":" and text[start - 2 : start - 1].isdecimal():
        return True
    if after == ":" and text[end + 1 : end + 2].isdecimal():
        return True
    if before == "/" and start > 1 and text[start - 2].isdecimal():
        return True
    if before == "-" and start > 1 and text[start - 2].isalpha():
        return lowered[index - 1] not in _OPEN_BEFORE_HYPHEN and lowered[index - 1] not in QUANTITY_WORDS
    if after == "-" and text[end + 1 : end + 2].isalpha() and index + 1 < len(words):
        follower = words[index + 1].text
        return len(follower) < 2 or not follower.islower()
    return False


def _spelled(words: Sequence[Word], lowered: list[str], index: int) -> tuple[Core, ...]:
    """The number in words that starts at `index`: none or one."""
    core = number_in_words(words, lowered, index)
    return (core,) if core else ()


def _marked(
    text: str, words: Sequence[Word], lowered: list[str], core: Core, quotes: tuple[Span, ...]
) -> NumberMention:
    """The number with the marks that stand around it."""
    start, end = core.span
    first, last, value = core.first, core.last, core.value
    previous = lowered[first - 1] if first else ""
    following = lowered[last + 1] if last + 1 < len(words) else ""
    if previous in {"minus", "negative"}:
        first, start, value = first - 1, words[first - 1].span[0], -value
    percent = False
    tail = text[end : end + 2].lstrip()
    if tail.startswith("%"):
        percent, end = True, text.index("%", end) + 1
    elif following in PERCENT_WORDS or (following == "per" and lowered[last + 2 : last + 3] == ["cent"]):
        last += 1 if following != "per" else 2
        percent, end = True, words[last].span[1]
    currency = None
    if start and text[start - 1] in CURRENCY_SIGNS:
        start, currency = start - 1, text[start - 1]
    elif following in CURRENCY_WORDS:
        currency = following
    elif previous in CURRENCY_WORDS:
        currency = previous
    unit = core.unit or (following if following in UNITS and not core.ordinal else None)
    plain = not (percent or currency or unit or core.ordinal or core.spelled)
    label = plain and (text[start - 1 : start] == "#" or (first > 0 and _labels(text, words, lowered, first, last)))
    quoted = any(low < start and end < high for low, high in quotes)
    return NumberMention(
        text[start:end], (start, end), value, first, last, core.ordinal, percent, currency, unit, label, quoted
    )


def _labels(text: str, words: Sequence[Word], lowered: list[str], first: int, last: int) -> bool:
    """Whether the noun right before the number is what it names: "store 12 sold", but not "sold 12 stores"."""
    noun = words[first - 1]
    start = words[first].span[0]
    between = text[noun.span[1] : start].strip()
    if lowered[first - 1] in _LABELS:
        return True
    if between or noun.stop or lowered[first - 1] in QUANTITY_WORDS or noun.text[0].isdecimal():
        return False
    if noun.text[0].isupper() and first > 1 and not noun.text.isupper():
        return True
    if last + 1 >= len(words):
        return True
    follower = words[last + 1]
    return follower.stop or bool(text[words[last].span[1] : follower.span[0]].strip(" $\t\n"))
