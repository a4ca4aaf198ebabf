"""Single rows are ordered by an aggregate of all of them.

What it sees: ORDER BY COUNT(…), SUM(…) or another aggregate in a query that neither groups nor aggregates.

Why it is bad: the aggregate makes one row of all. Engines refuse it, or return one row by chance.

Example: `SELECT name FROM pilots ORDER BY MAX(hours) DESC LIMIT 1`

Right: `SELECT name FROM pilots ORDER BY hours DESC LIMIT 1`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import aggregates_in, whole_table
from stef.records.assessment import Finding

CODE = "S513"
TITLE = "ordered by an aggregate without groups"
NEEDS = ("aggregates",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such sort key."""
    if not context.done.aggregates:
        return
    for block, _ in context.done.blocks:
        if block.order and not block.group_by and not whole_table(block):
            for order in block.order:
                aggregate = next(aggregates_in(order.expr), None)
                if aggregate is not None:
                    yield Finding(CODE, TITLE, f"{aggregate.name} without GROUP BY", sql_span=aggregate.span)
