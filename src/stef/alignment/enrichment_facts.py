"""What a reading of a question constrains, as facts that two readings can be compared by."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from rapidfuzz.distance import JaroWinkler

from stef.question.words import word_tie
from stef.records.expressions import Agg, Binary, Expr, Func, Phrase, Relative, Span, Value
from stef.records.predicates import Bound, Clause, Interval, Op, Predicate
from stef.records.reading import MentionKind, QuestionReading
from stef.records.spec import Select

_TYPO = 0.96


@dataclass(frozen=True, slots=True)
class Fact:
    """A constraint as stated: `clause` with the words that state it. `kind` None: no constant stands in it."""

    kind: MentionKind | None
    text: str
    span: Span
    clause: Clause
    certain: bool = True

    @property
    def predicate(self) -> Predicate:
        """The first of its predicates: what it is compared by."""
        return self.clause.predicates[0]


def facts_of(reading: QuestionReading) -> tuple[Fact, ...]:
    """The constraints of a question itself, without its hints: of its mentions, then of filters without a constant."""
    found = [
        Fact(one.kind, one.text, one.span, one.clause, one.certain)
        for one in reading.mentions
        if one.clause is not None and one.clause.predicates and one.kind is not MentionKind.HINT
    ]
    places = {one.span for one in found}
    if isinstance(reading.spec, Select):
        for clause in reading.spec.filters:
            if clause.span and clause.span not in places and len(clause.predicates) == 1:
                text = reading.text[slice(*clause.span)]
                if clause.predicates[0].op in {Op.HOLDS, Op.NULL}:
                    found.append(Fact(None, text, clause.span, clause))
    return tuple(found)


def same_meaning(one: Fact, other: Fact) -> bool:
    """Whether two facts state the same of their subjects, whatever these are called."""
    left, right = one.clause.predicates, other.clause.predicates
    if len(left) != len(right) or any(_state(a) != _state(b) for a, b in zip(left, right, strict=True)):
        return False
    # A question has few dates and averages, and the words for what they are about change freely.
    free = one.kind is MentionKind.PERIOD or one.predicate.op is Op.COMPARE or one.text.lower() == other.text.lower()
    return free or _may_be_one(one.predicate.subject, other.predicate.subject)


def _state(predicate: Predicate) -> tuple[object, ...]:
    """A predicate without its subject; a date part stays."""
    part = predicate.subject.name if isinstance(predicate.subject, Func) else ""
    values = frozenset(str(one.value) for one in predicate.values)
    compared = predicate.other.name if isinstance(predicate.other, Agg) else ""
    ends = _ends(predicate.interval, isinstance(predicate.subject, Agg) and predicate.subject.name == "COUNT")
    return (predicate.op, predicate.negated, part, values, ends, predicate.pattern, predicate.comparator, compared)


def _ends(interval: Interval | None, counts: bool) -> tuple[tuple[str, bool] | None, ...]:
    """The ends of an interval; those of a count are whole numbers: more than 2 is at least 3."""
    if interval is None:
        return ()
    low, high = interval.low, interval.high
    if counts and low and not low.inclusive and isinstance(low.value, int):
        low = Bound(low.value + 1, True)
    if counts and high and not high.inclusive and isinstance(high.value, int):
        high = Bound(high.value - 1, True)
    return tuple((str(end.value), end.inclusive) if end else None for end in (low, high))


def subject_stems(expr: Expr | None) -> frozenset[str]:
    """The stems that name a subject, empty where nothing does."""
    if isinstance(expr, Phrase):
        return frozenset(expr.stems)
    if isinstance(expr, Agg):
        return subject_stems(expr.arg)
    if isinstance(expr, Func) and expr.args:
        return subject_stems(expr.args[0])
    return frozenset()


def comparable(one: Fact, other: Fact) -> bool:
    """Whether two facts are of one kind, and their subjects may be the same."""
    return one.kind is other.kind and _may_be_one(one.predicate.subject, other.predicate.subject)


def _may_be_one(left: Expr, right: Expr) -> bool:
    mine, others = subject_stems(left), subject_stems(right)
    if not mine or not others:
        return True
    return any(word_tie(a, b) > 0.0 for a in mine for b in others)


def is_open_period(fact: Fact) -> bool:
    """Whether a period depends on a clock, or comes again: a date may settle it."""
    if fact.kind is not MentionKind.PERIOD:
        return False
    return isinstance(fact.predicate.subject, Func) or any(isinstance(end, Relative) for end in _values(fact))


def is_dated(fact: Fact) -> bool:
    """Whether a period has an end on the calendar."""
    return fact.kind is MentionKind.PERIOD and any(isinstance(end, datetime) for end in _values(fact))


def _values(fact: Fact) -> Iterator[Value]:
    for predicate in fact.clause.predicates:
        if predicate.interval:
            for end in (predicate.interval.low, predicate.interval.high):
                if isinstance(end, Bound):
                    yield end.value


def literal_texts(clause: Clause) -> tuple[str, ...]:
    """The constants of a clause as folded text."""
    found = [str(one.value) for predicate in clause.predicates for one in predicate.values]
    for predicate in clause.predicates:
        ends = (predicate.interval.low, predicate.interval.high) if predicate.interval else ()
        found += [str(end.value) for end in ends if end is not None]
        if predicate.pattern:
            found.append(predicate.pattern.text)
    return tuple(found)


def spelled_alike(one: str, other: str) -> bool:
    """Whether one value is a short or other form of the other: "spanish" and "spain", "us" and "united states"."""
    left, right = one.casefold().strip(" .,!?'\""), other.casefold().strip(" .,!?'\"")
    short, long = (left, right) if len(left) <= len(right) else (right, left)
    if not short:
        return False
    words = [word for word in long.replace(".", " ").replace("-", " ").split() if word not in {"of", "the", "and"}]
    letters = short.replace(".", "")
    if len(words) > 1 and letters == "".join(word[0] for word in words):
        return True
    if short in long.split() or (len(short) >= 4 and short in long) or JaroWinkler.similarity(short, long) >= _TYPO:
        return True
    if len(short) >= 4 and long.startswith(short[: max(4, len(short) - 2)]):
        return True
    if len(letters) > 3 or letters[0] != long[0]:
        return False
    rest = iter(long)
    return all(letter in rest for letter in letters)


def aggregates_of(reading: QuestionReading) -> frozenset[str]:
    """The names of the aggregates that a question asks to see."""
    if not isinstance(reading.spec, Select):
        return frozenset()
    return frozenset(name for one in reading.spec.projections for name in _aggregates(one.expr))


def _aggregates(expr: Expr) -> Iterator[str]:
    if isinstance(expr, Agg):
        yield expr.name
    elif isinstance(expr, Binary):
        yield from _aggregates(expr.left)
        yield from _aggregates(expr.right)
