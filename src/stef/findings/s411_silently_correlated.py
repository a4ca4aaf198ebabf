"""A subquery names a column of the query around it by mistake.

What it sees: a name without its table inside a subquery that none of the subquery's own tables can have.

Why it is bad: the name silently means the outer row's column. `IN` then holds for every row, and no engine complains.

Example: `SELECT name FROM pilots WHERE pilot_id IN (SELECT pilot_id FROM airports)`, where airports has no pilot_id

Right: `SELECT name FROM pilots WHERE pilot_id IN (SELECT f.pilot_id FROM flights f)`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S411"
TITLE = "inner name silently means the outer column"
NEEDS = ("silently_correlated",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such name."""
    return from_notes(context, "silently_correlated", CODE, TITLE, "{} is a column of the outer query here")
