"""All columns are selected where a question asks for some.

What it sees: `SELECT *`, or `SELECT t.*`, in the output.

Why it is bad: whoever asks for names gets every column of the table, and what comes back changes with the table.

Example: "Which drivers are from Chile?" answered by `SELECT * FROM drivers WHERE country = 'Chile'`

Right: `SELECT name FROM drivers WHERE country = 'Chile'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S102"
TITLE = "all columns selected"
NEEDS = ("select_star",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each star."""
    return from_notes(context, "select_star", CODE, TITLE, "SELECT *: name the columns that are asked")
