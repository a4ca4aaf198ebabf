"""NATURAL JOIN joins by whatever names the tables share.

What it sees: NATURAL JOIN.

Why it is bad: any columns of the same name must be equal, also `name` or `created_at`, which nobody meant; a new column
in a table changes the answer.

Example: `SELECT * FROM pilots NATURAL JOIN flights`

Right: `SELECT * FROM pilots JOIN flights USING (pilot_id)`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S414"
TITLE = "NATURAL JOIN"
NEEDS = ("natural_join",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such join."""
    return from_notes(context, "natural_join", CODE, TITLE, "joined by every column name that the tables share")
