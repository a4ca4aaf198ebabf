"""The same column is selected twice.

What it sees: two output columns that are the same expression.

Why it is bad: one of them stands where another one was meant.

Example: "First and last name" answered by `SELECT name, name FROM pilots`

Right: `SELECT first, last FROM pilots`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding

CODE = "S107"
TITLE = "same output column twice"
NEEDS = ("several_shown",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each output column that repeats an earlier one."""
    shown = context.done.projections
    if len(shown) < 2:
        return
    seen = set()
    for projection in shown:
        if projection.expr in seen:
            yield Finding(CODE, TITLE, "it repeats an earlier column", sql_span=projection.span)
        seen.add(projection.expr)
