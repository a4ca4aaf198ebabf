"""One number is asked, and the SQL returns one for each group.

What it sees: a single "how many" with no "each" or "per", and a GROUP BY around the count.

Why it is bad: where groups are to be counted, their sizes come back in place of their number.

Example: "How many cities have more than 3 parks?" → `SELECT COUNT(*) FROM park GROUP BY city HAVING COUNT(*) > 3`

Right: `SELECT COUNT(*) FROM (SELECT city FROM park GROUP BY city HAVING COUNT(*) > 3) AS t`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import GROUPED
from stef.records.assessment import Finding
from stef.records.expressions import Agg

CODE = "S231"
TITLE = "one count asked, one for each group returned"
NEEDS = ("group_by",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where a count is asked as one number and the answer is grouped."""
    sides, done = context.sides, context.done
    if not context.asked_codes & _COUNTED or not done.answer.group_by or done.limit is not None:
        return
    asked = sides.asked.projections
    if len(asked) != 1 or not isinstance(asked[0].expr, Agg) or asked[0].expr.name != "COUNT":
        return
    if sides.asked_groups or sides.asked_tops or context.asked_codes & GROUPED:
        return
    if " respectively" in context.ground.text:
        return
    if any(isinstance(one.expr, Agg) for one in done.projections):
        yield Finding(CODE, TITLE, "grouped", question_span=asked[0].span, sql_span=done.projections[0].span)


_COUNTED = frozenset(("count_asked", "number_of_asked"))
