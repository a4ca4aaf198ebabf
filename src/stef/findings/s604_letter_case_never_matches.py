"""A text in one letter case is compared with a constant in another.

What it sees: `LOWER(x) = 'Rome'`, `UPPER(x) = 'Rome'`, `TRIM(x) = ' Rome'`: the function never gives such a text.

Why it is bad: the filter keeps no row at all.

Example: `SELECT name FROM pilots WHERE LOWER(city) = 'Rome'`

Right: `SELECT name FROM pilots WHERE LOWER(city) = 'rome'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S604"
TITLE = "constant in a letter case that never comes"
NEEDS = ("case_never_matches",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such comparison."""
    return from_notes(context, "case_never_matches", CODE, TITLE, "the function never gives {}")
