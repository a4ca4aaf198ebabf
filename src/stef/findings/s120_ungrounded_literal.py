"""A text in a filter that nothing in the turn mentions.

What it sees: a column compared with a text of three letters or more that neither the question, nor the enriched
question, nor the rules mention: not as it stands, not word by word, not spelled nearly so.

Why it is bad: the filter was made up, or the value is spelled in a way that the database may not know.

Example: "How many pilots are active?" answered by `SELECT COUNT(*) FROM pilots WHERE branch = 'Navy'`

Right: `SELECT COUNT(*) FROM pilots WHERE status = 'active'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding

CODE = "S120"
TITLE = "text grounded nowhere"
NEEDS = ("ungrounded",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each text."""
    for literal, span in context.ungrounded:
        if isinstance(literal.value, str) and len(literal.value) > 2:
            yield Finding(CODE, TITLE, f"nothing mentions {literal.text!r}", sql_span=span)
