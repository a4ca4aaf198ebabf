"""A text is compared with a number.

What it sees: a column that is a number by schema or rules beside a text, or a text column beside a number.

Why it is bad: some engines refuse it, some convert, and SQLite says that every text is greater than every number.

Example: `SELECT name FROM pilots WHERE licence_no > 500`, where licence_no is text

Right: `SELECT name FROM pilots WHERE CAST(licence_no AS INTEGER) > 500`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S605"
TITLE = "text compared with a number"


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such comparison."""
    return from_notes(context, "text_compared_with_number", CODE, TITLE, "{} is of the other type")
