"""NOT IN over a list that may hold NULL.

What it sees: `x NOT IN (SELECT y …)` where nothing keeps NULL out of y: no test, no schema, and y is not the key of its
own table.

Why it is bad: one NULL in the list, and the condition holds for no row at all.

Example: `SELECT name FROM pilots WHERE id NOT IN (SELECT pilot_id FROM flights)`

Right: `… NOT IN (SELECT pilot_id FROM flights WHERE pilot_id IS NOT NULL)`, or NOT EXISTS
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import own_key, table_of
from stef.records.assessment import Finding

CODE = "S607"
TITLE = "NOT IN over values that may be NULL"


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such test."""
    noted = context.noted("not_in_nullable_subquery")
    if not noted:
        return
    keys = {
        shown.name
        for _, shown in context.queried
        if len(shown.sources) == 1 and own_key(shown.name, table_of(shown.sources[0]))
    }
    for note in noted:
        if note.text not in keys:
            yield Finding(CODE, TITLE, f"one NULL in {note.text}, and no row is left", sql_span=note.span)
