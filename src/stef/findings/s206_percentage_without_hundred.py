"""A percentage is asked, and the SQL shows a fraction of one.

What it sees: "percentage" or "percent", a division in the output, and no 100 anywhere in the SQL.

Why it is bad: 0.37 is shown where 37 is asked for.

Example: "What percentage of seats is sold?" → `SELECT 1.0 * SUM(sold) / COUNT(*) FROM seat`

Right: `SELECT 100.0 * SUM(sold) / COUNT(*) FROM seat`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import operations, shown
from stef.records.assessment import Finding

CODE = "S206"
TITLE = "percentage asked, a fraction shown"
NEEDS = ("percentage_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where a share is computed and never made a percentage."""
    if "percentage_asked" not in context.asked_codes or "100" in context.sql:
        return
    for expr in shown(context):
        if any(operations(expr, ("/", "//"))):
            span = context.asked_span("percentage_asked")
            yield Finding(CODE, TITLE, "nothing is multiplied by 100", question_span=span)
            return
