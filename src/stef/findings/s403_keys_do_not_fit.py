"""A join of keys that speak of different things.

What it sees: two keys set equal whose names speak of different entities, where neither can be the other by a role:
`bill_id = supplier_id`.

Why it is bad: the numbers meet by chance; the rows that come together have nothing to do with each other.

Example: `SELECT s.name FROM bills b JOIN suppliers s ON b.bill_id = s.supplier_id`

Right: `SELECT s.name FROM bills b JOIN suppliers s ON b.supplier_id = s.supplier_id`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import unfit
from stef.records.assessment import Finding

CODE = "S403"
TITLE = "joined keys do not fit each other"
NEEDS = ("joined",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such join."""
    for left, right in context.joined:
        if left.name != right.name and unfit(left, right):
            yield Finding(CODE, TITLE, f"{left.name} = {right.name}", sql_span=left.span)
