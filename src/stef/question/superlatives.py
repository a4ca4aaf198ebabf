"""Superlatives and top-k of a question: "the youngest singer", "top 5 by sales", "second highest", "the most X"."""

from stef.question.aggregates import asks_for_value, extreme_of, read_extreme
from stef.question.grammar import DETERMINERS, GRADED, ORDINALS, SMALL_NUMBERS, SUPERLATIVES, TIMED
from stef.question.scan import STOP, Draft, Scan, is_plural, phrase_at
from stef.question.wordlists import word_set
from stef.records.expressions import Agg, Expr, Phrase
from stef.records.spec import Order, TopK

_EXTREME_WORDS = frozenset(SUPERLATIVES)
_AGG_WORDS = {"average": "AVG", "mean": "AVG", "avg": "AVG", "total": "SUM", "combined": "SUM", "overall": "SUM"}
_BY = word_set("by on of regarding")


def read_superlative(draft: Draft, index: int) -> None:
    """ "highest X", "youngest X": rows picked by an order, or a value asked."""
    scan = draft.scan
    word = scan.low[index]
    if index in draft.done:
        return
    if _is_direction(scan, index):
        return
    if scan.at(index - 1) == "than" or (scan.at(index - 1) in DETERMINERS and scan.at(index - 2) == "than"):
        draft.note("superlative_compared", index, index)
        return
    if word in ("first", "last"):
        return
    timed = word not in ("latest", "earliest", "longest", "shortest") or scan.at(index + 1) in TIMED
    if timed and extreme_of(word) is not None and _measure_follows(scan, index) and asks_for_value(draft, index):
        read_extreme(draft, index)
        return
    if scan.at(index - 1) in _AGG_WORDS or (scan.at(index - 1) == "of" and scan.at(index - 2) in _AGG_WORDS):
        # "average of fastest lap speed": a column's name.
        return
    stems, descending = SUPERLATIVES[word]
    expr, end = _measure(scan, index, stems)
    known = _known_direction(word, expr, descending)
    _add_top(draft, index, end, expr, known)


def read_first_to(draft: Draft, index: int) -> None:
    """ "the first student to register": rows by when they did it."""
    scan = draft.scan
    if scan.at(index - 1) != "the" or scan.gap[index] or index in draft.done:
        return
    _, end = phrase_at(scan, index + 1, attach=False)
    verb = end + 1
    if not index + 1 < end <= index + 4 or scan.at(end) != "to" or verb >= len(scan) or scan.gap[end]:
        return
    if scan.low[verb] in DETERMINERS or scan.low[verb][0].isdigit() or scan.low[verb] in _EXTREME_WORDS:
        return
    word = scan.words[verb]
    _add_top(draft, index, verb + 1, Phrase((word.stem,), word.text, word.span), scan.low[index] == "last")


def read_graded(draft: Draft, index: int) -> None:
    """ "most X", "least X", "fewest X"."""
    scan = draft.scan
    word = scan.low[index]
    if index in draft.done or _is_direction(scan, index):
        return
    before, after = scan.at(index - 1), scan.at(index + 1)
    if before in ("at", "than") or (before == "the" and scan.at(index - 2) == "at"):
        return
    if after == "of" and (before != "the" or scan.at(index + 2) in DETERMINERS):
        return
    descending = word == "most"
    if after in GRADED and not scan.gap[index]:
        stems = GRADED[after]
        phrase, end = phrase_at(scan, index + 2, plural_ends=True)
        expr: Expr = Phrase(stems, after, scan.span(index, index + 1)) if stems else Agg("COUNT", phrase)
        _add_top(draft, index, max(end, index + 2), expr, descending)
        return
    expr, end = _most_of(scan, index)
    _add_top(draft, index, end, expr, descending)


def _most_of(scan: Scan, index: int) -> tuple[Expr, int]:
    start = index + 1
    if start >= len(scan) or scan.gap[index]:
        return Agg("COUNT"), index + 1
    if scan.at(start) == "of":
        start += 1
    if scan.at(start) in ("number", "amount") and scan.at(start + 1) == "of":
        start += 2
    if scan.at(start).endswith("ly"):
        start += 1
    if scan.at(start).endswith("ed"):
        # "the most prescribed": how often.
        return Agg("COUNT"), index + 1
    phrase, end = phrase_at(scan, start, plural_ends=True, attach=False)
    if phrase is None or not phrase.stems:
        return Agg("COUNT"), index + 1
    if not is_plural(scan.low[end - 1]):
        # "the most money", "the most significant decrease": an amount, and no count.
        return phrase, end
    return Agg("COUNT", phrase), end


_PACE = word_set("fastest quickest slowest best worst")
_TIMES = word_set("time times second seconds duration minute minutes")


def _known_direction(word: str, expr: Expr, descending: bool) -> bool | None:
    """Whether the most comes first; None where the words do not tell ("fastest lap": a time, or a speed?)."""
    if word not in _PACE:
        return descending
    words = expr.text.lower().split() if isinstance(expr, Phrase) else []
    if any(one in _TIMES for one in words):
        return not descending
    if any(one in ("speed", "rating", "score", "rate", "rank") for one in words[1:]):
        return descending if "rank" not in words else None
    return None


def _measure_follows(scan: Scan, index: int) -> bool:
    return index + 1 < len(scan) and not scan.gap[index]


def _measure(scan: Scan, index: int, stems: tuple[str, ...]) -> tuple[Expr, int]:
    """What is measured, and where its words end."""
    start = index + 1
    if start >= len(scan) or scan.gap[index]:
        return Phrase(stems, scan.low[index], scan.span(index, index)), index + 1
    while scan.at(start) in ("and", "or") and scan.at(start + 1) in _EXTREME_WORDS:
        start += 2
    agg = _AGG_WORDS.get(scan.at(start))
    if agg is not None:
        start += 2 if scan.at(start + 1) == "of" else 1
    if scan.at(start) in ("number", "count", "amount") and scan.at(start + 1) == "of":
        counted, end = phrase_at(scan, start + 2, plural_ends=True)
        inner: Expr = Agg("COUNT", counted)
        return (Agg(agg, inner) if agg == "AVG" else inner), end
    phrase, end = phrase_at(scan, start, attach=False)
    if phrase is None or not phrase.stems:
        return Phrase(stems, scan.low[index], scan.span(index, index)), index + 1
    # "the youngest singer" is measured by age; "the shortest life expectancy" by what follows.
    measured = Phrase(stems + phrase.stems, f"{scan.low[index]} {phrase.text}", phrase.span) if stems else phrase
    return (Agg(agg, measured) if agg is not None else measured), end


def _is_direction(scan: Scan, index: int) -> bool:
    """ "from the oldest to the youngest", "highest first": an order, read as one elsewhere."""
    after = index + 1
    if _first_follows(scan, index) or (scan.at(after) == "to" and _superlative_near(scan, after + 1)):
        return True
    before = index - 1
    while before >= 0 and scan.low[before] in DETERMINERS:
        before -= 1
    return before > 0 and scan.low[before] == "to" and _superlative_near(scan, before - 1)


def _first_follows(scan: Scan, index: int) -> bool:
    """ "highest first", "the longest duration first"."""
    for at in range(index + 1, min(index + 4, len(scan))):
        if scan.gap[at - 1]:
            return False
        if scan.low[at] == "first":
            return bool(scan.gap[at])
    return False


def _superlative_near(scan: Scan, index: int) -> bool:
    if scan.at(index) in DETERMINERS:
        index += 1
    return scan.at(index) in _EXTREME_WORDS or scan.at(index) in ("most", "least", "fewest")


def _number_before(scan: Scan, index: int) -> tuple[int | None, int]:
    """The k before a superlative ("3 lowest", "top five") and its place."""
    word = scan.at(index - 1)
    if word.isdigit() and len(word) < 7:
        return int(word), index - 1
    if word in SMALL_NUMBERS:
        return SMALL_NUMBERS[word], index - 1
    return None, index


def _add_top(draft: Draft, index: int, end: int, expr: Expr, descending: bool | None) -> None:
    scan = draft.scan
    k, first = _number_before(scan, index)
    rank = ORDINALS.get(scan.at(index - 1))
    if rank is not None:
        draft.offset = rank - 1
        draft.note("rank_asked", index - 1, index)
        k, first = 1, index - 1
    elif k is None and scan.at(index - 1) == "top":
        first = index - 1
    last = max(end - 1, index)
    draft.done.update(range(first, index + 1))
    span = scan.span(first, last)
    order = (Order(expr, descending),) if descending is not None else ()
    draft.tops.append(TopK(k, order, _per(scan, end), span=span))
    draft.note("superlative_asked", first, last)
    if k is not None and k != 1:
        draft.note("top_k_asked", first, index)


def _per(scan: Scan, end: int) -> tuple[Expr, ...]:
    """ "the highest X *in each Y*"."""
    word, following = scan.at(end), scan.at(end + 1)
    if word == "per" or (word in ("in", "for", "of", "within", "by") and following in ("each", "every")):
        phrase, _ = phrase_at(scan, end + (1 if word == "per" else 2))
        if phrase is not None:
            return (phrase,)
    return ()


def read_top(draft: Draft, index: int) -> None:
    """ "top 5 X by Y", "first 3 X", "bottom ten"."""
    scan = draft.scan
    if index in draft.done:
        return
    word, after = scan.low[index], scan.at(index + 1)
    if word in ("first", "last") and after.isalpha() and after not in SMALL_NUMBERS:
        _first_of_time(draft, index)
        return
    k = int(after) if after.isdigit() and len(after) < 7 else SMALL_NUMBERS.get(after)
    if k is None:
        if word == "top" and index + 1 < len(scan) and not scan.gap[index] and not _superlative_near(scan, index + 1):
            phrase, end = phrase_at(scan, index + 1)
            if phrase is not None and scan.at(index - 1) in ("the", "list", "show", "who", "which", ""):
                _ranked(draft, index, end, None, phrase)
        return
    if _superlative_near(scan, index + 2):
        return
    if word in ("first", "last") and scan.at(index + 2) in _TEXT_UNITS:
        return
    phrase, end = phrase_at(scan, index + 2)
    _ranked(draft, index, end, k, phrase)


_NAME_PARTS = word_set(
    "name names and middle last or given letter letters initial initials second third lap laps half quarter period "
    "session place time times column row degree class line week month year day days months years hour minute"
)


def _first_of_time(draft: Draft, index: int) -> None:
    """ "the first student to register", "his last race": one row by time, where it is no "first name"."""
    scan = draft.scan
    before, after = scan.at(index - 1), scan.at(index + 1)
    if after in _NAME_PARTS or scan.gap[index] or before not in DETERMINERS or scan.taken[index + 1]:
        return
    draft.note(f"{scan.low[index]}_asked", index, index + 1)


_TEXT_UNITS = word_set("letters characters digits letter names name strings years months days weeks quarters")


def _by_later(scan: Scan, end: int) -> int:
    """The place of a "by" that ranks, over "(receiver type 1)" and the like; `end` itself where there is none."""
    for at in range(end, min(end + 9, len(scan))):
        if at > end and scan.gap[at - 1] == STOP:
            break
        if scan.low[at] == "by" and not scan.at(at - 1).endswith(("ed", "en", "wn")):
            return at
    return end


def _ranked(draft: Draft, index: int, end: int, k: int | None, phrase: Phrase | None) -> None:
    scan = draft.scan
    word = scan.low[index]
    order: tuple[Order, ...] = ()
    by = _by_later(scan, end)
    if scan.at(by) in ("ranked", "sorted", "ordered", "based", "according", "rated"):
        by += 1
    if scan.at(by) in ("by", "on", "to") or (scan.at(by) == "in" and scan.at(by + 1) == "terms"):
        start = by + (3 if scan.at(by) == "in" else 1)
        expr, last = measured_phrase(scan, start)
        if expr is not None:
            order = (Order(expr, word in ("top", "best")),)
            end = max(end, last)
    draft.done.update(range(index, max(end, index + 2)))
    last_word = max(end - 1, index)
    draft.tops.append(TopK(k, order, _per(scan, end), span=scan.span(index, last_word)))
    draft.note("top_k_asked", index, min(index + 1, last_word))
    if phrase is None:
        return


_BEFORE_MEASURE = _EXTREME_WORDS | {
    "descending", "ascending", "decreasing", "increasing", "most", "least", "fewest",
}  # fmt: skip


def measured_phrase(scan: Scan, start: int) -> tuple[Expr | None, int]:
    """What rows are ranked or sorted by, from `start` on: a phrase, or an aggregate of one."""
    while scan.at(start) in DETERMINERS or scan.at(start) in _BEFORE_MEASURE:
        start += 1
    agg = _AGG_WORDS.get(scan.at(start))
    if agg is not None and start + 1 < len(scan) and not scan.gap[start]:
        start += 1
    if scan.at(start) in ("number", "count") and scan.at(start + 1) == "of":
        counted, end = phrase_at(scan, start + 2, plural_ends=True)
        return Agg("COUNT", counted), end
    phrase, end = phrase_at(scan, start)
    if phrase is None or not phrase.stems:
        return None, start
    return (Agg(agg, phrase) if agg is not None else phrase), end
