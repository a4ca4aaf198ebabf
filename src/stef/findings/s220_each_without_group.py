"""A value is asked for each of several things, and the SQL computes one for all.

What it sees: "for each X", "per X"; every selected column is an aggregate; no GROUP BY, no window.

Why it is bad: one row comes back where one for each was asked.

Example: "What is the average wage for each team?" → `SELECT AVG(wage) FROM worker`

Right: `SELECT team, AVG(wage) FROM worker GROUP BY team`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.expressions import Agg

CODE = "S220"
TITLE = "a value for each asked, one value shown"
NEEDS = ("each_asked", "per_asked")


def find(context: Context) -> Iterator[Finding]:
    """One finding, where groups are asked and one row comes back."""
    done = context.done
    if not context.asked_codes & _EACH or done.group_by or done.windows or done.set_kinds or not done.projections:
        return
    if done.subqueries or any(top.per for top in done.tops) or any(agg.filter for agg in done.aggregates):
        return
    if any(part in context.ground.text for part in _RATES) or not context.sides.asked_groups:
        return
    if all(isinstance(one.expr, Agg) for one in done.projections):
        span = context.asked_span("each_asked") or context.asked_span("per_asked")
        yield Finding(CODE, TITLE, "every column is an aggregate of all rows", question_span=span)


_EACH = frozenset(("each_asked", "per_asked"))
_RATES = (" after each ", " after every ", " of each other ")
