"""A table is joined, and nothing of it is used.

What it sees: a joined table of which only the join's own columns occur, where no rows are counted.

Why it is bad: the join drops the rows without a partner and repeats those with several. Where neither is meant, the
answer changes; often the column that was wanted was then taken from another table.

Example: `SELECT p.name FROM pilots p JOIN flights f ON f.pilot_id = p.id WHERE p.age > 40`

Right: `SELECT p.name FROM pilots p WHERE p.age > 40`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S402"
TITLE = "joined table that nothing uses"
NEEDS = ("unused_join",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such table."""
    if any(one.name == "COUNT" and one.arg is None for one in context.done.aggregates):
        return iter(())  # the rows that the join makes are what is counted
    return from_notes(context, "unused_join", CODE, TITLE, "nothing but the join uses {}")
