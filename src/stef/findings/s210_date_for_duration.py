"""An age or a length of time is asked, and the SQL shows the date that it would be counted from.

What it sees: "how old", "how long", "how many days"; a date column in the output; no subtraction.

Why it is bad: the reader has to work out the answer.

Example: "How old is the captain?" → `SELECT birth_date FROM crew WHERE rank = 'captain'`

Right: `SELECT EXTRACT(YEAR FROM CURRENT_DATE) - EXTRACT(YEAR FROM birth_date) FROM crew WHERE rank = 'captain'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import is_dated, subtracts
from stef.records.assessment import Finding
from stef.records.expressions import Column

CODE = "S210"
TITLE = "age or duration asked, a date shown"
NEEDS = ("age_asked", "duration_asked")


def find(context: Context) -> Iterator[Finding]:
    """One finding, where a date stands for an age or a duration."""
    if not context.asked_codes & _ASKED or subtracts(context.done):
        return
    for projection in context.done.projections:
        if isinstance(projection.expr, Column) and is_dated(projection.expr):
            span = context.asked_span("age_asked") or context.asked_span("duration_asked")
            yield Finding(CODE, TITLE, projection.expr.name, question_span=span, sql_span=projection.span)
            return


_ASKED = frozenset(("age_asked", "duration_asked"))
