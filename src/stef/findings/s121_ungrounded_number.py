"""A number in a filter that nothing in the turn mentions.

What it sees: a column that must equal a number, other than 0 and 1, which neither question, enriched question nor rules
mention.

Why it is bad: the agent took the number from nowhere: an id it cannot know, or a default that nobody asked for.

Example: "How many flights did Ada pilot?" answered by `SELECT COUNT(*) FROM flights WHERE pilot_id = 17`

Right: `… JOIN pilots ON pilots.id = flights.pilot_id WHERE pilots.name = 'Ada'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding

CODE = "S121"
TITLE = "number grounded nowhere"


def find(context: Context) -> Iterator[Finding]:
    """One finding for each number."""
    for literal, span in context.ungrounded:
        value = literal.value
        if isinstance(value, int | float) and not isinstance(value, bool) and value not in (0, 1):
            yield Finding(CODE, TITLE, f"nothing mentions {literal.text}", sql_span=span)
