"""A column that says the same in every row, though nothing in the query fixes it."""

from collections.abc import Iterator, Sequence
from typing import Any

from stef.alignment.facts import columns_of, facts_of
from stef.gold.values import NotComparableError, canonical
from stef.records.expressions import Agg, Column
from stef.records.predicates import Op
from stef.records.result import Result
from stef.records.spec import Select
from stef.verify.candidate import Candidate
from stef.verify.records import Sign

_LEAST_ROWS = 3


def constants(candidate: Candidate, result: Result) -> Iterator[Sign]:
    """One sign for all such columns."""
    spec = candidate.gold.reading.spec
    if result.rows < _LEAST_ROWS or not isinstance(spec, Select) or len(spec.projections) != len(result.columns):
        return
    fixed = _fixed(spec)
    found = []
    for projection, column, name in zip(spec.projections, result.columns, result.names, strict=True):
        columns = columns_of(projection.expr)
        if isinstance(projection.expr, Agg) or not columns or any(one.name in fixed for one in columns):
            continue
        if _is_constant(column):
            found.append(name)
    if found:
        yield Sign(
            "constant_column",
            f"{', '.join(found)}: the same in all {result.rows:,} rows",
            way_out="does a join fix it?",
            facts={"columns": found},
        )


def _is_constant(column: Sequence[Any]) -> bool:
    try:
        return len(set(canonical(list(column)))) == 1 and next(iter(column)) is not None
    except NotComparableError:
        return False


def _fixed(spec: Select) -> set[str]:
    """The columns that a filter, or being an extreme, fixes to one value."""
    facts = facts_of(spec)
    picked = {column.name for top in facts.tops for order in top.order for column in columns_of(order.expr)}
    return picked | {
        predicate.subject.name
        for placed in facts.placed
        for predicate in placed.clause.predicates
        if isinstance(predicate.subject, Column) and predicate.op in (Op.IN, Op.NULL, Op.IN_QUERY, Op.COMPARE, Op.LIKE)
    }
