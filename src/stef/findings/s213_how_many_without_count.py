"""A count is asked, and the SQL lists rows.

What it sees: "how many X" as all that is asked; no COUNT, no SUM, and no selected column that goes by the words.

Why it is bad: the reader has to count, and repeated rows count twice.

Example: "How many keys are lost?" → `SELECT label FROM key_ring WHERE lost = 1`

Right: `SELECT COUNT(*) FROM key_ring WHERE lost = 1`
"""

from collections.abc import Iterator

from stef.alignment.match import tie_expr
from stef.findings.context import Context
from stef.findings.parts import shown, ties
from stef.question.words import name_stems
from stef.records.assessment import Finding
from stef.records.expressions import Agg, Column

CODE = "S213"
TITLE = '"how many" asked, rows listed'
NEEDS = ("count_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where a count is all that is asked and nothing is counted."""
    done = context.done
    if "count_asked" not in context.asked_codes or done.windows or any(_counts(agg.name) for agg in done.aggregates):
        return
    asked = context.sides.asked.projections
    if len(asked) != 1 or not isinstance(asked[0].expr, Agg) or "list_asked" in context.asked_codes:
        return
    for expr in shown(context):
        if not isinstance(expr, Column) or _may_hold_it(expr, asked[0].expr, context):
            return
    span = context.asked_span("count_asked")
    yield Finding(CODE, TITLE, "no COUNT", question_span=span, sql_span=done.projections[0].span)


def _counts(name: str) -> bool:
    return name == "SUM" or "COUNT" in name


def _may_hold_it(column: Column, counted: Agg, context: Context) -> bool:
    """ "How many views": a column of views may hold their number."""
    stems = set(name_stems(column.name))
    if stems & _NUMBERS:
        return True
    if stems & _LABELS:
        return False
    if any(tie.target == column for tie in ties(context)):
        return True
    return counted.arg is None or tie_expr(counted.arg, column, context.ground) >= _TIED


_NUMBERS = frozenset(("number", "num", "count", "total", "size", "quantiti", "amount", "no", "sum"))
_LABELS = frozenset(("name", "id", "titl", "date", "label", "code"))
_TIED = 0.3
