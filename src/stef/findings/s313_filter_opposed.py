"""A filter is there, turned around.

What it sees: a required filter whose best answer in the SQL is its opposite: NOT where none is asked, none where it is.

Why it is bad: the rows that come back are those that were to be left out.

Example: "Which trains stop in Basel?" → `SELECT train FROM stop WHERE town <> 'Basel'`

Right: `SELECT train FROM stop WHERE town = 'Basel'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.alignment import FilterState, Origin
from stef.records.assessment import Finding

CODE = "S313"
TITLE = "the opposite of what is asked"
NEEDS = ("opposed",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each required filter that is turned around, where the words are plain about it."""
    for one in context.sides.filters.required:
        if one.state is FilterState.OPPOSED and one.origin is Origin.QUESTION:
            detail = f"{one.text!r} against {one.applied_by}" if one.applied_by else one.text
            yield Finding(CODE, TITLE, detail, question_span=one.question_span, sql_span=one.sql_span)
