"""A text in a filter begins or ends with a space.

What it sees: `' Rome'`, `'Rome '`.

Why it is bad: engines compare texts letter by letter: the value with the space is another value.

Example: `SELECT name FROM pilots WHERE city = ' Rome'`

Right: `SELECT name FROM pilots WHERE city = 'Rome'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.predicates import Op

CODE = "S125"
TITLE = "space at the end of a text"
NEEDS = ("values",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such text that the question does not have so."""
    for placed in context.done.placed:
        for predicate in placed.clause.predicates:
            if predicate.op is not Op.IN:
                continue
            for value in predicate.values:
                text = value.text
                if value.quoted and text and (text[0] == " " or text[-1] == " ") and not _quoted(context, text):
                    yield Finding(CODE, TITLE, f"{text!r}", sql_span=value.span or predicate.span)


def _quoted(context: Context, text: str) -> bool:
    sides = context.sides
    said = sides.question.text + (sides.enriched.text if sides.enriched is not None else "")
    return f"'{text}'" in said or f'"{text}"' in said
