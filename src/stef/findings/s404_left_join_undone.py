"""WHERE takes back what LEFT JOIN kept.

What it sees: a LEFT JOIN, and a test in WHERE on a column of the joined table that NULL cannot pass.

Why it is bad: the rows without a partner, which a LEFT JOIN is there to keep, are thrown away again.

Example: `SELECT p.name FROM pilots p LEFT JOIN flights f ON f.pilot_id = p.id WHERE f.year = 2023`

Right: `SELECT p.name FROM pilots p LEFT JOIN flights f ON f.pilot_id = p.id AND f.year = 2023`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S404"
TITLE = "LEFT JOIN undone by WHERE"
NEEDS = ("left_join_undone",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each join that is undone."""
    return from_notes(context, "left_join_undone", CODE, TITLE, "a row without a partner in {} does not pass this test")
