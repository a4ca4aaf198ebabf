"""A filter that every row must meet is one of two alternatives in the SQL.

What it sees: a required filter whose predicate stands in an OR with others, and no "or" in the question.

Why it is bad: rows that meet only the other alternative come back too.

Example: "Which green cars are from Turin?" → `SELECT id FROM car WHERE color = 'green' OR city = 'Turin'`

Right: `SELECT id FROM car WHERE color = 'green' AND city = 'Turin'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.alignment import FilterState
from stef.records.assessment import Finding

CODE = "S340"
TITLE = "an asked filter stands behind an OR"
NEEDS = ("altered",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each filter that is not in force on every row for an OR."""
    for one in context.sides.filters.required:
        if one.state is FilterState.ALTERED and one.why.startswith("behind an OR"):
            yield Finding(CODE, TITLE, one.text, question_span=one.question_span, sql_span=one.sql_span)
