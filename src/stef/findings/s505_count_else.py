"""COUNT counts the rows that its CASE leaves out as well.

What it sees: COUNT(CASE WHEN … THEN 1 ELSE 0 END).

Why it is bad: COUNT counts what is not NULL, and 0 is not NULL: the condition has no effect.

Example: `SELECT COUNT(CASE WHEN late = 1 THEN 1 ELSE 0 END) FROM flights`

Right: `SELECT SUM(CASE WHEN late = 1 THEN 1 ELSE 0 END) FROM flights`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S505"
TITLE = "COUNT of a CASE with ELSE"
NEEDS = ("count_else",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such count."""
    return from_notes(
        context, "count_else", CODE, TITLE, "COUNT takes the ELSE value too; use SUM, or leave the ELSE away"
    )
