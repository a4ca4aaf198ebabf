"""Follow-ups: "and in 2023?", "what about Norway?" are read together with the question before."""

import itertools
from dataclasses import replace

from stef.question.scan import Scan
from stef.question.wordlists import word_set
from stef.records.expressions import Agg, Phrase, Span
from stef.records.predicates import Clause, Predicate
from stef.records.reading import Mention, QuestionReading, Word
from stef.records.spec import Projection, Select

_OPENERS = word_set("and but or now also only instead then plus just same ok okay")
_POINTERS = word_set("them those these ones it that")
_MAX_FRAGMENT = 5


def is_follow_up(scan: Scan) -> bool:
    """Whether a question leans on the one before it."""
    low = scan.low
    if not low:
        return False
    if low[0] in _OPENERS or low[:2] in (["what", "about"], ["how", "about"], ["what", "if"], ["for", "only"]):
        return True
    if any(pair in _PAIRS for pair in itertools.pairwise(low)):
        return True
    asks = {"what", "which", "who", "how", "show", "list", "find", "give", "count", "when", "where", "return", "get"}
    return len(low) <= _MAX_FRAGMENT and not asks & set(low) and low[0] in ("in", "for", "by", "per", "with", "since")


_PAIRS = frozenset((word, pointer) for word in ("of", "among", "from", "for") for pointer in _POINTERS - {"that", "it"})


def joined(question: QuestionReading, earlier: QuestionReading) -> QuestionReading:
    """The reading of a follow-up: what it says itself, and what it leaves standing of the question before.

    `text` is the follow-up, a line break, and the earlier question: the spans of what is carried over lie in the
    second part.
    """
    new, old = question.spec, earlier.spec
    if not isinstance(new, Select) or not isinstance(old, Select):
        return question
    offset = len(question.text) + 1
    kept = tuple(
        _moved(mention, offset)
        for mention in earlier.mentions
        if not _replaced(mention, question.mentions, earlier.mentions)
    )
    carried = tuple(mention.clause for mention in kept if mention.certain and mention.clause is not None)
    stated = {mention.clause for mention in earlier.mentions}
    others = tuple(_moved_clause(clause, offset) for clause in old.filters if clause not in stated)
    spec = Select(
        projections=_shown(new) or tuple(_moved_projection(one, offset) for one in old.projections),
        distinct=new.distinct or old.distinct,
        filters=new.filters + carried + others,
        group_by=new.group_by or old.group_by,
        order=new.order or old.order,
        limit=new.limit or old.limit,
        offset=new.offset or old.offset,
        tops=new.tops or tuple(replace(top, span=_shift(top.span, offset)) for top in old.tops),
    )
    codes = {note.code for note in question.notes}
    notes = question.notes + tuple(
        replace(note, span=_shift(note.span, offset)) for note in earlier.notes if note.code not in codes
    )
    words = question.words + tuple(Word(w.text, w.stem, _shifted(w.span, offset), w.stop) for w in earlier.words)
    return replace(
        question,
        text=f"{question.text}\n{earlier.text}",
        spec=spec,
        notes=notes,
        words=words,
        mentions=question.mentions + kept,
        ties=question.ties + earlier.ties,
        formulas=question.formulas + earlier.formulas,
    )


def _shown(spec: Select) -> tuple[Projection, ...]:
    """What a follow-up shows of its own; in "what about X" the X is a constant, and no column."""
    return tuple(one for one in spec.projections if isinstance(one.expr, (Agg, Phrase)))


def _replaced(old: Mention, new: tuple[Mention, ...], all_old: tuple[Mention, ...]) -> bool:
    """Whether a constant of the follow-up stands in for this one: of its kind, and of its subject if both have one."""
    if old.clause is None:
        return False
    of_kind = [one for one in new if one.kind is old.kind and one.clause is not None]
    if not of_kind:
        return False
    alone = sum(1 for one in all_old if one.kind is old.kind and one.clause is not None) == 1
    subject = old.clause.predicates[0].subject
    return alone or any(one.clause is not None and one.clause.predicates[0].subject == subject for one in of_kind)


def _shift(span: Span | None, offset: int) -> Span | None:
    return None if span is None else _shifted(span, offset)


def _shifted(span: Span, offset: int) -> Span:
    return span[0] + offset, span[1] + offset


def _moved(mention: Mention, offset: int) -> Mention:
    clause = mention.clause
    return replace(
        mention,
        span=_shifted(mention.span, offset),
        clause=None if clause is None else _moved_clause(clause, offset),
    )


def _moved_clause(clause: Clause, offset: int) -> Clause:
    predicates: tuple[Predicate, ...] = tuple(replace(one, span=_shift(one.span, offset)) for one in clause.predicates)
    return replace(clause, predicates=predicates, span=_shift(clause.span, offset))


def _moved_projection(projection: Projection, offset: int) -> Projection:
    return replace(projection, span=_shift(projection.span, offset))
