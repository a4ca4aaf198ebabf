"""A CASE is compared with a value that it never has.

What it sees: `CASE … THEN 'a' ELSE 'b' END = 'c'`.

Why it is bad: the condition holds for no row.

Example: `SELECT id FROM flights WHERE CASE WHEN late = 1 THEN 'late' ELSE 'on time' END = 'delayed'`

Right: `SELECT id FROM flights WHERE late = 1`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S604"
TITLE = "CASE that never has this value"


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such comparison."""
    return from_notes(context, "case_never_matches", CODE, TITLE, "no branch of the CASE gives {}")
