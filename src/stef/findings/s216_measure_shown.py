"""The measure that picks the rows is shown beside what is asked.

What it sees: "the tallest tower", and the output holds the sort key of the top-k beside the tower, unasked.

Why it is bad: another column than asked. A program that reads the answer gets a table of another shape.

Example: "Which tower is the tallest?" → `SELECT name, height FROM tower ORDER BY height DESC LIMIT 1`

Right: `SELECT name FROM tower ORDER BY height DESC LIMIT 1`
"""

from collections.abc import Iterator

from stef.alignment.match import tie_expr
from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.expressions import Agg, Expr
from stef.sql.describe import describe_expr

CODE = "S216"
TITLE = "what a superlative measures is shown too"


def find(context: Context) -> Iterator[Finding]:
    """One finding for a shown sort key that no asked phrase takes."""
    done, asked = context.done, context.sides.asked.projections
    if len(done.projections) < 2 or not done.tops or not asked or not context.sides.asked_tops:
        return
    if any(isinstance(one.expr, Agg) for one in asked):
        return
    keys = [order.expr for top in done.tops for order in top.order]
    for projection in done.projections:
        if projection.expr in keys and not _is_asked(projection.expr, context):
            yield Finding(CODE, TITLE, describe_expr(projection.expr), sql_span=projection.span)
            return


def _is_asked(expr: Expr, context: Context) -> bool:
    return any(tie_expr(one.expr, expr, context.ground) >= _TIED for one in context.sides.asked_projections)


_TIED = 0.6
