"""The output is a label that the query makes up.

What it sees: a CASE that is an output column, outside of aggregates, where the question does not want yes or no.

Why it is bad: its texts ("Yes", "high", the name of one of two things) stand in no table; who expects the value, or
only the rows for which it holds, gets another answer.

Example: "Is the tower higher than the bridge?" answered by
`SELECT CASE WHEN t.h > b.h THEN 'tower' ELSE 'bridge' END …`

Right: `SELECT t.h > b.h …`, or the name of the row that is higher
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.expressions import Case, Func

CODE = "S105"
TITLE = "made-up label in the output"
NEEDS = ("case_shown", "function_shown")


def find(context: Context) -> Iterator[Finding]:
    """One finding for each output column that is a CASE."""
    for projection in context.done.projections:
        expr = projection.expr
        if type(expr) is Func and expr.args:
            expr = expr.args[0]
        if type(expr) is Case:
            yield Finding(CODE, TITLE, "a CASE stands in the output", sql_span=projection.span)
