"""The extreme is taken of other rows than those that are filtered.

What it sees: `x = (SELECT MAX(x) …)` whose subquery filters otherwise than the query around it.

Why it is bad: the highest of all need not be among the rows that are asked for: the answer is empty, or misses.

Example: `SELECT name FROM pilots WHERE country = 'Chile' AND hours = (SELECT MAX(hours) FROM pilots)`

Right: `… AND hours = (SELECT MAX(hours) FROM pilots WHERE country = 'Chile')`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import shown_aggregates
from stef.records.assessment import Finding
from stef.records.expressions import Subquery
from stef.records.predicates import Op, Predicate
from stef.records.spec import Select

CODE = "S516"
TITLE = "extreme of other rows"
NEEDS = ("subqueries",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such comparison."""
    if not context.done.subqueries:
        return
    for block, _ in context.done.blocks:
        for clause in block.filters:
            query = _extreme(clause.predicates[0]) if len(clause.predicates) == 1 else None
            if query is None:
                continue
            around = {one.predicates for one in block.filters if one is not clause}
            if around != {one.predicates for one in query.filters}:
                yield Finding(CODE, TITLE, "the subquery filters other rows", sql_span=clause.predicates[0].span)


def _extreme(predicate: Predicate) -> Select | None:
    """The query of `x = (SELECT MAX(x) …)`."""
    other = predicate.other
    if predicate.op is not Op.COMPARE or predicate.comparator != "=" or type(other) is not Subquery or other.correlated:
        return None
    query = other.query
    if isinstance(query, Select) and any(one.name in ("MAX", "MIN") for one in shown_aggregates(query)):
        return query
    return None
