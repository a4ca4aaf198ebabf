"""Figures by groups, and nothing says which group each belongs to.

What it sees: the question asks for groups ("each", "per"), and the SQL shows figures alone: no column, by which it
groups or other.

Why it is bad: the rows are numbers without names. Often one figure was asked, and the grouping is too much.

Example: `SELECT COUNT(*) FROM flights GROUP BY airline`

Right: `SELECT airline, COUNT(*) FROM flights GROUP BY airline`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import GROUPED
from stef.records.assessment import Finding
from stef.records.expressions import Agg
from stef.sql.trees import columns

CODE = "S509"
TITLE = "group not shown"
NEEDS = ("group_by",)


def find(context: Context) -> Iterator[Finding]:
    """One finding where the answer shows figures of groups without their keys."""
    block = context.done.answer
    if not block.group_by or context.asked_codes.isdisjoint(GROUPED):
        return
    if all(type(one.expr) is Agg for one in block.projections):
        keys = [column for key in block.group_by for column in columns(key)]
        if keys:
            yield Finding(CODE, TITLE, f"grouped by {keys[0].name}, which is not shown", sql_span=keys[0].span)
