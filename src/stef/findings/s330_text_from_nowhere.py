"""The SQL compares with a text that stands nowhere in the question, its hints or the rules.

What it sees: an equality with a text of which no word is mentioned, as it stands, as a stem, or nearly spelled.

Why it is bad: the value is a guess. Codes of a database can be right guesses: put them into the rules' value mappings.

Example: "Which hotels are in the old town?" → `SELECT name FROM hotel WHERE district = 'Altstadt-Nord'`

Right: the value as the question has it, or one that `value_mappings` lists
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import done_texts
from stef.records.assessment import Finding

CODE = "S330"
TITLE = "a text value that nobody mentions"


def find(context: Context) -> Iterator[Finding]:
    """One finding for each text value without ground."""
    for value, predicate in done_texts(context):
        text = value.text
        if len(text.strip()) < 2 or not any(char.isalpha() for char in text):
            continue
        if not context.ground.mentions(value, predicate.subject):
            yield Finding(CODE, TITLE, repr(text[:80]), sql_span=value.span or predicate.span)
