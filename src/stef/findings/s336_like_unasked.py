"""The SQL matches a pattern, and the question names the whole value.

What it sees: a named value whose only answer in the SQL is LIKE with wildcards, and no "contains", "starts with",
"including" in the turn.

Why it is bad: values that only contain the asked one come back too.

Example: "How many stamps are from Cuba?" → `SELECT COUNT(*) FROM stamp WHERE origin LIKE '%Cuba%'`

Right: `SELECT COUNT(*) FROM stamp WHERE origin = 'Cuba'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.alignment import FilterState
from stef.records.assessment import Finding

CODE = "S336"
TITLE = "a pattern where a value is asked"
NEEDS = ("altered",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each value that is answered by a pattern."""
    for one in context.sides.filters.required:
        if one.state is FilterState.ALTERED and one.why.startswith("a text pattern"):
            detail = f"{one.text!r} by {one.applied_by}"
            yield Finding(CODE, TITLE, detail, question_span=one.question_span, sql_span=one.sql_span)
