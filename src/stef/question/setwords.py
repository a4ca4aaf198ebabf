"""Lists of constants: "A or B" is one filter over a set, "both A and B" the intersection of two sets of rows."""

import re
from dataclasses import replace

from stef.question.scan import Draft, phrase_before
from stef.question.wordlists import word_set
from stef.records.expressions import Expr, Literal, Phrase
from stef.records.predicates import Clause, Op, Predicate, Scope
from stef.records.reading import Mention, MentionKind
from stef.records.spec import Select, SetKind, SetOp
from stef.sql.literals import number

_BETWEEN = re.compile(
    r"[\s\"'”’`?,]*(?P<word>and|or|nor|,)?[\s\"'“‘`]*(?P<rest>[\w\s]{0,40}?)[\s\"'“‘`]*", re.IGNORECASE
)
_LIGHT = word_set("the in from of a an on at by year either to is with")


def combine(draft: Draft) -> None:
    """Merge what "or" joins into one clause, note what "and" joins, and fill `draft.filters` from certain mentions."""
    draft.mentions.sort(key=lambda mention: mention.span)
    for index in range(1, len(draft.mentions)):
        _settle(draft, index - 1, index)
    group: list[int] = []
    joiner = ""
    for index in range(1, len(draft.mentions)):
        word = _joiner(draft, index - 1, index)
        if word:
            group = group or [index - 1]
            group.append(index)
            joiner = word if word != "," else joiner
            continue
        _close(draft, group, joiner)
        group, joiner = [], ""
    _close(draft, group, joiner)
    stated = [mention.clause for mention in draft.mentions if mention.certain and mention.clause is not None]
    draft.filters[:0] = stated


def _settle(draft: Draft, left: int, right: int) -> None:
    """ "either 32 or 33", "grade 9 or 10", "in both 2013 and 2016": only the list makes these filters."""
    one, other = draft.mentions[left], draft.mentions[right]
    if one.kind is not other.kind or (one.certain and other.certain) or one.kind is MentionKind.VALUE:
        return
    between = draft.scan.text[one.span[1] : other.span[0]].strip().lower()
    if between not in ("or", "and", ", or"):
        return
    before = draft.scan.text[max(0, one.span[0] - 24) : one.span[0]].lower().split()[-3:]
    paired = any(word in ("either", "both") for word in before)
    if one.kind is MentionKind.PERIOD:
        if paired or one.certain:
            draft.mentions[left], draft.mentions[right] = replace(one, certain=True), replace(other, certain=True)
        return
    if one.certain and one.clause is not None and other.clause is None and one.clause.predicates[0].op is Op.IN:
        subject = one.clause.predicates[0].subject
        draft.mentions[right] = _equal(other, subject)
    elif paired and one.clause is None and other.clause is None:
        subject = _subject_before(draft, one.span[0])
        draft.mentions[left], draft.mentions[right] = _equal(one, subject), _equal(other, subject)


def _equal(mention: Mention, subject: Expr) -> Mention:
    value = number(mention.text.replace(",", ""))
    literal = Literal(value, mention.text, span=mention.span)
    predicate = Predicate(subject, Op.IN, values=(literal,), span=mention.span)
    return replace(mention, clause=Clause((predicate,), Scope.ASKED, mention.span), certain=True)


def _subject_before(draft: Draft, start: int) -> Phrase:
    scan = draft.scan
    at = next((index for index, word in enumerate(scan.words) if word.span[0] >= start), len(scan))
    while at > 0 and scan.low[at - 1] in ("either", "both", "are", "is", "aged"):
        at -= 1
        if scan.low[at] == "aged":
            return Phrase(("age",), "aged", scan.words[at].span)
    return phrase_before(scan, at) or Phrase(())


def _joiner(draft: Draft, left: int, right: int) -> str:
    """ "and", "or" or "," where it alone joins two mentions of one kind; empty otherwise."""
    one, other = draft.mentions[left], draft.mentions[right]
    if one.kind is not other.kind or one.certain != other.certain or one.span[1] > other.span[0]:
        return ""
    if not _joinable(one) or not _joinable(other):
        return ""
    between = draft.scan.text[one.span[1] : other.span[0]]
    if len(between) > 60:
        return ""
    match = _BETWEEN.fullmatch(between)
    if match is None:
        return ""
    word = (match["word"] or "").lower()
    if not word and "," in between:
        word = ","
    rest = match["rest"].lower().split()
    if rest and rest[0] in ("and", "or"):
        word, rest = rest[0], rest[1:]
    before = draft.scan.text[max(0, one.span[0] - 40) : one.span[0]].lower().split()
    if any(part not in _LIGHT and part not in before[-4:] for part in rest):
        return ""
    return word


def _joinable(mention: Mention) -> bool:
    clause = mention.clause
    return clause is not None and len(clause.predicates) == 1 and not clause.predicates[0].negated


def _close(draft: Draft, group: list[int], joiner: str) -> None:
    if len(group) < 2:
        return
    first, last = draft.mentions[group[0]], draft.mentions[group[-1]]
    span = (first.span[0], last.span[1])
    if joiner == "or":
        merged = _alternatives([draft.mentions[index] for index in group], span)
        draft.mentions[group[0]] = replace(first, clause=merged)
        for index in group[1:]:
            draft.mentions[index] = replace(draft.mentions[index], clause=None)
        _note(draft, "values_or", span)
    elif joiner == "and":
        _note(draft, "values_and", span)
        if len(group) == 2 and _said_both(draft, first.span[0]):
            draft.intersection = (group[0], group[1])


def _alternatives(mentions: list[Mention], span: tuple[int, int]) -> Clause:
    predicates = [mention.clause.predicates[0] for mention in mentions if mention.clause is not None]
    subject = next((one.subject for one in predicates if one.subject != Phrase(())), predicates[0].subject)
    if all(one.op is Op.IN for one in predicates):
        values: dict[Literal, None] = {value: None for one in predicates for value in one.values}
        ordered = tuple(sorted(values, key=lambda value: str(value.value)))
        return Clause((Predicate(subject, Op.IN, values=ordered, span=span),), Scope.ASKED, span)
    bare = Phrase(())
    placed = tuple(replace(one, subject=subject) if one.subject == bare else one for one in predicates)
    return Clause(placed, Scope.ASKED, span)


def _said_both(draft: Draft, start: int) -> bool:
    """Whether a "both" stands shortly before the first of two constants."""
    before = draft.scan.text[max(0, start - 40) : start].lower()
    return re.search(r"\bboth\b[^.?!]*$", before) is not None


def _note(draft: Draft, code: str, span: tuple[int, int]) -> None:
    words = [index for index, word in enumerate(draft.scan.words) if span[0] <= word.span[0] < span[1]]
    if words:
        draft.note(code, words[0], words[-1])


def intersected(draft: Draft, select: Select) -> Select | SetOp:
    """The intersection that "both A and B" asks for, where rows and no aggregate are asked; else the block itself."""
    if draft.intersection is None or any(not isinstance(one.expr, Phrase) for one in select.projections):
        return select
    left, right = (draft.mentions[index] for index in draft.intersection)
    if left.kind is MentionKind.HINT or left.clause is None or right.clause is None or not left.certain:
        return select
    return SetOp(
        SetKind.INTERSECT,
        (
            replace(select, filters=_without(select, right), order=(), tops=()),
            replace(select, filters=_without(select, left), order=(), tops=()),
        ),
        order=select.order,
        tops=select.tops,
    )


def _without(select: Select, mention: Mention) -> tuple[Clause, ...]:
    return tuple(clause for clause in select.filters if clause is not mention.clause)
