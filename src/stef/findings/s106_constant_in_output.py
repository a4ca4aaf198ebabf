"""A constant is an output column.

What it sees: a number or text as an output column of the answer.

Why it is bad: it says nothing of the data; often a name lost its column, or 'name' in single quotes became a text.

Example: `SELECT 'name' FROM pilots`

Right: `SELECT name FROM pilots`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.expressions import Literal

CODE = "S106"
TITLE = "constant in the output"
NEEDS = ("constant_shown",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each constant, unless a union tells its branches apart by it."""
    if context.done.set_kinds:
        return
    for projection in context.done.projections:
        if type(projection.expr) is Literal:
            yield Finding(CODE, TITLE, f"{projection.expr.text!r} for every row", sql_span=projection.span)
