"""Aggregates that a question asks for: counts, totals, averages, maxima and minima as values."""

from collections.abc import Callable

from stef.question.grammar import DETERMINERS, DISTINCT_WORDS
from stef.question.scan import MAX_PARTS, Draft, phrase_at
from stef.question.wordlists import word_set
from stef.records.expressions import Agg, Phrase
from stef.records.spec import Projection

Reader = Callable[[Draft, int], None]
"""A reader is called at the place of a word that triggers it, and adds to the draft what it finds."""

_DURATIONS = word_set("year years month months week weeks day days hour hours minute minutes second seconds")
_MORE = word_set("more fewer less higher lower older younger taller heavier faster longer bigger larger")
_BEFORE_NUMBER_OF = (
    DETERMINERS | DISTINCT_WORDS | word_set("total and of or with by is are what count find show list give return for "
    "have has calculate compute average maximum minimum most least fewest largest smallest highest lowest greatest "
    "more than to least in from on different as whose")
)  # fmt: skip
_COMPARED = word_set("than above below over under exceeds exceed exceeding exceeded beyond")


def read_how(draft: Draft, index: int) -> None:
    """ "how many X", "how much", "how long", "how old"."""
    scan = draft.scan
    word = scan.at(index + 1)
    if word == "many":
        _how_many(draft, index)
    elif word == "much" or (word in _MORE and word != "more"):
        if word in _MORE or scan.at(index + 2) in _MORE:
            draft.note("difference_asked", index, min(index + 2, len(scan) - 1))
        else:
            draft.note("amount_asked", index, index + 1)
    elif word == "long":
        draft.note("duration_asked", index, index + 1)
    elif word == "old":
        draft.note("age_asked", index, index + 1)
        _project(draft, Phrase(("age",), "how old", scan.span(index, index + 1)))
    elif word in ("often", "frequently"):
        draft.note("count_asked", index, index + 1)
    elif word in ("tall", "heavy", "far", "fast", "big", "large", "high", "deep", "wide"):
        stems = {"tall": "height", "heavy": "weight", "far": "distance", "fast": "speed", "high": "height"}
        _project(draft, Phrase((stems.get(word, scan.words[index + 1].stem),), scan.slice(index, index + 1)))


def _how_many(draft: Draft, index: int) -> None:
    scan = draft.scan
    following = scan.at(index + 2)
    if following in _MORE:
        draft.note("difference_asked", index, index + 2)
        return
    if following in _DURATIONS and scan.at(index + 3) not in ("of", "with"):
        draft.note("duration_asked", index, index + 2)
        return
    if following == "percent":
        draft.note("percentage_asked", index, index + 2)
        return
    if following == "times" and _compares_times(draft, index + 3):
        draft.note("ratio_asked", index, index + 2)
        return
    draft.note("count_asked", index, index + 1)
    if following in ("times", "in", "of", "are", "") or scan.gap[index + 1]:
        start = index + 3 if following == "of" else index + 2
        phrase = phrase_at(scan, start, plural_ends=True)[0] if following == "of" else None
        _project(draft, Agg("COUNT", phrase, span=scan.span(index, index + 1)))
        return
    _count(draft, index, index + 2)


def _compares_times(draft: Draft, start: int) -> bool:
    """ "how many times is A compared to B", "how many times more than": a quotient."""
    rest = draft.scan.low[start : start + 30]
    return any(word in ("compared", "as", "than", "larger", "bigger", "higher") for word in rest)


def _count(draft: Draft, index: int, start: int) -> None:
    scan = draft.scan
    distinct = _distinct_from(draft, start)
    phrase, end = phrase_at(scan, start, plural_ends=True)
    span = scan.span(index, max(end - 1, index))
    _project(draft, Agg("COUNT", phrase, distinct, span=span))


def _distinct_from(draft: Draft, start: int) -> bool:
    """Whether "different" and its kind stand before the noun at `start`, over determiners and "kinds of"."""
    scan = draft.scan
    while start < len(scan) and (scan.low[start] in DETERMINERS or scan.low[start] in DISTINCT_WORDS):
        if scan.low[start] in DISTINCT_WORDS:
            return True
        start += 1
    return False


def read_number_of(draft: Draft, index: int) -> None:
    """ "number of X", unless it is a column's own name ("phone number of the owner")."""
    scan = draft.scan
    if scan.at(index + 1) != "of" or scan.gap[index]:
        return
    before = scan.at(index - 1)
    if index and not scan.gap[index - 1] and before not in _BEFORE_NUMBER_OF:
        return
    if scan.low[index] == "no" and before not in ("the", "total", "and", "return"):
        return
    if scan.words[index].text == "numbers" and before not in ("the", "total", "and"):
        return
    draft.note("number_of_asked", index, index + 1)
    if index in draft.done or _is_compared(draft, index) or _is_measured(draft, index):
        return
    _count(draft, index, index + 2)


def read_count(draft: Draft, index: int) -> None:
    """ "count the X", "the count of X"."""
    scan = draft.scan
    word = scan.low[index]
    if scan.starts_sentence(index) or scan.at(index - 1) in ("and", "please", "also"):
        start = index + 1
        draft.note("count_asked", index, index)
        if scan.at(start) == "the" and scan.at(start + 1) == "number":
            return
        if scan.at(start) == "of":
            start += 1
        if start < len(scan):
            _count(draft, index, start)
    elif (
        scan.at(index + 1) == "of"
        and word in ("count", "counts", "tally")
        and scan.at(index - 1) in ("the", "a", "total")
    ):
        draft.note("count_asked", index, index)
        if not _is_measured(draft, index):
            _count(draft, index, index + 2)


def read_total(draft: Draft, index: int) -> None:
    """ "total X", "sum of X"; "total number of X" is left to the count."""
    scan = draft.scan
    following = scan.at(index + 1)
    if following == "number" or (following in ("count", "of") and scan.low[index] == "total" and following == "count"):
        return
    if scan.gap[index] or index + 1 == len(scan):
        return
    draft.note("total_asked", index, index)
    _aggregate(draft, index, "SUM")


def read_average(draft: Draft, index: int) -> None:
    """ "average X", "mean X", "on average"."""
    draft.note("average_asked", index, index)
    _aggregate(draft, index, "AVG")


def _aggregate(draft: Draft, index: int, name: str) -> None:
    scan = draft.scan
    if index in draft.done or _is_compared(draft, index) or _is_measured(draft, index):
        return
    start = index + 1
    if scan.at(start) == "of":
        start += 1
    # "average and maximum age", "average, maximum and minimum age": the noun stands after the last one.
    while start - index < _NEAR and scan.at(start) in _LISTED and start < len(scan) - 1:
        start += 1
    if start >= len(scan):
        return
    if scan.at(start) == "number" and scan.at(start + 1) == "of":
        phrase, end = phrase_at(scan, start + 2, plural_ends=True)
        counted = Agg("COUNT", phrase) if phrase is not None else None
        _project(draft, Agg(name, counted, span=scan.span(index, end - 1)))
        draft.done.update(range(index, start + 1))
        return
    phrase, end = phrase_at(scan, start)
    if phrase is not None and phrase.stems:
        _project(draft, Agg(name, phrase, span=scan.span(index, max(end - 1, index))))


_EXTREMES = {
    "maximum": "MAX", "max": "MAX", "highest": "MAX", "largest": "MAX", "greatest": "MAX", "biggest": "MAX",
    "minimum": "MIN", "min": "MIN", "lowest": "MIN", "smallest": "MIN", "average": "AVG", "mean": "AVG",
    "total": "SUM", "latest": "MAX", "earliest": "MIN", "longest": "MAX", "shortest": "MIN",
}  # fmt: skip


_LISTED = frozenset(_EXTREMES) | {"and", "or"}
_NEAR = 9


def extreme_of(word: str) -> str | None:
    """The aggregate that an adjective names where a value is asked ("the *highest* salary"), or None."""
    return _EXTREMES.get(word)


def asks_for_value(draft: Draft, index: int) -> bool:
    """Whether a superlative stands where a value is asked ("what is *the highest* salary"), not where it picks rows."""
    scan = draft.scan
    at = index - 1
    while at >= 0 and index - at < _NEAR and (scan.low[at] in DETERMINERS or scan.low[at] in _LISTED):
        at -= 1
    if at < 0:
        return True
    word = scan.low[at]
    if word in ("is", "are", "was", "were", "'s", "what's"):
        return scan.at(at - 1) in ("what", "what's") or word == "what's"
    return word in _ASKING and (scan.starts_sentence(at) or scan.at(at - 1) in ("and", "to", "please", "also", "me"))


_ASKING = word_set("find show list give return display report calculate compute determine me what get tell")


def read_extreme(draft: Draft, index: int) -> None:
    """ "maximum X" as a value."""
    name = _EXTREMES[draft.scan.low[index]]
    draft.note("maximum_asked" if name == "MAX" else "minimum_asked", index, index)
    _aggregate(draft, index, name)


def _is_compared(draft: Draft, index: int) -> bool:
    """ "older than *average*", "above the *average* weight": a threshold, not an output."""
    scan = draft.scan
    at = index - 1
    while at >= 0 and index - at < _NEAR and (scan.low[at] in DETERMINERS or scan.low[at] in ("on", "total", "in")):
        at -= 1
    return at >= 0 and scan.low[at] in _COMPARED


def _is_measured(draft: Draft, index: int) -> bool:
    """ "the highest *average* attendance": what a superlative measures, not an output of its own."""
    before = draft.scan.at(index - 1)
    return before in _MEASURING or (before == "total" and draft.scan.at(index - 2) in _MEASURING)


_MEASURING = word_set(
    "highest lowest largest smallest biggest greatest most least fewest maximum minimum top by whose having"
)


def _project(draft: Draft, expr: Agg | Phrase) -> None:
    span = expr.span
    if len(draft.projections) > MAX_PARTS or any(done.expr == expr and done.span == span for done in draft.projections):
        return
    draft.projections.append(Projection(expr, span=span))
