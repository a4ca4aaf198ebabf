"""NOT IN over a list that may hold NULL.

What it sees: `x NOT IN (SELECT y …)` where nothing keeps NULL out of y: no test, no schema, and y is no key by its
name.

Why it is bad: one NULL in the list, and the condition holds for no row at all.

Example: `SELECT name FROM pilots WHERE name NOT IN (SELECT captain FROM flights)`

Right: `… NOT IN (SELECT captain FROM flights WHERE captain IS NOT NULL)`, or NOT EXISTS
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import entity_of
from stef.records.assessment import Finding

CODE = "S607"
TITLE = "NOT IN over values that may be NULL"
NEEDS = ("not_in_nullable_subquery",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such test."""
    for note in context.noted("not_in_nullable_subquery"):
        if entity_of(note.text) is None:
            yield Finding(CODE, TITLE, f"one NULL in {note.text}, and no row is left", sql_span=note.span)
