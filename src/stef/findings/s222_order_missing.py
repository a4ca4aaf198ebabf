"""An order of the rows is asked, and the SQL applies none.

What it sees: "sorted by", "in alphabetical order", "from high to low"; no ORDER BY, no top-k.

Why it is bad: rows come back in any order.

Example: "List the names of all cats in alphabetical order." → `SELECT name FROM cat`

Right: `SELECT name FROM cat ORDER BY name`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import is_aggregate
from stef.records.assessment import Finding

CODE = "S222"
TITLE = "an order asked, none applied"
NEEDS = ("order_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where an order is asked and nothing is sorted."""
    done = context.done
    if "order_asked" not in context.asked_codes or done.order or done.tops or done.windows:
        return
    if not context.sides.asked.order or (done.projections and all(is_aggregate(one.expr) for one in done.projections)):
        return
    yield Finding(CODE, TITLE, "no ORDER BY", question_span=context.asked_span("order_asked"))
