"""Grouping that a question asks for: "for each X", "per X", "number of Y by X"."""

from stef.question.grammar import ASK_VERBS, BREAKS, DETERMINERS, PREPOSITIONS
from stef.question.scan import Draft, phrase_at
from stef.question.wordlists import word_set
from stef.records.expressions import Agg, Phrase

_NO_GROUP = word_set(
    "cent capita unit hour se annum person gallon mile litre liter km kilometer kwh item minute second head piece"
)


def read_each(draft: Draft, index: int) -> None:
    """ "for each X", "in each X", "each X's"."""
    scan = draft.scan
    draft.note("each_asked", index, index)
    start = index + 1
    if scan.at(start) == "of":
        start += 1
    if scan.at(start) in ("one", "other", "time", "") or scan.gap[index]:
        return
    if scan.low[index] == "every" and scan.at(index - 1) not in ("for", "in", "by", "within"):
        return
    phrase, _ = phrase_at(scan, start)
    if phrase is not None and phrase.stems and phrase not in draft.group_by:
        draft.group_by.append(phrase)


def read_per(draft: Draft, index: int) -> None:
    """ "per X"."""
    scan = draft.scan
    if scan.at(index + 1) in _NO_GROUP or index == 0:
        return
    phrase, end = phrase_at(scan, index + 1)
    if phrase is None or not phrase.stems:
        return
    draft.note("per_asked", index, end - 1)
    _append(draft, phrase)
    if scan.at(end) == "and" and end + 1 < len(scan) and scan.low[end + 1] not in BREAKS:
        # "per product category and month".
        further, _ = phrase_at(scan, end + 1)
        if further is not None and further.stems:
            _append(draft, further)


def _append(draft: Draft, phrase: Phrase) -> None:
    if phrase not in draft.group_by:
        draft.group_by.append(phrase)


def read_by(draft: Draft, index: int) -> None:
    """ "number of orders *by region*": after an aggregate, before a plain noun, and no agent ("written by")."""
    scan = draft.scan
    if index in draft.done or index == 0:
        return
    before = scan.at(index - 1)
    if before in ("grouped", "group", "broken", "split", "categorized", "segmented", "aggregated", "down"):
        _group(draft, index)
        return
    if before.endswith(("ed", "wn", "en")) or before in PREPOSITIONS or before in _AGENTS or scan.taken[index - 1]:
        return
    following = index + 1
    if following >= len(scan) or scan.taken[following] or scan.at(following) in ("the", "a", "an", "their", "his"):
        return
    if not any(isinstance(done.expr, Agg) for done in draft.projections) and not _is_title(draft, index):
        return
    _group(draft, index)


_AGENTS = word_set(
    "made sung built sold bought led run won held spent paid sort order rank list increased increase decrease grew "
    "written drawn divided multiplied go went followed following owned done up starting names name"
)


def _is_title(draft: Draft, index: int) -> bool:
    """ "monthly revenue by region": a title of nouns, in which "by" groups."""
    low = draft.scan.low
    if index > 6 or low[0] in ASK_VERBS:
        return False
    return all(word not in BREAKS and word not in DETERMINERS for word in low[:index])


def _group(draft: Draft, index: int) -> None:
    scan = draft.scan
    at = index + 1
    while True:
        phrase, end = phrase_at(scan, at)
        if phrase is None or not phrase.stems:
            return
        draft.note("grouped_by_asked", index, end - 1)
        if phrase not in draft.group_by:
            draft.group_by.append(Phrase(phrase.stems, phrase.text, phrase.span))
        if scan.at(end) != "and" or end + 1 >= len(scan):
            return
        at = end + 1
