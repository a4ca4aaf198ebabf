"""A division of whole numbers loses its fraction.

What it sees: two whole numbers (counts, integer columns or constants) divided in a dialect that cuts the result down.

Why it is bad: 3 / 4 is 0. A share or a percentage comes out as 0 or 100.

Example: `SELECT COUNT(CASE WHEN late = 1 THEN 1 END) / COUNT(*) FROM flights` on SQLite

Right: `SELECT 1.0 * COUNT(CASE WHEN late = 1 THEN 1 END) / COUNT(*) FROM flights`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S501"
TITLE = "integer division"
NEEDS = ("integer_division",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such division."""
    return from_notes(
        context,
        "integer_division",
        CODE,
        TITLE,
        "both sides are whole numbers: the fraction is lost; make one of them real first",
    )
