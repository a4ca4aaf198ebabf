"""The ids of two different tables are set equal.

What it sees: `a.id = b.id` in a join, or `id IN (SELECT id …)`, where both columns are just called id.

Why it is bad: as a rule `id` numbers the rows of its own table, and row 7 of one has nothing to do with row 7 of the
other. It is right only where one table extends the other row by row.

Example: `SELECT p.name FROM pilots p JOIN flights f ON f.id = p.id`

Right: `SELECT p.name FROM pilots p JOIN flights f ON f.pilot_id = p.id`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import table_of
from stef.records.assessment import Finding

CODE = "S409"
TITLE = "id of one table set equal to id of another"
NEEDS = ("joined", "queried")


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such pair."""
    for left, right in (*context.joined, *context.queried):
        if left.name == right.name == "id" and table_of(left.sources[0]) != table_of(right.sources[0]):
            yield Finding(CODE, TITLE, f"{left.sources[0]}.id = {right.sources[0]}.id", sql_span=left.span)
