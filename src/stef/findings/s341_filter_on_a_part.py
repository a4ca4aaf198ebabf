"""A filter is in force on some of the answer's rows only.

What it sees: a required filter in one branch of a UNION, or on the far side of an outer join.

Why it is bad: the other rows come back unfiltered.

Example: "Which lakes and rivers are in Peru?" → `SELECT name FROM lake WHERE country = 'Peru'
UNION SELECT name FROM river`

Right: `SELECT name FROM lake WHERE country = 'Peru' UNION SELECT name FROM river WHERE country = 'Peru'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.alignment import FilterState
from stef.records.assessment import Finding

CODE = "S341"
TITLE = "an asked filter holds for a part of the rows"
NEEDS = ("altered",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each filter that holds for a part of the rows."""
    for one in context.sides.filters.required:
        if one.state is FilterState.ALTERED and one.why.startswith("in force on a part"):
            yield Finding(CODE, TITLE, one.text, question_span=one.question_span, sql_span=one.sql_span)
