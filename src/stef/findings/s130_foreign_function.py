"""A function of another database.

What it sees: a function that the query's dialect does not have, such as YEAR(…) in SQLite.

Why it is bad: the query fails, or a function of the same name does something else.

Example: `SELECT YEAR(born) FROM pilots` on SQLite

Right: `SELECT strftime('%Y', born) FROM pilots`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S130"
TITLE = "function of another database"
NEEDS = ("function_not_in_dialect",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such function."""
    return from_notes(context, "function_not_in_dialect", CODE, TITLE, "{} is not a function of this dialect")
