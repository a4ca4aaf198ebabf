"""The tests of a query that no rule of the application covers, and the constants in them that nothing mentions."""

from collections.abc import Iterable, Iterator

from stef.alignment.facts import Facts
from stef.alignment.ground import Ground
from stef.records.alignment import FiltersAligned, Origin
from stef.records.expressions import Literal, Span
from stef.records.predicates import Op, Predicate


def unexcused(done: Facts, filters: FiltersAligned) -> Iterator[tuple[Predicate, Span | None]]:
    """Every predicate of a filter, with its place, but those that a rule of the application allows or demands."""
    excused = {one.sql_span for one in filters.extras if one.benign}
    excused.update(one.sql_span for one in filters.required if one.origin is Origin.RULE)
    for placed in done.placed:
        for predicate in placed.clause.predicates:
            span = predicate.span or placed.clause.span
            if span is None or (span not in excused and placed.clause.span not in excused):
                yield predicate, span


def ungrounded(tests: Iterable[tuple[Predicate, Span | None]], ground: Ground) -> Iterator[tuple[Literal, Span | None]]:
    """The constants that a column must equal, or must not, and that nothing in the turn mentions."""
    for predicate, span in tests:
        if predicate.op is Op.IN:
            for value in predicate.values:
                if not ground.mentions(value, predicate.subject):
                    yield value, value.span or span
