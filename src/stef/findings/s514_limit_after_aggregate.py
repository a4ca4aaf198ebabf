"""ORDER BY and LIMIT come too late for an aggregate of all rows.

What it sees: an aggregate without GROUP BY in a query with ORDER BY or LIMIT.

Why it is bad: the aggregate makes one row first; there is nothing left to order or to cut. "The average of the ten
largest" becomes the average of all.

Example: `SELECT AVG(hours) FROM pilots ORDER BY hours DESC LIMIT 10`

Right: `SELECT AVG(hours) FROM (SELECT hours FROM pilots ORDER BY hours DESC LIMIT 10) t`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import shown_aggregates
from stef.records.assessment import Finding

CODE = "S514"
TITLE = "LIMIT after an aggregate of all rows"
NEEDS = ("aggregates",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such block."""
    if not context.done.aggregates:
        return
    for block, _ in context.done.blocks:
        if (block.order or (block.limit or 0) > 1) and not block.group_by:
            aggregate = next(shown_aggregates(block), None)
            if aggregate is not None:
                detail = f"{aggregate.name} has made one row before ORDER BY and LIMIT"
                yield Finding(CODE, TITLE, detail, sql_span=aggregate.span)
