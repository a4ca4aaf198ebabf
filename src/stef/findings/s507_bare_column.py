"""A column beside an aggregate that nothing groups.

What it sees: an output column outside of every aggregate, in a query that aggregates and does not group by it.

Why it is bad: most engines refuse the query. SQLite and MySQL take the column from some row: which one is chance.

Example: `SELECT name, AVG(hours) FROM pilots`

Right: `SELECT name, AVG(hours) FROM pilots GROUP BY name`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import bare_columns, shown_aggregates
from stef.records.assessment import Finding
from stef.records.expressions import Column
from stef.records.spec import Select

CODE = "S507"
TITLE = "column beside an aggregate, not grouped"
NEEDS = ("aggregates",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each block that shows such a column."""
    if not context.done.aggregates:
        return
    for block, _ in context.done.blocks:
        if len(block.projections) < 2 or next(shown_aggregates(block), None) is None:
            continue
        column = _bare(block)
        if column is not None:
            yield Finding(CODE, TITLE, f"{column.name} comes from some row of the group", sql_span=column.span)


def _bare(block: Select) -> Column | None:
    """The first column that is shown and not grouped by; a group of one key may show what hangs on it."""
    names = {key.name for key in block.group_by if isinstance(key, Column)}
    if len(names) < len(block.group_by):
        return None
    for projection in block.projections:
        for column in bare_columns(projection.expr):
            if column.name not in names:
                return column
    return None
