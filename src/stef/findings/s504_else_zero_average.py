"""Rows that are left out count as zeros in an average.

What it sees: AVG(CASE WHEN … THEN value ELSE 0 END).

Why it is bad: AVG skips NULL, not 0. Each row that the condition leaves out pulls the average down.

Example: `SELECT AVG(CASE WHEN sex = 'F' THEN height ELSE 0 END) FROM pilots`

Right: `SELECT AVG(CASE WHEN sex = 'F' THEN height END) FROM pilots`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S504"
TITLE = "ELSE 0 in an average"
NEEDS = ("else_zero_average",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such average."""
    return from_notes(
        context, "else_zero_average", CODE, TITLE, "rows that the CASE leaves out count as 0; leave the ELSE away"
    )
