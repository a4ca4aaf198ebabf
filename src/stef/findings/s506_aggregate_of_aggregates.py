"""An aggregate over the aggregates of groups.

What it sees: AVG, SUM or MIN over a derived table's own COUNT, SUM or AVG.

Why it is bad: the average of averages weighs a small group as much as a large one, and is not the average of all.

Example: `SELECT AVG(a) FROM (SELECT AVG(hours) AS a FROM flights GROUP BY pilot_id) t`

Right: `SELECT AVG(hours) FROM flights`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import aggregates_in, shown_aggregates
from stef.records.assessment import Finding

CODE = "S506"
TITLE = "aggregate of aggregates"
NEEDS = ("aggregates",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each aggregate whose argument holds another one."""
    if len(context.done.aggregates) < 2:
        return
    for block, _ in context.done.blocks:
        for outer in shown_aggregates(block):
            inner = next(aggregates_in(outer.arg), None) if outer.arg is not None else None
            if inner is not None:
                yield Finding(CODE, TITLE, f"{outer.name} of {inner.name} by groups", sql_span=outer.span)
