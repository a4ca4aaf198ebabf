"""A comparison with NULL is never true.

What it sees: `= NULL`, `<> NULL`.

Why it is bad: no value equals NULL, not even NULL: the filter keeps no row at all.

Example: `SELECT name FROM pilots WHERE retired = NULL`

Right: `SELECT name FROM pilots WHERE retired IS NULL`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S603"
TITLE = "comparison with NULL"
NEEDS = ("equals_null",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such comparison."""
    return from_notes(context, "equals_null", CODE, TITLE, "never true; write IS NULL or IS NOT NULL")
