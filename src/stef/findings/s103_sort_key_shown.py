"""What the rows are sorted by is shown, and nobody asked to see it.

What it sees: an output column that is also a sort key, beside what was asked: an aggregate where the question asks for
no figure, or a column of a top-k, or of an order that is asked for, that no asked phrase stands for.

Why it is bad: "which pilot flew most?" asks for the pilot. A second column is another answer.

Example: "Which airline has most flights?" answered by
`SELECT airline, COUNT(*) FROM flights GROUP BY airline ORDER BY COUNT(*) DESC LIMIT 1`

Right: `SELECT airline FROM flights GROUP BY airline ORDER BY COUNT(*) DESC LIMIT 1`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.alignment import Dimension
from stef.records.assessment import Finding
from stef.records.expressions import Agg
from stef.sql.describe import describe_expr

CODE = "S103"
TITLE = "sort key shown, not asked"
NEEDS = ("order",)

_FIGURES = frozenset(
    {
        "amount_asked",
        "average_asked",
        "count_asked",
        "number_of_asked",
        "percentage_asked",
        "ratio_asked",
        "total_asked",
    }
)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each sort key that is shown."""
    block = context.done.answer
    if not block.order or len(block.projections) < 2:
        return
    keys = {order.expr for order in block.order}
    matched = {one.done for one in context.dimensions[Dimension.PROJECTIONS].matched}
    rows = block.limit is None and not context.sides.asked_order
    for projection in block.projections:
        expr = projection.expr
        if expr not in keys:
            continue
        if type(expr) is Agg:
            asked = not _FIGURES.isdisjoint(context.asked_codes)
        else:
            asked = rows or not matched or describe_expr(expr) in matched or _takes_extreme(context)
        if not asked:
            yield Finding(
                CODE, TITLE, "it orders the rows; the question does not ask to see it", sql_span=projection.span
            )


def _takes_extreme(context: Context) -> bool:
    """ "The lowest price and the shop": the sort key is what is asked."""
    return any(one.name in ("MAX", "MIN") for one in context.sides.asked_aggregates)
