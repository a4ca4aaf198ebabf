"""LIKE without a wildcard.

What it sees: a LIKE pattern that holds neither `%` nor `_`.

Why it is bad: it is an equality. Where a part of the text was meant, nothing is found.

Example: `SELECT id FROM flights WHERE remark LIKE 'storm'`

Right: `SELECT id FROM flights WHERE remark LIKE '%storm%'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S606"
TITLE = "LIKE without a wildcard"
NEEDS = ("like_without_wildcard",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such pattern."""
    return from_notes(context, "like_without_wildcard", CODE, TITLE, "{} has no % and no _: it is an equality")
