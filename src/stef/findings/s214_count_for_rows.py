"""Rows are asked, and the SQL returns their number.

What it sees: only COUNT in the output, no groups, and nothing in the question or its hints that asks for a number.

Why it is bad: the answer says how many there are, not which.

Example: "Which guests are vegetarian?" → `SELECT COUNT(*) FROM guest WHERE diet = 'vegetarian'`

Right: `SELECT name FROM guest WHERE diet = 'vegetarian'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import COMPUTED, shown
from stef.records.assessment import Finding
from stef.records.expressions import Agg
from stef.sql.describe import describe_expr

CODE = "S214"
TITLE = "rows asked, a count returned"
NEEDS = ("aggregates",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where a count is all that is shown and none is asked."""
    sides, done = context.sides, context.done
    if not done.aggregates or done.group_by or context.asked_codes & _NUMBERS:
        return
    if not sides.asked_projections or sides.asked_aggregates or any(word in context.ground.text for word in _SAID):
        return
    if sides.enriched is not None and sides.enriched.formulas:
        return
    exprs = shown(context)
    if exprs and all(isinstance(expr, Agg) and expr.name == "COUNT" for expr in exprs):
        yield Finding(CODE, TITLE, describe_expr(exprs[0]), sql_span=done.projections[0].span)


_NUMBERS = COMPUTED | {"yes_no_asked", "exists_asked"}
_SAID = (" number", " count", " tally", " total", " amount", " frequency", " often", " rate ", " sum ", " times ")
