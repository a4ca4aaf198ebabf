"""LIMIT without ORDER BY.

What it sees: a LIMIT, also inside a subquery, on rows in no order.

Why it is bad: which rows come back is left to the engine. Where a superlative was asked, it is
not the first that comes.

Example: `SELECT name FROM pilots LIMIT 1`

Right: `SELECT name FROM pilots ORDER BY hours DESC LIMIT 1`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S614"
TITLE = "LIMIT without ORDER BY"
NEEDS = ("limit_without_order",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such LIMIT."""
    return from_notes(context, "limit_without_order", CODE, TITLE, "no order says which rows are kept")
