"""A WITH query that nothing reads.

What it sees: a common table expression that neither the query nor another one reads.

Why it is bad: the work that it does, often a filter that was asked, has no effect on the answer.

Example: `WITH old AS (SELECT * FROM pilots WHERE age > 60) SELECT COUNT(*) FROM pilots`

Right: `WITH old AS (SELECT * FROM pilots WHERE age > 60) SELECT COUNT(*) FROM old`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S615"
TITLE = "WITH query that nothing reads"
NEEDS = ("unused_cte",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such query."""
    return from_notes(context, "unused_cte", CODE, TITLE, "nothing reads {}")
