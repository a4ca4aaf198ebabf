"""Grouping by a table's own key makes groups of one.

What it sees: GROUP BY of the key of the only table that is read, with an aggregate.

Why it is bad: each row is a group of its own: every count is 1, and every sum is the row's own value.

Example: `SELECT flight_id, COUNT(*) FROM flights GROUP BY flight_id`

Right: `SELECT pilot_id, COUNT(*) FROM flights GROUP BY pilot_id`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import own_key, table_of
from stef.records.assessment import Finding
from stef.records.expressions import Column

CODE = "S508"
TITLE = "grouped by the table's own key"
NEEDS = ("group_by",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such key."""
    if not context.done.group_by:
        return
    for block, _ in context.done.blocks:
        if len(block.sources) != 1 or block.sources[0].query is not None:
            continue
        for key in block.group_by:
            if isinstance(key, Column) and own_key(key.name, table_of(block.sources[0].key)):
                yield Finding(CODE, TITLE, f"every group of {key.name} is one row", sql_span=key.span)
