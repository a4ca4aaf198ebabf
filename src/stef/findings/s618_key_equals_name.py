"""A key is compared with a name.

What it sees: `…_id = 'Anna'`: a column that its name calls an id, and words in place of a number or a code.

Why it is bad: the name stands in the table that the key leads to; nothing is found.

Example: `SELECT COUNT(*) FROM visits WHERE guest_id = 'Anna'`

Right: `SELECT COUNT(*) FROM visits JOIN guests ON guests.id = visits.guest_id WHERE guests.name = 'Anna'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import done_texts, is_id
from stef.records.assessment import Finding
from stef.sql.describe import describe_predicate

CODE = "S618"
TITLE = "a key is compared with a name"
NEEDS = ("texts",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such comparison."""
    for value, predicate in done_texts(context):
        words = value.text.replace(" ", "")
        if is_id(predicate.subject) and len(words) > 2 and words.isalpha() and not words.isupper():
            yield Finding(CODE, TITLE, describe_predicate(predicate), sql_span=predicate.span)
