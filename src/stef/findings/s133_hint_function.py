"""A function that no engine has.

What it sees: DIVIDE(…), SUBTRACT(…), MULTIPLY(…) and their kin, as hints for agents write formulas.

Why it is bad: engines refuse the query: a hint was copied where SQL was meant.

Example: `SELECT DIVIDE(SUM(hours), COUNT(id)) FROM flights`

Right: `SELECT 1.0 * SUM(hours) / COUNT(id) FROM flights`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding

CODE = "S133"
TITLE = "function that no engine has"
NEEDS = ("functions",)

_NO_ENGINE = frozenset({"DIVIDE", "SUBTRACT", "MULTIPLY", "PERCENTAGE", "DIFFERENCE_BETWEEN"})


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such name."""
    for name in sorted(_NO_ENGINE & context.done.functions):
        start = context.sql.upper().find(f"{name}(")
        span = (start, start + len(name)) if start >= 0 else None
        yield Finding(CODE, TITLE, f"{name}(…) is a formula in words", sql_span=span)
