"""A superlative is asked for each group, and the SQL keeps one row of all.

What it sees: "each", "every" or "per" beside a superlative, and LIMIT 1 with no window, no rank per group.

Why it is bad: one group gets its answer, the others none.

Example: "What is the longest route of each airline?" → `SELECT airline, route FROM routes ORDER BY miles DESC LIMIT 1`

Right: `SELECT airline, route FROM (SELECT *, RANK() OVER (PARTITION BY airline ORDER BY miles DESC) AS r FROM routes)
WHERE r = 1`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding

CODE = "S204"
TITLE = "one first row for all groups together"
NEEDS = ("tops_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where groups are asked and LIMIT 1 stands over all of them."""
    done = context.done
    if done.limit != 1 or not context.asked_codes & _EACH or not context.sides.asked_tops:
        return
    if done.windows or any(top.per for top in done.tops):
        return
    span = context.asked_span("each_asked") or context.asked_span("per_asked")
    yield Finding(CODE, TITLE, "LIMIT 1 keeps one row of all groups", question_span=span)


_EACH = frozenset(("each_asked", "per_asked"))
