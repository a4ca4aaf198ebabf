"""What a question wants to be shown: "the name and release year of the song", "list X, Y and Z", "which city"."""

from dataclasses import dataclass

from stef.question.grammar import (
    AUXILIARIES,
    DETERMINERS,
    DISTINCT_WORDS,
    GRADED,
    SMALL_NUMBERS,
    SUPERLATIVES,
    TIMED,
    VERBS,
)
from stef.question.scan import (
    GAP,
    MAX_PARTS,
    NONE,
    STOP,
    Draft,
    Scan,
    make_phrase,
    phrase_at,
    phrase_end,
    skip_determiners,
)
from stef.question.wordlists import word_set
from stef.question.words import tokenize
from stef.records.expressions import Phrase
from stef.records.spec import Projection

_OPENERS = word_set("and please also then to you me us can would need want first , so just now kindly")
_AGGREGATES = word_set("number total average mean sum count avg total percentage ratio proportion difference")
_JOINERS = word_set("and or plus along together")
_ORDERED = word_set("first middle last given family home work cell maximum minimum max min average mean")
_LIST_VERBS = word_set("list show give display return report enumerate print output")
_VAGUE = word_set("information details detail everything list data result results me all")


def read_ask(draft: Draft, index: int) -> None:
    """A verb of asking ("show", "list", "find"…) that opens a sentence or a part of one."""
    scan = draft.scan
    if not (scan.starts_sentence(index) or scan.gap[index - 1] or scan.at(index - 1) in _OPENERS):
        return
    if scan.text[scan.words[index].span[1] : scan.words[index].span[1] + 1] == "-":
        # "check-ins".
        return
    if scan.low[index] in _LIST_VERBS:
        draft.note("list_asked", index, index)
    start = index + 1
    while scan.at(start) in ("me", "us", "out", "down", "for", "up", "please", "also", "for", "back", "to", "know"):
        start += 1
    if start >= len(scan) or scan.gap[start - 1] == STOP:
        return
    if scan.low[start] in ("what", "which", "who", "how", "whether", "if", "when", "where"):
        return
    _read_list(draft, start)


def read_what(draft: Draft, index: int) -> None:
    """ "what is the X", "what X", "which X"."""
    scan = draft.scan
    start = index + 1
    if start >= len(scan) or not _opens(scan, index):
        return
    word = scan.low[start]
    if word in AUXILIARIES or scan.low[index] == "what's":
        if word in ("do", "does", "did", "can", "could", "will", "would"):
            return
        while start < len(scan) and scan.low[start] in AUXILIARIES:
            start += 1
        _read_list(draft, start)
        return
    if word in ("percentage", "percent", "proportion", "ratio", "share"):
        return
    if word in ("of", "one", "ones"):
        phrase, _ = phrase_at(scan, start + (2 if scan.at(start + 1) == "of" else 1))
    else:
        if word.isdigit() or word in SMALL_NUMBERS:
            start += 1
        phrase, _ = phrase_at(scan, start, plural_ends=True)
    if phrase is not None and phrase.stems:
        draft.note("entity_asked", index, index)
        _add(draft, phrase)


_BEFORE_WHICH = word_set("and in for of to from at know me by on find show state tell identify determine list give")


def _opens(scan: Scan, index: int) -> bool:
    """Whether "which" asks and does not join ("the city which has")."""
    if scan.starts_sentence(index) or scan.gap[index - 1]:
        return scan.at(index + 1) not in AUXILIARIES or scan.low[index] in ("what", "what's")
    before = scan.at(index - 1)
    if scan.low[index] in ("what", "what's"):
        return True
    return before in _BEFORE_WHICH and scan.at(index + 1) not in AUXILIARIES


@dataclass(slots=True)
class _Item:
    first: int
    end: int
    phrase: Phrase


def _read_list(draft: Draft, start: int) -> None:
    scan = draft.scan
    items: list[_Item] = []
    at: int | None = start
    while at is not None and at < len(scan):
        at = _skip_lead(scan, at)
        end = _read_item(scan, at, items)
        if end is None:
            break
        at = _joined(scan, end)
        if at is None:
            at = _joined(scan, _attach(scan, items, end))
    for item in items:
        _add(draft, item.phrase)


def _read_item(scan: Scan, at: int, items: list[_Item]) -> int | None:
    """Read the item of a list at `at`, and return where it ends; None where there is none."""
    if _picks_rows(scan, at):
        at += 2 if scan.at(at + 1) in SMALL_NUMBERS or scan.at(at + 1).isdigit() else 1
    if _is_aggregate(scan, at):
        # Its own reader projects it; the list goes on after its noun phrase.
        _, end = phrase_at(scan, at + (2 if scan.at(at + 1) == "of" else 1))
        return max(end, at + 1)
    first = skip_determiners(scan, at)
    end = phrase_end(scan, first)
    if end <= first and _is_listed(scan, first):
        end = first + 1
    if end <= first:
        return None
    if not _possessive(scan, end):
        items.append(_Item(first, end, make_phrase(scan, first, end)))
        return end
    phrase, end = phrase_at(scan, first)
    if phrase is not None:
        items.append(_Item(first, end, phrase))
    return end


def _picks_rows(scan: Scan, at: int) -> bool:
    """ "the top 5 tours", "the longest track": which rows of a thing that is shown."""
    word = scan.low[at]
    if word == "top":
        return at + 1 < len(scan) and scan.at(at + 1) not in SUPERLATIVES
    return word in SUPERLATIVES and bool(SUPERLATIVES[word][0]) and scan.at(at + 1) not in TIMED and not scan.gap[at]


def _is_listed(scan: Scan, at: int) -> bool:
    """ "the *make*, model and year": a word that is a verb elsewhere, but a thing in a list."""
    if at >= len(scan) or scan.low[at] not in VERBS or scan.taken[at]:
        return False
    return scan.gap[at] == GAP or scan.at(at + 1) in ("and", "of", "for", "or")


def _skip_lead(scan: Scan, at: int) -> int:
    while at < len(scan) - 1 and (scan.low[at] in DETERMINERS or scan.low[at] in ("both", "also", "with", "either")):
        at += 1
    return at


def _possessive(scan: Scan, end: int) -> bool:
    return scan.low[end - 1].endswith(("'s", "s'")) and end < len(scan)


def _is_aggregate(scan: Scan, at: int) -> bool:
    word, following = scan.low[at], scan.at(at + 1)
    if word in _AGGREGATES:
        return word != "number" or following == "of"
    if word in DISTINCT_WORDS and following == "number":
        return True
    return word in SUPERLATIVES or word in (
        "most",
        "least",
        "fewest",
        "top",
    )


def _joined(scan: Scan, end: int) -> int | None:
    """Where the next item of the list starts; None where the list ends."""
    if end >= len(scan) or scan.gap[end - 1] == STOP:
        return None
    word = scan.low[end]
    if word == "as" and scan.low[end + 1 : end + 3] == ["well", "as"]:
        return end + 3
    if word in ("along", "together") and scan.at(end + 1) == "with":
        return end + 2
    if word in ("and", "or", "plus"):
        return _item_start(scan, end + 1)
    if scan.gap[end - 1] != NONE:
        return _item_start(scan, end)
    return None


def _item_start(scan: Scan, at: int) -> int | None:
    if at >= len(scan):
        return None
    word = scan.low[at]
    if word in (
        "show",
        "list",
        "give",
        "find",
        "what",
        "which",
        "how",
        "sort",
        "sorted",
        "sorting",
        "order",
        "ordered",
        "ordering",
        "arranged",
        "ranked",
        "who",
        "return",
        "only",
        "then",
    ):
        return None
    if word == "as" and scan.at(at + 1) == "well":
        return at + 3 if at + 3 < len(scan) else None
    if word in ("along", "together"):
        return at + 2 if at + 2 < len(scan) else None
    if word == "and":
        return _item_start(scan, at + 1)
    return at


def _attach(scan: Scan, items: list[_Item], end: int) -> int:
    """Attach the "of X" or "for X" at `end` to all items that wait for it; where the words of it end."""
    if not items or scan.at(end) not in ("of", "for") or scan.gap[end - 1]:
        return end
    if scan.low[end] == "for" and scan.at(end + 1) in ("each", "every"):
        return end
    owner, after = phrase_at(scan, end + 1)
    if owner is None or not owner.stems:
        return end
    whole = _last_owner(owner)
    for item in items:
        if " of " not in item.phrase.text:
            item.phrase = make_phrase(scan, item.first, item.end, owner if item is items[-1] else whole)
    return after


def _last_owner(owner: Phrase) -> Phrase:
    """ "the name and country *of origin of every singer*": the name is the singer's."""
    text = owner.text.rsplit(" of ", 1)[-1]
    if text == owner.text:
        return owner
    return Phrase(tuple(word.stem for word in tokenize(text) if not word.stop), text, owner.span)


def _add(draft: Draft, phrase: Phrase) -> None:
    stems = phrase.stems
    if not stems or (len(stems) == 1 and (phrase.text.lower() in _VAGUE or phrase.text.lower() in GRADED)):
        return
    if len(draft.projections) > MAX_PARTS or any(
        isinstance(done.expr, Phrase) and done.expr.span == phrase.span for done in draft.projections
    ):
        return
    draft.projections.append(Projection(phrase, span=phrase.span))
