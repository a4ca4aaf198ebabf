"""A JOIN stands after WHERE.

What it sees: a JOIN that is written behind WHERE, GROUP BY, ORDER BY or LIMIT.

Why it is bad: engines refuse the query.

Example: `SELECT p.name FROM pilots p WHERE p.age > 40 JOIN flights f ON f.pilot_id = p.id`

Right: `SELECT p.name FROM pilots p JOIN flights f ON f.pilot_id = p.id WHERE p.age > 40`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S132"
TITLE = "JOIN after WHERE"
NEEDS = ("join_after_where",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such JOIN."""
    return from_notes(context, "join_after_where", CODE, TITLE, "the JOIN belongs before WHERE")
