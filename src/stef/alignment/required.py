"""What a turn asks for: the filters of the question, and what the enriched question settles of them."""

from collections.abc import Iterator

from stef.alignment.ground import fold
from stef.records.alignment import Enrichment, Origin
from stef.records.expressions import Relative, Span
from stef.records.predicates import Clause
from stef.records.reading import MentionKind, QuestionReading
from stef.records.record import record
from stef.records.spec import SetOp, Spec


@record(frozen=True, slots=True)
class Wanted:
    """A filter that is asked for.

    `settles`: it is a hint that spells out words of the question. `undecidable`: a relative period without a clock,
    which SQL with fixed dates can neither meet nor miss.
    """

    clause: Clause
    text: str
    origin: Origin
    span: Span | None = None
    critical: bool = False
    settles: bool = False
    undecidable: bool = False

    @property
    def negated(self) -> bool:
        """Whether rows are to be left out."""
        return any(predicate.negated for predicate in self.clause.predicates)

    @property
    def leaves_out(self) -> bool:
        """Whether it asks to leave rows out by what they are or have, not by a constant ("without pets")."""
        return all(predicate.negated and not predicate.values for predicate in self.clause.predicates)

    def speaks_of(self, other: "Wanted") -> bool:
        """Whether this hint holds the words of the other filter."""
        return fold(other.text) in fold(self.text)


def wanted_filters(
    question: QuestionReading, enriched: QuestionReading | None, enrichment: Enrichment
) -> tuple[Wanted, ...]:
    """The filters that the question asks for, then those of the enriched question that settle what it leaves open.

    What the enriched question invents or contradicts is not among them.
    """
    wanted = list(_of_reading(question, Origin.QUESTION))
    if enriched is None:
        return tuple(wanted)
    known = {want.clause.predicates for want in wanted}
    resolved = {fold(text) for text in enrichment.resolved}
    for want in _of_reading(enriched, Origin.ENRICHED):
        if want.clause.predicates in known:
            continue
        if want.settles or fold(want.text) in resolved:
            known.add(want.clause.predicates)
            wanted.append(want)
    return tuple(wanted)


def _of_reading(reading: QuestionReading, origin: Origin) -> Iterator[Wanted]:
    taken: list[Span] = []
    for mention in reading.mentions:
        if mention.clause is not None and mention.certain:
            taken.append(mention.span)
            hint = mention.kind is MentionKind.HINT
            yield Wanted(
                mention.clause,
                mention.text,
                origin,
                mention.span if origin is Origin.QUESTION else None,
                settles=hint,
                undecidable=_is_relative(mention.clause),
            )
    if reading.spec is None:
        return
    for clause in _clauses(reading.spec):
        span = clause.span or next((p.span for p in clause.predicates if p.span is not None), None)
        if span is not None and not any(start < span[1] and span[0] < end for start, end in taken):
            text = reading.text[span[0] : span[1]]
            yield Wanted(
                clause,
                text,
                origin,
                span if origin is Origin.QUESTION else None,
                undecidable=_is_relative(clause),
            )


def _clauses(spec: Spec) -> Iterator[Clause]:
    if isinstance(spec, SetOp):
        for branch in spec.branches:
            yield from _clauses(branch)
    else:
        yield from spec.filters


def _is_relative(clause: Clause) -> bool:
    for predicate in clause.predicates:
        if predicate.interval is not None:
            for bound in (predicate.interval.low, predicate.interval.high):
                if bound is not None and isinstance(bound.value, Relative):
                    return True
    return False
