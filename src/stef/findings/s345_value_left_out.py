"""Several values are asked, and the filter has fewer.

What it sees: "A or B", "A, B and C" on one column, and a set in the SQL that lacks one of them.

Why it is bad: the rows of the left out value are missing.

Example: "How many cats are black or white?", black refers to color IN ('black', 'white') →
`SELECT COUNT(*) FROM cat WHERE color = 'black'`

Right: `SELECT COUNT(*) FROM cat WHERE color IN ('black', 'white')`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.alignment import FilterState
from stef.records.assessment import Finding

CODE = "S345"
TITLE = "one of several asked values is left out"
NEEDS = ("altered",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each filter with fewer values than asked."""
    for one in context.sides.filters.required:
        if one.state is FilterState.ALTERED and one.why.startswith("fewer values"):
            detail = f"{one.text!r} by {one.applied_by}"
            yield Finding(CODE, TITLE, detail, question_span=one.question_span, sql_span=one.sql_span)
