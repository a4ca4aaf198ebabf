"""A sum or an average over rows that a join repeats.

What it sees: SUM or AVG of a column of one table, while that table is joined to one that names it, and may so have many
rows for each of its rows.

Why it is bad: a value is summed once for each joined row. Who has three flights earns three salaries.

Example: `SELECT AVG(p.salary) FROM pilots p JOIN flights f ON f.pilot_id = p.id`

Right: `SELECT AVG(p.salary) FROM pilots p WHERE p.id IN (SELECT pilot_id FROM flights)`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import multiplied, shown_aggregates, source_of
from stef.records.assessment import Finding
from stef.sql.trees import columns

CODE = "S406"
TITLE = "sum over rows that a join repeats"
NEEDS = ("joined",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such aggregate."""
    if not context.joined or not context.done.aggregates:
        return
    for block, _ in context.done.blocks:
        if not block.joins:
            continue
        repeated = None
        for aggregate in shown_aggregates(block):
            if aggregate.name not in ("SUM", "AVG") or aggregate.distinct or aggregate.arg is None:
                continue
            repeated = multiplied(block) if repeated is None else repeated
            homes = {source_of(column) for column in columns(aggregate.arg)}
            home = homes.pop() if len(homes) == 1 else None
            if home in repeated:
                by = repeated[home].many
                grouped = any(by.sources[0] in column.sources for key in block.group_by for column in columns(key))
                if not grouped:
                    detail = f"{aggregate.name} over a join that repeats its rows by {by.name}"
                    yield Finding(CODE, TITLE, detail, sql_span=aggregate.span)
