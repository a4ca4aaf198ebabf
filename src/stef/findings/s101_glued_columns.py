"""Several columns are glued into one.

What it sees: `||`, or a function that joins texts, in an output column.

Why it is bad: who asks for first and last name, or for a city and its country, expects columns. What is glued cannot be
compared, sorted or read back, and is NULL where one part is.

Example: "First and last name of all pilots" answered by `SELECT first || ' ' || last FROM pilots`

Right: `SELECT first, last FROM pilots`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import all_ops
from stef.records.assessment import Finding

CODE = "S101"
TITLE = "columns glued together"
NEEDS = ("operators",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each output column that is glued."""
    if "||" not in context.done.operators:
        return
    for projection in context.done.projections:
        if "||" in all_ops(projection.expr):
            yield Finding(CODE, TITLE, "select the parts as columns of their own", sql_span=projection.span)
