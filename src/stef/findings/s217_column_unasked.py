"""A column is shown that neither question nor hints speak of.

What it sees: more columns than things asked, and one whose name no word of the turn goes by, that is no grouping key.

Why it is bad: another column than asked. A program that reads the answer gets a table of another shape.

Example: "What are the names of the pilots?" → `SELECT name, license_no FROM pilot`

Right: `SELECT name FROM pilot`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.expressions import Column

CODE = "S217"
TITLE = "a column shown that nobody speaks of"
NEEDS = ("several_shown",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each selected column that goes by no word of the turn."""
    done, asked = context.done, context.sides.asked_projections
    if not asked or len(done.projections) <= len(asked):
        return
    keys = {key.name for key in done.group_by if isinstance(key, Column)}
    for projection in done.projections:
        expr = projection.expr
        if isinstance(expr, Column) and expr.name not in keys and context.ground.names_column(expr.name) < _NAMED:
            yield Finding(CODE, TITLE, expr.name, sql_span=projection.span)


_NAMED = 0.5
