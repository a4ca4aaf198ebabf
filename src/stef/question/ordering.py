"""The order that a question asks for: "sorted by", "in descending order of", "from oldest to youngest"."""

from stef.question.grammar import DETERMINERS, GRADED, SUPERLATIVES
from stef.question.scan import NONE, STOP, Draft, Scan
from stef.question.superlatives import measured_phrase
from stef.question.wordlists import word_set
from stef.records.expressions import Agg, Expr, Phrase
from stef.records.spec import Order

_DOWN = word_set("descending decreasing desc descendingly reverse reversed descend declining")
_UP = word_set("ascending increasing asc ascendingly ascend")
_ALPHABET = word_set("alphabetical alphabetic lexicographic lexicographical alphabetically lexicographically")
_SORTED = word_set("sorted ordered sort order arranged arrange rank ranked sorting ordering ranking")


def read_sorted(draft: Draft, index: int) -> None:
    """ "sorted by X", "order them by X", "in order of X", "in the order of X"."""
    scan = draft.scan
    if index in draft.done:
        return
    word = scan.low[index]
    by = _by_after(scan, index)
    if word == "order" and scan.at(index - 1) in _DOWN | _UP | _ALPHABET:
        return
    if by is None:
        if word in ("sorted", "sort", "rank") and (word != "rank" or scan.starts_sentence(index)):
            draft.note("order_asked", index, index)
        return
    if word in ("order", "ordering") and scan.at(by) == "of" and scan.at(index - 1) not in ("in", "the", "by", "with"):
        return
    if word in ("order", "ranking") and scan.at(by) == "by" and index and scan.at(index - 1) in ("the", "an", "each"):
        return
    if word == "ordered" and scan.at(by) == "by" and scan.at(by + 1) in ("customer", "customers", "a", "an", "users"):
        return
    expr, end = measured_phrase(scan, by + 1)
    if expr is None:
        expr = Phrase(())
    _add(draft, index, max(end - 1, by), expr)


def _by_after(scan: Scan, index: int) -> int | None:
    """The place of "by" or "of" after a word of sorting, at most five words on ("rank superheroes by")."""
    at = index + 1
    while at < len(scan) and at - index <= 6 and not scan.gap[at - 1]:
        if (
            scan.low[at] == "by"
            or (scan.low[at] == "of" and at == index + 1 and scan.low[index] in ("order", "ordering"))
            or (scan.low[at] in ("on", "to") and scan.low[at - 1] in ("based", "according"))
        ):
            return at
        if scan.low[index] not in ("sort", "rank", "order", "arrange", "sorted", "ordered"):
            return None
        if at == index + 1 and not _commands(scan, index):
            # "average order value by country".
            return None
        at += 1
    return None


def _commands(scan: Scan, index: int) -> bool:
    """Whether "order", "sort" or "rank" is a verb that bids, and no noun."""
    return scan.starts_sentence(index) or scan.gap[index - 1] != NONE or scan.at(index - 1) in _BEFORE_BIDDING


_BEFORE_BIDDING = word_set("and then please also to but or you results them it")


def read_direction(draft: Draft, index: int) -> None:
    """ "in descending order (of X)", "descending by X", "alphabetically"."""
    scan = draft.scan
    if index in draft.done:
        return
    word = scan.low[index]
    descending = word in _DOWN
    at = index + 1
    if scan.at(at) in _ALPHABET:
        draft.done.add(at)
        draft.order.append(Order(Phrase(("name",), "alphabetical"), descending))
        draft.note("order_asked", index, at)
        draft.done.add(index)
        return
    if word in ("reverse", "reversed", "declining"):
        return
    if scan.at(at) in ("order", "sequence"):
        at += 1
    expr: Expr | None = None
    end = at
    if scan.at(at) in ("of", "by") or (scan.at(at) in ("on", "to") and scan.at(at - 1) in ("based", "according")):
        expr, end = measured_phrase(scan, at + 1)
    elif scan.at(at) in ("based", "according"):
        expr, end = measured_phrase(scan, at + 2)
    elif at == index + 1 and scan.at(index - 1) not in ("in", "by", "the") and not scan.gap[index]:
        expr, end = measured_phrase(scan, at)
    if expr is None:
        if draft.order and draft.order[-1].expr != Phrase(("name",)):
            draft.order[-1] = Order(draft.order[-1].expr, descending)
            draft.done.add(index)
            draft.note("order_asked", index, max(at - 1, index))
            return
        expr = _sorted_before(scan, index) or Phrase(())
    draft.order.append(Order(expr, descending))
    draft.note("order_asked", index, max(end - 1, index))
    draft.done.update(range(index, at + 1))


def _sorted_before(scan: Scan, index: int) -> Expr | None:
    """X of "sorted by X in descending order"."""
    at = index
    while at > 0 and index - at < 9 and scan.gap[at - 1] != STOP:
        at -= 1
        if scan.low[at] == "by" and scan.at(at - 1) in _SORTED | _DOWN | _UP:
            return measured_phrase(scan, at + 1)[0]
    return None


def read_alphabet(draft: Draft, index: int) -> None:
    """ "in alphabetical order (of X)", "alphabetically"."""
    scan = draft.scan
    if index in draft.done:
        return
    at = index + 1
    if scan.at(at) == "order":
        at += 1
    expr: Expr | None = None
    end = at
    if scan.at(at) in ("of", "by"):
        expr, end = measured_phrase(scan, at + 1)
    elif scan.at(index - 1) in _SORTED or scan.at(index + 1) == "by":
        expr = None
    draft.order.append(Order(expr or Phrase(("name",), "alphabetical"), False))
    draft.note("order_asked", index, max(end - 1, index))
    draft.done.update(range(index, at))


def read_chronological(draft: Draft, index: int) -> None:
    """ "in chronological order"."""
    reverse = draft.scan.at(index - 1) in ("reverse", "reversed")
    draft.order.append(Order(Phrase(("date",), "chronological"), reverse))
    draft.note("order_asked", index, index)


def read_from_to(draft: Draft, index: int) -> None:
    """ "from the oldest to the youngest", "highest to lowest", "most recent first"."""
    scan = draft.scan
    start = index - 1
    if scan.low[index] == "first":
        while start > index - 4 and start > 0 and not _is_picking(scan, start) and not scan.gap[start - 1]:
            start -= 1
    elif scan.low[index] == "to":
        other = index + 2 if scan.at(index + 1) in DETERMINERS else index + 1
        plain = start >= 0 and scan.at(other) in _PLAIN and not scan.gap[start]
        if not plain and scan.at(other) not in SUPERLATIVES and scan.at(other) not in ("most", "least", "fewest"):
            return
    picked = _PLAIN.get(scan.at(start)) if scan.low[index] == "to" else None
    picked = picked or _picked(scan, start)
    if picked is None:
        return
    stems, descending = picked
    word = scan.at(start)
    phrase: Expr = Phrase(stems, word)
    if not stems:
        named = measured_phrase(scan, start + 1)[0] if start + 1 < index else None
        phrase = named or _sorted_before(scan, start) or phrase
    if draft.order and not stems:
        draft.order[-1] = Order(draft.order[-1].expr, descending)
    elif draft.order and isinstance(draft.order[-1].expr, Phrase | Agg):
        draft.order[-1] = Order(draft.order[-1].expr, _against(draft.order[-1].expr, stems, descending))
    else:
        draft.order.append(Order(phrase, descending))
    draft.note("order_asked", start, min(index + 1, len(scan) - 1))
    draft.done.update((start, index, index + 1, index + 2))


# "from old to young": the words that such a pair starts with, as SUPERLATIVES has them.
_PLAIN: dict[str, tuple[tuple[str, ...], bool]] = {
    "old": (("age",), True),
    "young": (("age",), False),
    "new": (("date",), True),
    "cheap": (("price",), False),
    "expensive": (("price",), True),
    "high": ((), True),
    "low": ((), False),
    "large": ((), True),
    "big": ((), True),
    "small": ((), False),
    "long": (("length",), True),
    "short": (("length",), False),
    "heavy": (("weight",), True),
    "light": (("weight",), False),
    "tall": (("height",), True),
}


def _picked(scan: Scan, at: int) -> tuple[tuple[str, ...], bool] | None:
    """What a superlative at `at` measures, and whether the most of it comes first."""
    word = scan.at(at)
    if word in SUPERLATIVES and not scan.gap[at]:
        return SUPERLATIVES[word]
    if word in ("most", "least", "fewest"):
        return GRADED.get(scan.at(at + 1), ()), word == "most"
    if word in GRADED and scan.at(at - 1) in ("most", "least"):
        return GRADED[word], scan.at(at - 1) == "most"
    return None


def _is_picking(scan: Scan, at: int) -> bool:
    return scan.low[at] in SUPERLATIVES or scan.low[at] in ("most", "least", "fewest")


def _against(expr: Expr, stems: tuple[str, ...], descending: bool) -> bool:
    """The direction over a named sort key: "by date of birth from oldest" is ascending though "oldest" is most aged."""
    dated = isinstance(expr, Phrase) and any(
        stem in ("birth", "birthday", "date", "dob", "born") for stem in expr.stems
    )
    return not descending if dated and stems == ("age",) else descending


def _picks_most(word: str) -> bool:
    """ "ordered by the highest rating": the most of it first."""
    return word == "most" or SUPERLATIVES.get(word, ((), False))[1]


def _add(draft: Draft, first: int, last: int, expr: Expr) -> None:
    scan = draft.scan
    descending = scan.at(last) != "" and any(_picks_most(word) for word in scan.low[first + 1 : last + 1])
    around = scan.low[max(0, first - 2) : last + 5]
    for word in around:
        if word in _DOWN:
            descending = True
    draft.order.append(Order(expr, descending))
    draft.note("order_asked", first, last)
    draft.done.update(range(first, last + 1))
    for at in range(max(0, first - 2), min(last + 5, len(scan))):
        if scan.low[at] in _DOWN or scan.low[at] in _UP or scan.low[at] == "reverse":
            draft.done.add(at)
