"""A value stands in lower case, and question or hint write it with a capital.

What it sees: `= 'spain'` where the turn says "Spain", compared with regard to case.

Why it is bad: most databases tell 'spain' from 'Spain', and find nothing.

Example: "How many ports are in Spain?" → `SELECT COUNT(*) FROM ports WHERE country = 'spain'`

Right: `SELECT COUNT(*) FROM ports WHERE country = 'Spain'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import done_texts
from stef.records.assessment import Finding
from stef.sql.describe import describe_predicate

CODE = "S346"
TITLE = "a value's capital letter is dropped"
NEEDS = ("texts",)
_SHORTEST = 3


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such value."""
    sides = context.sides
    said = {word.text for reading in (sides.question, sides.enriched) if reading is not None for word in reading.words}
    for value, predicate in done_texts(context):
        text = value.text
        if predicate.folded or len(text) < _SHORTEST or not text.isalpha() or not text.islower() or text in said:
            continue
        if text.capitalize() in said:
            yield Finding(CODE, TITLE, describe_predicate(predicate), sql_span=predicate.span)
