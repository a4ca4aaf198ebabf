"""A filter holds in one branch of a UNION only.

What it sees: a filter in one branch that no other branch has, where the branches do not just add up values of one
column.

Why it is bad: the rows of the other branches come unfiltered.

Example: `SELECT id FROM flights WHERE year = 2023 UNION SELECT id FROM charters`

Right: `SELECT id FROM flights WHERE year = 2023 UNION SELECT id FROM charters WHERE year = 2023`
"""

from collections.abc import Iterator

from stef.alignment.facts import Reach
from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.spec import SetKind

CODE = "S609"
TITLE = "filter in one branch only"
NEEDS = ("set_operation",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such filter."""
    kinds = context.done.set_kinds
    if SetKind.UNION not in kinds and SetKind.UNION_ALL not in kinds:
        return
    for placed in context.done.placed:
        if placed.reach is Reach.PART:
            span = placed.clause.span or placed.clause.predicates[0].span
            yield Finding(CODE, TITLE, "the other branches come without it", sql_span=span)
