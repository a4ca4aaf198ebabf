"""A column of a table that the query does not read.

What it sees: `x.column` where no table or alias of the query is called x.

Why it is bad: engines refuse the query.

Example: `SELECT p.name FROM pilots JOIN flights f ON f.pilot_id = p.id`

Right: `SELECT p.name FROM pilots p JOIN flights f ON f.pilot_id = p.id`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S131"
TITLE = "column of a table that is not there"


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such name."""
    return from_notes(context, "unknown_qualifier", CODE, TITLE, "nothing in FROM is called {}")
