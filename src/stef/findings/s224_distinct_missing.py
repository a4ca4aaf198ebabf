"""Different values are asked, and the SQL keeps repeats.

What it sees: "different", "distinct", "unique"; no DISTINCT, no GROUP BY, no set operation.

Why it is bad: the same value comes back more than once.

Example: "What are the different colors of the cars?" → `SELECT color FROM car`

Right: `SELECT DISTINCT color FROM car`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.spec import SetKind

CODE = "S224"
TITLE = "different ones asked, repeats kept"
NEEDS = ("distinct_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where distinctness is asked and nothing brings it about."""
    done = context.done
    if "distinct_asked" not in context.asked_codes or done.distinct or done.group_by or done.windows:
        return
    if any(agg.distinct for agg in done.aggregates) or SetKind.UNION in done.set_kinds or done.limit == 1:
        return
    yield Finding(CODE, TITLE, "no DISTINCT", question_span=context.asked_span("distinct_asked"))
