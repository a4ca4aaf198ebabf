"""Distinct values are counted, and the question asks for the number of all.

What it sees: COUNT(DISTINCT …) over a join, and no "different", "distinct", "unique" in question or hints.

Why it is bad: rows that share the value count once. Where a join repeats rows it can be what is meant.

Example: "How many visits were paid by card?" → `SELECT COUNT(DISTINCT guest.id) FROM guest JOIN visit ON
visit.guest_id = guest.id WHERE visit.paid_by = 'card'`

Right: `SELECT COUNT(*) FROM visit WHERE paid_by = 'card'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.sql.describe import describe_expr

CODE = "S225"
TITLE = "distinct ones counted over a join, all asked"
NEEDS = ("aggregates",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for the first distinct count that nobody asked for."""
    if len(context.done.tables) < 2 or "distinct_asked" in context.asked_codes or context.sides.asked.distinct:
        return
    done = next((agg for agg in context.done.aggregates if agg.distinct and agg.name == "COUNT"), None)
    if done is None or any(agg.distinct for agg in context.sides.asked_aggregates):
        return
    if not any(word in context.ground.text for word in _SAID):
        yield Finding(CODE, TITLE, describe_expr(done), sql_span=done.span)


_SAID = (" distinct", " different", " unique", " repetitive", " duplicate", " kinds of", " types of")
