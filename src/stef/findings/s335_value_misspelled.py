"""The SQL compares with a text that is nearly, but not, the asked value.

What it sees: an asked value that no filter has, and an equality with a text that differs from it in a few letters and
stands nowhere in the turn.

Why it is bad: an equality knows no "nearly".

Example: "Which roads lead to Ålesund?" → `SELECT name FROM road WHERE goal = 'Alsund'`

Right: `SELECT name FROM road WHERE goal = 'Ålesund'`
"""

from collections.abc import Iterator

from rapidfuzz.fuzz import ratio

from stef.alignment.ground import fold
from stef.findings.context import Context
from stef.findings.parts import all_applied, asked_texts, done_texts
from stef.records.assessment import Finding

CODE = "S335"
TITLE = "a value spelled otherwise than asked"
NEEDS = ("absent", "altered", "opposed", "undecided")


def find(context: Context) -> Iterator[Finding]:
    """One finding for each asked value that is there only nearly."""
    if all_applied(context):
        return
    done = done_texts(context)
    if not done:
        return
    have = {fold(value.text) for value, _ in done}
    for want in sorted({fold(value.text) for value in asked_texts(context)} - have):
        for value, predicate in done:
            text = fold(value.text)
            if len(text) < _SHORT or text in context.ground.text or text in want or want in text:
                continue
            if ratio(want, text) >= _NEAR:
                detail = f"{value.text!r} for {want.strip()!r}"
                yield Finding(CODE, TITLE, detail, sql_span=value.span or predicate.span)
                break


_SHORT, _NEAR = 6, 75.0
