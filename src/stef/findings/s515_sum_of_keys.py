"""Keys are summed or averaged.

What it sees: SUM or AVG of a column that is a key by its name.

Why it is bad: a key is a name that happens to be a number; its sum means nothing. COUNT, or another column, was meant.

Example: `SELECT SUM(pilot_id) FROM flights`

Right: `SELECT COUNT(pilot_id) FROM flights`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.question.words import name_stems
from stef.records.assessment import Finding
from stef.records.expressions import Column

CODE = "S515"
TITLE = "keys summed or averaged"
NEEDS = ("aggregates",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such aggregate."""
    for aggregate in context.done.aggregates:
        of = aggregate.arg
        if aggregate.name in ("SUM", "AVG") and type(of) is Column and name_stems(of.name)[-1:] == ("id",):
            yield Finding(CODE, TITLE, f"{aggregate.name} of {of.name}", sql_span=aggregate.span)
