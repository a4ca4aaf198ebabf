"""A column that a filter fixes to one value is shown.

What it sees: `SELECT city … WHERE city = 'Bergen'`: an output column that has the same value on every row, which the
question has already said; where rows are grouped it may name the group.

Why it is bad: who asks about Bergen knows that it is Bergen; mostly another column was asked for.

Example: "Which county is Bergen in?" → `SELECT city FROM places WHERE city = 'Bergen'`

Right: `SELECT county FROM places WHERE city = 'Bergen'`
"""

from collections.abc import Iterator

from stef.alignment.facts import Reach
from stef.findings.context import Context
from stef.findings.parts import predicates
from stef.records.assessment import Finding
from stef.records.expressions import Column
from stef.records.predicates import Op

CODE = "S237"
TITLE = "a column is shown that a filter fixes"
NEEDS = ("values",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such column."""
    shown = {one.expr: one for one in context.done.projections if isinstance(one.expr, Column)}
    if not shown or context.done.group_by:
        return
    for placed, predicate in predicates(context):
        if placed.reach is not Reach.ALL or predicate.op is not Op.IN or predicate.negated:
            continue
        if len(predicate.values) == 1 and len(placed.clause.predicates) == 1 and predicate.subject in shown:
            detail = f"it is {predicate.values[0].text} on every row"
            yield Finding(CODE, TITLE, detail, sql_span=shown[predicate.subject].span)
