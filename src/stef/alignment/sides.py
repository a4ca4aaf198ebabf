"""The two sides that every dimension compares, and what helps to compare them."""

from stef.alignment.facts import Facts
from stef.alignment.ground import Ground
from stef.alignment.policy import Policy
from stef.records.alignment import FiltersAligned
from stef.records.expressions import Agg, Expr, Phrase
from stef.records.reading import Note, QuestionReading, SqlReading
from stef.records.record import record
from stef.records.spec import Order, Projection, Select, SetOp, TopK


@record(frozen=True, slots=True)
class Sides:
    """Asked and done. `asked` is the question's block; `ground` holds the words of question and enriched question."""

    asked: Select
    question: QuestionReading
    enriched: QuestionReading | None
    sql: SqlReading
    done: Facts
    policy: Policy
    ground: Ground
    filters: FiltersAligned

    def noted(self, code: str) -> Note | None:
        """The question's note with this code, else the enriched question's."""
        for reading in (self.question, self.enriched):
            if reading is not None:
                for note in reading.notes:
                    if note.code == code:
                        return note
        return None

    @property
    def asked_tops(self) -> tuple[TopK, ...]:
        """The superlatives and top-k of question and enriched question, the question's first."""
        return self.asked.tops or _first(self.enriched).tops

    @property
    def asked_order(self) -> tuple[Order, ...]:
        """The order that is asked for."""
        return self.asked.order or _first(self.enriched).order

    @property
    def asked_groups(self) -> tuple[Expr, ...]:
        """What to group by."""
        return self.asked.group_by or _first(self.enriched).group_by

    @property
    def asked_projections(self) -> tuple[Projection, ...]:
        """The output that is asked for."""
        return self.asked.projections or _first(self.enriched).projections

    @property
    def asked_aggregates(self) -> tuple[Agg, ...]:
        """The aggregates that the question asks for, in its output, its filters and its superlatives."""
        found: list[Agg] = []
        for projection in self.asked.projections:
            _collect(projection.expr, found)
        for clause in self.asked.filters:
            for predicate in clause.predicates:
                _collect(predicate.subject, found)
        for top in self.asked.tops:
            for order in top.order:
                _collect(order.expr, found)
        return tuple(found)


def block_of(reading: QuestionReading | None) -> Select:
    """The block that a question asks for: its first branch where it asks for a set operation."""
    return _first(reading)


def _first(reading: QuestionReading | None) -> Select:
    spec = None if reading is None else reading.spec
    while isinstance(spec, SetOp):
        branch = spec.branches[0]
        spec = branch
    return _EMPTY if spec is None else spec


_EMPTY = Select()


def _collect(expr: Expr, into: list[Agg]) -> None:
    if isinstance(expr, Agg):
        into.append(expr)
        return
    if isinstance(expr, Phrase):
        return
    for name in ("left", "right"):
        part = getattr(expr, name, None)
        if part is not None:
            _collect(part, into)
    for part in getattr(expr, "args", ()):
        _collect(part, into)
