"""A comparison or period is there, and keeps fewer rows than asked.

What it sees: a required range whose best answer in the SQL lies inside of it.

Why it is bad: rows that were asked for are left out.

Example: "Which rooms cost between 50 and 80?" → `SELECT no FROM room WHERE price BETWEEN 60 AND 80`

Right: `SELECT no FROM room WHERE price BETWEEN 50 AND 80`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.alignment import FilterState
from stef.records.assessment import Finding

CODE = "S339"
TITLE = "a range narrower than asked"
NEEDS = ("altered",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each filter that is stricter than asked."""
    for one in context.sides.filters.required:
        if one.state is FilterState.ALTERED and one.why.startswith("stricter"):
            detail = f"{one.text!r} by {one.applied_by}"
            yield Finding(CODE, TITLE, detail, question_span=one.question_span, sql_span=one.sql_span)
