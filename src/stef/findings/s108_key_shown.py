"""A key is shown beside what was asked.

What it sees: the table's own key (`id`, `pilot_id` of pilots) among other output columns, where the
turn speaks of no id.

Why it is bad: a column that nobody asked for makes another answer. Where the agent adds keys by design, say so in
`agent_adds.columns`.

Example: "Names of all pilots from Chile" answered by `SELECT pilot_id, name FROM pilots WHERE country = 'Chile'`

Right: `SELECT name FROM pilots WHERE country = 'Chile'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import own_key, table_of
from stef.records.assessment import Finding
from stef.records.expressions import Column

CODE = "S108"
TITLE = "key shown, not asked"
NEEDS = ("several_shown",)

_ASKED = frozenset({"id", "identifi", "ident", "key", "code", "number"})


def find(context: Context) -> Iterator[Finding]:
    """One finding for each key that is shown."""
    shown = context.done.projections
    if len(shown) < 2 or not _ASKED.isdisjoint(context.ground.stems):
        return
    for projection in shown:
        expr = projection.expr
        if type(expr) is not Column or len(expr.sources) != 1 or not own_key(expr.name, table_of(expr.sources[0])):
            continue
        if expr.name not in context.sides.policy.agent_columns and context.ground.names_column(expr.name) < 1.0:
            yield Finding(CODE, TITLE, f"{expr.name} is asked for by nobody", sql_span=projection.span)
