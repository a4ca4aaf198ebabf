"""A filter is in force that neither question, hints nor rules ask for.

What it sees: a filter that the turn does not mention, that SQL needs for nothing, and that no `benign_filters` of the
rules covers: a flag, a short code, a test for nothing. Longer texts and numbers have findings of their own.

Why it is bad: rows that were asked for are left out, without a word about it.

Example: "List the hotels in Genoa." → `SELECT name FROM hotel WHERE city = 'Genoa' AND closed_on IS NULL`

Right: `SELECT name FROM hotel WHERE city = 'Genoa'`
"""

import re
from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding

CODE = "S344"
TITLE = "a filter that nobody asks for"
NEEDS = ("extras",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each extra filter that no rule covers."""
    for extra in context.sides.filters.extras:
        if not extra.benign and _TEXT_OR_NUMBER.search(extra.text) is None:
            yield Finding(CODE, TITLE, extra.text, sql_span=extra.sql_span)


_TEXT_OR_NUMBER = re.compile(r"'[^']{3,}'|\b\d")
