"""A test on single rows stands in HAVING.

What it sees: a condition without an aggregate in HAVING of a grouped query.

Why it is bad: HAVING sees groups. On a column that is not grouped by, it tests some row of the group, or is refused.

Example: `SELECT airline, COUNT(*) FROM flights GROUP BY airline HAVING late = 1`

Right: `SELECT airline, COUNT(*) FROM flights WHERE late = 1 GROUP BY airline`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S510"
TITLE = "row test in HAVING"
NEEDS = ("having_for_where",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such condition."""
    return from_notes(context, "having_for_where", CODE, TITLE, "this tests single rows, so it belongs into WHERE")
