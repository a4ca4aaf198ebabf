"""A column is compared with a figure of another column.

What it sees: a comparison with the average, maximum or minimum that a subquery takes of a column that the compared
side does not hold; or a count compared with such a figure.

Why it is bad: the two are measured in different units, and the comparison says nothing.

Example: `SELECT COUNT(*) FROM boats WHERE speed > (SELECT MAX(length) FROM boats)`

Right: `SELECT COUNT(*) FROM boats WHERE speed > (SELECT speed FROM boats ORDER BY length DESC LIMIT 1)`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import inside, predicates
from stef.records.assessment import Finding
from stef.records.expressions import Agg, Column, Expr, Subquery
from stef.records.predicates import Op, Predicate
from stef.records.spec import Select

CODE = "S617"
TITLE = "compared with a figure of another column"
NEEDS = ("subqueries",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such comparison."""
    if not context.done.subqueries:
        return
    for _, predicate in predicates(context):
        if predicate.op is Op.COMPARE and _is_of_another(predicate):
            yield Finding(CODE, TITLE, "the two sides measure different things", sql_span=predicate.span)


def _is_of_another(predicate: Predicate) -> bool:
    one, other = predicate.subject, predicate.other
    if isinstance(one, Subquery):
        one, other = other or one, one
    figure = _figure(other)
    if figure is None or figure.arg is None:
        return False
    if isinstance(one, Agg) and one.arg is None:
        return True
    mine, theirs = _names(one), _names(figure.arg)
    return bool(mine) and bool(theirs) and not mine & theirs


def _figure(expr: Expr | None) -> Agg | None:
    """The average or extreme that a subquery yields."""
    if not isinstance(expr, Subquery) or not isinstance(expr.query, Select) or not expr.query.projections:
        return None
    shown = expr.query.projections[0].expr
    return shown if isinstance(shown, Agg) and shown.name in ("AVG", "MAX", "MIN") else None


def _names(expr: Expr) -> set[str]:
    return {part.name for part in inside(expr) if isinstance(part, Column)}
