"""COUNT(*) counts the rows that a LEFT JOIN made up.

What it sees: COUNT(*) by groups over a LEFT JOIN.

Why it is bad: a row without a partner is a row too: who has none is counted as having one.

Example: `SELECT p.name, COUNT(*) FROM pilots p LEFT JOIN flights f ON f.pilot_id = p.id GROUP BY p.id`

Right: `SELECT p.name, COUNT(f.id) FROM pilots p LEFT JOIN flights f ON f.pilot_id = p.id GROUP BY p.id`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S405"
TITLE = "COUNT(*) under LEFT JOIN"
NEEDS = ("count_star_left_join",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such count."""
    return from_notes(
        context, "count_star_left_join", CODE, TITLE, "none is counted as one; count a column of the joined table"
    )
