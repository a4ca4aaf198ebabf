"""In SQLite a text is compared with a number.

What it sees: what strftime or substr gives, which is text, beside a number.

Why it is bad: in SQLite a text never equals a number, and is greater than every number: the filter keeps
nothing, or all.

Example: `SELECT name FROM pilots WHERE strftime('%Y', born) = 1980`

Right: `SELECT name FROM pilots WHERE strftime('%Y', born) = '1980'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S605"
TITLE = "text compared with a number"
NEEDS = ("text_compared_with_number",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such comparison."""
    return from_notes(context, "text_compared_with_number", CODE, TITLE, "{} is a number, beside a text")
