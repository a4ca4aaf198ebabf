"""A result is rounded, and nobody asked for it.

What it sees: ROUND or TRUNC around an output column, where the question names no number of decimals.

Why it is bad: digits are lost that cannot be had back, and a comparison with the exact value fails.

Example: "What is the average height?" answered by `SELECT ROUND(AVG(height), 2) FROM pilots`

Right: `SELECT AVG(height) FROM pilots`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.expressions import Func

CODE = "S104"
TITLE = "rounded, not asked"
NEEDS = ("functions",)

_ROUNDING = frozenset({"ROUND", "TRUNC", "TRUNCATE", "FLOOR", "CEIL", "CEILING"})


def find(context: Context) -> Iterator[Finding]:
    """One finding for each output column that is rounded."""
    if "rounding_asked" in context.asked_codes or _ROUNDING.isdisjoint(context.done.functions):
        return
    if "round" in context.ground.stems or "decim" in context.ground.stems:
        return
    for projection in context.done.projections:
        expr = projection.expr
        if type(expr) is Func and expr.name in _ROUNDING:
            yield Finding(CODE, TITLE, f"{expr.name} in the output", sql_span=projection.span)
