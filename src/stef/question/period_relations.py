"""How the words around a period relate rows to it: "since", "no later than", "or earlier", "by the end of"."""

from enum import StrEnum

from stef.question.period_types import Page, Point
from stef.records.record import record


class Relation(StrEnum):
    """How the rows stand to the period that was named."""

    IN = "in"
    BEFORE = "before"
    AFTER = "after"
    SINCE = "since"
    UNTIL = "until"
    BETWEEN = "between"


@record(frozen=True, slots=True)
class Related:
    """The relation of a point, and the words that it takes with the point's own: `first` to `last`.

    `word` is the word that tells it ("in", "than", empty where none does), `edge` is "start" or "end" where only that
    end of the point is meant.
    """

    relation: Relation
    word: str
    first: int
    last: int
    negated: bool = False
    edge: str = ""


_FILLERS = frozenset(
    {"the", "month", "months", "early", "late", "mid", "around", "calendar", "date", "dates", "day", "both", "either"}
)
_EDGES = {"end": "end", "start": "start", "beginning": "start", "close": "end", "ending": "end"}
_IN_WORDS = frozenset(
    {"in", "on", "during", "within", "at", "for", "from", "throughout", "of", "over", "every", "each", "across"}
)
_PLAIN: dict[str, Relation] = {
    "since": Relation.SINCE,
    "after": Relation.AFTER,
    "before": Relation.BEFORE,
    "preceding": Relation.BEFORE,
    "predating": Relation.BEFORE,
    "until": Relation.UNTIL,
    "till": Relation.UNTIL,
    "through": Relation.UNTIL,
    "thru": Relation.UNTIL,
    "by": Relation.UNTIL,
    "post": Relation.AFTER,
    "pre": Relation.BEFORE,
}
_LATER = frozenset({"later", "newer", "recent", "recently", "younger"})
_EARLIER = frozenset({"earlier", "older", "sooner"})
_MORE = frozenset({"greater", "more", "higher", "larger", "bigger"})
_LESS = frozenset({"less", "lower", "smaller", "fewer"})
_SYMBOLS: dict[str, Relation] = {
    ">": Relation.AFTER,
    ">=": Relation.SINCE,
    "≥": Relation.SINCE,
    "<": Relation.BEFORE,
    "<=": Relation.UNTIL,
    "≤": Relation.UNTIL,
    "=": Relation.IN,
}
_OR_AT: dict[Relation, Relation] = {Relation.AFTER: Relation.SINCE, Relation.BEFORE: Relation.UNTIL}
_NOT: dict[Relation, Relation] = {
    Relation.AFTER: Relation.UNTIL,
    Relation.BEFORE: Relation.SINCE,
    Relation.SINCE: Relation.BEFORE,
    Relation.UNTIL: Relation.AFTER,
}
_SUFFIXES: dict[str, Relation] = {
    "later": Relation.SINCE,
    "after": Relation.SINCE,
    "newer": Relation.SINCE,
    "onward": Relation.SINCE,
    "onwards": Relation.SINCE,
    "beyond": Relation.SINCE,
    "earlier": Relation.UNTIL,
    "before": Relation.UNTIL,
    "older": Relation.UNTIL,
}
_OUTSIDE = frozenset({"except", "excluding", "besides", "outside", "not", "without"})


def relate(page: Page, point: Point) -> Related:
    """The relation of `point` as the words around it tell; IN with an empty `word` where they tell none."""
    before, edge = _opening(page, point.first - 1)
    found = _before(page, before) or _symbol(page, point)
    if found and found.word == "over" and page.at(point.last) == "ago":
        found = Related(Relation.AFTER, "more", found.first, found.last)
    after = _suffix(page, point.last + 1)
    if after is not None and (found is None or found.relation is Relation.IN):
        relation, last = after
        return Related(relation, found.word if found else "or", found.first if found else point.first, last, edge=edge)
    if found is None:
        article = page.at(point.first - 1) == "the"
        return Related(Relation.IN, "the" if article else "", point.first, point.last, edge=edge)
    return Related(found.relation, found.word, found.first, point.last, found.negated, edge)


def opening(page: Page, index: int) -> int:
    """The place of the first word at or before `index` that is no filler."""
    return _opening(page, index)[0]


def _opening(page: Page, index: int) -> tuple[int, str]:
    edge = ""
    while index >= 0:
        form = page.low[index]
        if form in _FILLERS:
            index -= 1
        elif form == "of" and page.at(index - 1) in _EDGES:
            edge, index = _EDGES[page.at(index - 1)], index - 2
        elif form == "of" and page.at(index - 1) in {"month", "months", "course", "year", "period", "duration"}:
            index -= 2
        else:
            break
    return index, edge


def _before(page: Page, index: int) -> Related | None:
    """The relation that ends at word `index`."""
    form = page.at(index)
    if form == "than":
        return _than(page, index)
    if form == "to":
        return _to(page, index)
    previous = page.at(index - 1)
    if form in {"in", "from", "on", "at"} and previous in {"starting", "beginning", "effective", "commencing"}:
        return Related(Relation.SINCE, "since", index - 1, index)
    if form in {"in", "on", "during", "from"} and previous in _OUTSIDE:
        return Related(Relation.IN, form, index - 1, index, negated=True)
    if form in _OUTSIDE - {"not", "without"}:
        return Related(Relation.IN, "in", index, index, negated=True)
    if form in _PLAIN:
        return _plain(page, index)
    return Related(Relation.IN, form, index, index) if form in _IN_WORDS else None


def _plain(page: Page, index: int) -> Related:
    relation, previous = _PLAIN[page.low[index]], page.at(index - 1)
    if previous == "or" and relation in _OR_AT:
        first = index - 2 if page.at(index - 2) in {"on", "in", "at"} else index - 1
        return Related(_OR_AT[relation], page.low[index], first, index)
    if previous == "not" and relation in _NOT:
        return Related(_NOT[relation], page.low[index], index - 1, index)
    return Related(relation, page.low[index], index, index)


def _than(page: Page, index: int) -> Related | None:
    form = page.at(index - 1)
    if form in {"other", "rather"}:
        return Related(Relation.IN, "in", index - 1, index, negated=True)
    relation = Relation.AFTER if form in _LATER | _MORE else Relation.BEFORE if form in _EARLIER | _LESS else None
    if relation is None:
        return None
    first = index - 1
    if form in {"recent", "recently"} and page.at(first - 1) == "more":
        first -= 1
    if page.at(first - 1) in {"no", "not"}:
        return Related(_NOT[relation], "later", first - 1, index)
    word = "later" if form in _LATER | _EARLIER else "more"
    return Related(relation, word, first, index)


def _to(page: Page, index: int) -> Related | None:
    previous = page.at(index - 1)
    if previous in {"prior", "previous"}:
        return Related(Relation.BEFORE, "before", index - 1, index)
    if previous == "subsequent":
        return Related(Relation.AFTER, "after", index - 1, index)
    if previous == "up":
        return Related(Relation.UNTIL, "until", index - 1, index)
    if previous == "equal" and page.at(index - 2) == "or" and page.at(index - 3) == "than":
        found = _than(page, index - 3)
        if found and found.relation in _OR_AT:
            return Related(_OR_AT[found.relation], found.word, found.first, index)
    return None


def _symbol(page: Page, point: Point) -> Related | None:
    gap = page.gap(point.first - 1).rstrip("'\" ")
    relation = _SYMBOLS.get(gap)
    return Related(relation, "since", point.first, point.last) if relation and gap else None


def _suffix(page: Page, index: int) -> tuple[Relation, int] | None:
    """ "or later", "and earlier", "onwards" from word `index` on, with its last word."""
    form = page.at(index)
    if form in {"onward", "onwards"}:
        return Relation.SINCE, index
    if form in {"or", "and"} and page.at(index + 1) in _SUFFIXES:
        follower = page.at(index + 2)
        ends = page.gap(index + 1) != "" or follower in {"", "and", "that", "who", "which", "with", "in", "have", "are"}
        if form == "or" or ends:
            return _SUFFIXES[page.at(index + 1)], index + 1
    return None
