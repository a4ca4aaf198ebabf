"""The question asks for text that contains something, and the SQL compares with the whole.

What it sees: "contains", "starts with", "includes the word", and an equality with that text.

Why it is bad: only rows come back whose whole value it is.

Example: "Which poems have the word 'rose' in their title?" → `SELECT id FROM poem WHERE title = 'rose'`

Right: `SELECT id FROM poem WHERE title LIKE '%rose%'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.alignment import FilterState
from stef.records.assessment import Finding

CODE = "S337"
TITLE = "equality where a part is asked"
NEEDS = ("altered",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each asked pattern that is answered by an equality."""
    for one in context.sides.filters.required:
        if one.state is FilterState.ALTERED and one.why.startswith("the whole value"):
            detail = f"{one.text!r} by {one.applied_by}"
            yield Finding(CODE, TITLE, detail, question_span=one.question_span, sql_span=one.sql_span)
