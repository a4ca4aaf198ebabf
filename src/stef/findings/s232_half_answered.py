"""A number and rows are asked, and the SQL answers one of the two.

What it sees: "how many …" and another sentence that asks for a list, or the other way round; only a count is shown, or
only rows.

Why it is bad: half of the question is open.

Example: "How many lamps are broken? List their rooms." → `SELECT COUNT(*) FROM lamp WHERE broken = 1`

Right: rows with their rooms, which a reader can count, or two queries
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import is_aggregate, shown
from stef.records.assessment import Finding
from stef.records.expressions import Phrase

CODE = "S232"
TITLE = "two things asked, only the number shown"
NEEDS = ("list_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where a count is all that is shown and a list is asked too."""
    if not context.asked_codes & _COUNTED or "list_asked" not in context.asked_codes:
        return
    listed = [one for one in context.sides.asked.projections if isinstance(one.expr, Phrase)]
    exprs = shown(context)
    if not listed or not exprs or context.done.set_kinds or not all(is_aggregate(expr) for expr in exprs):
        return
    if len(exprs) <= len(listed):
        detail = f"{len(listed) + 1} things asked, {len(exprs)} shown"
        yield Finding(CODE, TITLE, detail, question_span=listed[0].span)


_COUNTED = frozenset(("count_asked", "percentage_asked", "ratio_asked", "average_asked"))
