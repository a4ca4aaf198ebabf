"""Comparators in words and signs, before a number ("no more than") and after it ("or fewer")."""

from collections.abc import Sequence

from stef.question.adjectives import degree_at
from stef.question.number_words import UNITS
from stef.question.numbers import NumberMention
from stef.records.reading import Word
from stef.records.record import record


@record(frozen=True, slots=True)
class Opened:
    """A comparator: its operator (`<`, `<=`, `>`, `>=`, `=`, `!=`), and the first and last word of the comparison."""

    operator: str
    first: int
    last: int
    dimension: tuple[str, ...] = ()
    flips: bool = False
    certain: bool = True


_OPPOSITE = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "!=", "!=": "="}
_INCLUSIVE = {">": ">=", "<": "<="}
_WORDS: dict[str, str] = {
    **dict.fromkeys(("over", "above", "exceeding", "exceeds", "exceed", "exceeded", "beyond", "surpassing"), ">"),
    **dict.fromkeys(("surpasses", "surpass", "surpassed"), ">"),
    **dict.fromkeys(("under", "below", "beneath"), "<"),
    **dict.fromkeys(("exactly", "precisely", "equals", "equalling", "equaling", "only", "just"), "="),
}
_PAIRS: dict[tuple[str, str], str] = {
    ("at", "least"): ">=",
    ("at", "most"): "<=",
    ("at", "minimum"): ">=",
    ("at", "maximum"): "<=",
    ("up", "to"): "<=",
    ("equal", "to"): "=",
    ("different", "from"): "!=",
    ("other", "than"): "!=",
    ("starting", "at"): ">=",
    ("starting", "from"): ">=",
    ("minimum", "of"): ">=",
    ("maximum", "of"): "<=",
}
_SIGNS: dict[str, str] = {
    ">=": ">=",
    "=>": ">=",
    "≥": ">=",
    "<=": "<=",
    "=<": "<=",
    "≤": "<=",
    ">": ">",
    "<": "<",
    "=": "=",
    "==": "=",
    "!=": "!=",
    "<>": "!=",
    "≠": "!=",
}
_AFTER: dict[str, str] = {
    **dict.fromkeys(("more", "greater", "higher", "above", "over", "older", "larger", "longer", "up", "better"), ">="),
    **dict.fromkeys(("upwards", "taller", "heavier", "bigger", "faster"), ">="),
    **dict.fromkeys(("less", "fewer", "lower", "below", "under", "younger", "smaller", "shorter", "lighter"), "<="),
    **dict.fromkeys(("cheaper", "slower", "worse"), "<="),
}
_FILLERS = frozenset({"a", "an", "the", "total", "of", "value", "age", "ages"})
_AGES = frozenset({"age", "ages"})
_NEGATABLE = frozenset(
    {"have", "has", "had", "be", "contain", "include", "own", "cost", "earn", "make", "get", "weigh"}
)
_COPULAS = frozenset({"is", "was", "are", "were", "be", "equals", "equal"})


def opening(text: str, words: Sequence[Word], low: list[str], number: NumberMention) -> Opened | None:
    """The comparator before `number`, or None."""
    before = number.first - 1
    if before < 0:
        return None
    gap = text[words[before].span[1] : number.span[0]].strip(" \t\n'\"$")
    if gap in _SIGNS:
        return Opened(_SIGNS[gap], number.first, number.last)
    found = operator_before(low, before, number.last)
    while found is None and before > 0 and low[before] in _FILLERS and number.first - before < 5:
        before -= 1
        found = operator_before(low, before, number.last)
    if found and number.first - found.first <= 6:
        if not _AGES.isdisjoint(low[before : number.first]):
            return Opened(found.operator, found.first, found.last, ("age",), True, found.certain)
        return _with_age(low, found, number)
    return _stated(words, low, number)


def _with_age(low: list[str], found: Opened, number: NumberMention) -> Opened:
    """The comparator, with the dimension that "under 5 years old" tells after the number."""
    unit = low[number.last + 1 : number.last + 3]
    if unit[:1] == ["years"] and unit[1:] in (["old"], ["of"]):
        return Opened(found.operator, found.first, number.last, ("age",), True)
    return found


def operator_before(low: Sequence[str], index: int, last: int) -> Opened | None:
    """The comparator whose last word stands at `index`, for what ends at word `last`."""
    if index < 0:
        return None
    form, previous = low[index], low[index - 1] if index else ""
    if form == "than" and previous != "other":
        return _than(low, index, last)
    if form in {"to", "equal"} and (found := _or_equal(low, index, last)):
        return found
    pair = _PAIRS.get((previous, form))
    if pair:
        return _negated(low, Opened(pair, index - 1, last))
    if form in _WORDS:
        if previous == "or" and low[index - 2] in {"at", "equal"}:
            return Opened(_INCLUSIVE.get(_WORDS[form], _WORDS[form]), index - 2, last)
        return _negated(low, Opened(_WORDS[form], index, last))
    if form == "not" or form.endswith("n't"):
        return Opened("!=", index, last)
    return None


def _than(low: Sequence[str], index: int, last: int) -> Opened | None:
    """ "more than", "no older than", "more expensive than", "more seats than"."""
    found = degree_at(low, index - 1)
    first = index - 1
    certain = True
    if found is None:
        places = [place for place in (index - 2, index - 3) if place >= 0 and low[place] in {"more", "less", "fewer"}]
        found = degree_at(low, places[0]) if places else None
    if found is None or found[0].superlative:
        return None
    degree, first = found
    opened = Opened(">" if degree.high else "<", first, last, degree.dimension, degree.flips, certain)
    if first > 1 and low[first - 1] == "or" and low[first - 2] in {"to", "equal"}:
        start = first - 2 if low[first - 2] == "equal" else first - 3
        return Opened(_INCLUSIVE[opened.operator], max(start, 0), last, degree.dimension, degree.flips)
    return _negated(low, opened)


def _or_equal(low: Sequence[str], index: int, last: int) -> Opened | None:
    """ "greater than or equal to", "less than or equal"."""
    equal = index - 1 if low[index] == "to" else index
    if equal < 2 or low[equal] != "equal" or low[equal - 1] != "or":
        return None
    before = equal - 2
    degree = degree_at(low, before)
    if low[before] == "than":
        opened = _than(low, before, last)
    elif degree is not None and low[before].endswith(("er", "re", "ss")) and not degree[0].superlative:
        # "greater or equal to"
        opened = Opened(">" if degree[0].high else "<", degree[1], last, degree[0].dimension, degree[0].flips)
    else:
        opened = operator_before(low, before, last)
    if opened is None or opened.operator not in _INCLUSIVE:
        return opened
    return Opened(_INCLUSIVE[opened.operator], opened.first, last, opened.dimension, opened.flips)


def _negated(low: Sequence[str], opened: Opened) -> Opened:
    """The comparator turned round where "no" or "not" stands before it, or before the verb before it."""
    before = opened.first - 1
    if before >= 1 and low[before] in _NEGATABLE:
        before -= 1
    form = low[before] if before >= 0 else ""
    direct = before == opened.first - 1
    if (form == "no" and direct) or form in {"not", "never", "cannot"} or form.endswith("n't"):
        operator = _OPPOSITE[opened.operator]
        return Opened(operator, before, opened.last, opened.dimension, opened.flips, opened.certain)
    return opened


def _stated(words: Sequence[Word], low: list[str], number: NumberMention) -> Opened | None:
    """ "whose rating is 5", "a rating of 5", "5 years old": equal, where nothing else follows that it could count."""
    follower = low[number.last + 1] if number.last + 1 < len(low) else ""
    if low[number.last + 1 : number.last + 3] in (["years", "old"], ["year", "old"]):
        return None
    before = number.first - 1
    counts = bool(follower) and not words[number.last + 1].stop and follower not in UNITS
    counts = counts and not (number.percent or number.currency)
    if counts or before < 1:
        return None
    if low[before] in _COPULAS and not words[before - 1].stop:
        return Opened("=", number.first, number.last)
    if low[before] == "of" and not words[before - 1].stop and not low[before - 1].endswith("s"):
        return Opened("=", number.first, number.last)
    return None


def closing(text: str, words: Sequence[Word], low: list[str], number: NumberMention) -> Opened | None:
    """The comparator after `number`, or None: "5 or more", "20 years and older", "5+", "3 at most"."""
    if text[number.span[1] : number.span[1] + 1] == "+":
        return Opened(">=", number.first, number.last)
    after = number.last + 1
    aged = low[after : after + 2] in (["years", "old"], ["year", "old"], ["years", "of"])
    if after < len(low) and low[after] in UNITS:
        after += 1 + aged
    forms = (*low[after : after + 2], "", "")
    dimension: tuple[str, ...] = ("age",) if aged else ()
    flips = aged
    if forms[0] in {"or", "and"} and forms[1] in _AFTER and _ends(text, words, low, (after, forms[0])):
        degree = degree_at(low, after + 1)
        if degree and degree[0].dimension:
            dimension, flips = degree[0].dimension, degree[0].flips
        return Opened(_AFTER[forms[1]], number.first, after + 1, dimension, flips)
    if forms[:2] == ("at", "least"):
        return Opened(">=", number.first, after + 1, dimension, flips)
    if forms[:2] == ("at", "most"):
        return Opened("<=", number.first, after + 1, dimension, flips)
    return Opened("=", number.first, after - 1, dimension, flips) if aged else None


def _ends(text: str, words: Sequence[Word], low: list[str], at: tuple[int, str]) -> bool:
    """Whether "and above" ends there, and does not go on to something else ("5 and more than 3")."""
    after, joiner = at
    following = low[after + 2] if after + 2 < len(low) else ""
    if following == "than":
        return False
    if joiner == "or" or not following:
        return True
    gap = text[words[after + 1].span[1] : words[after + 2].span[0]].strip()
    return bool(gap) or words[after + 2].stop
