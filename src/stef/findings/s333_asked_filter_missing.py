"""The question states a constraint, and no filter of the SQL applies it.

What it sees: a quoted or capitalised value, a number with a comparison, a period; no predicate in force that means the
same, or is even about it.

Why it is bad: rows come back that the question rules out.

Example: "Which hotels in Genoa have a pool?" → `SELECT name FROM hotel WHERE pool = 1`

Right: `SELECT name FROM hotel WHERE pool = 1 AND city = 'Genoa'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.alignment import FilterState, Origin
from stef.records.assessment import Finding

CODE = "S333"
TITLE = "a filter that the question states is missing"
NEEDS = ("absent",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each filter of the question that is absent."""
    for one in context.sides.filters.required:
        if one.state is FilterState.ABSENT and one.origin is Origin.QUESTION:
            yield Finding(CODE, TITLE, one.text, question_span=one.question_span)
