"""The question wants yes or no, or one of two, and the SQL returns a table.

What it sees: a question that opens with "is", "does", "was" and names nothing to show; more than one column, no
CASE, no aggregate.

Why it is bad: the reader has to find the answer in the rows.

Example: "Is the lamp 7 broken?" → `SELECT id, room, broken FROM lamp WHERE id = 7`

Right: `SELECT broken FROM lamp WHERE id = 7`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import is_aggregate, shown
from stef.records.assessment import Finding
from stef.records.expressions import Case

CODE = "S234"
TITLE = "yes or no asked, a table returned"
NEEDS = ("yes_no_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where yes or no is asked and several columns come back."""
    if "yes_no_asked" not in context.asked_codes or context.sides.asked.projections:
        return
    exprs = shown(context)
    if len(exprs) < 2 or any(isinstance(expr, Case) or is_aggregate(expr) for expr in exprs):
        return
    span = context.asked_span("yes_no_asked")
    yield Finding(CODE, TITLE, f"{len(exprs)} columns", question_span=span)
