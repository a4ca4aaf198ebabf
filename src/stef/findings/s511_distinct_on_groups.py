"""DISTINCT where rows are grouped or aggregated already.

What it sees: SELECT DISTINCT beside GROUP BY, or beside an aggregate.

Why it is bad: groups are different already. Where DISTINCT changes something, groups with equal figures are merged;
mostly COUNT(DISTINCT …) was meant.

Example: `SELECT DISTINCT COUNT(pilot_id) FROM flights`

Right: `SELECT COUNT(DISTINCT pilot_id) FROM flights`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import shown_aggregates
from stef.records.assessment import Finding

CODE = "S511"
TITLE = "DISTINCT on groups"
NEEDS = ("distinct", "redundant_distinct")


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such block, and for each DISTINCT that the reader of the SQL found to be idle."""
    for note in context.noted("redundant_distinct"):
        yield Finding(CODE, TITLE, "the rows are different already", sql_span=note.span)
    for block, _ in context.done.blocks:
        if block.distinct and (block.group_by or next(shown_aggregates(block), None) is not None):
            span = block.projections[0].span if block.projections else None
            yield Finding(CODE, TITLE, "DISTINCT comes after grouping; COUNT(DISTINCT …) before it", sql_span=span)
