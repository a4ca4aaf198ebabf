"""The rows are sorted the other way than asked.

What it sees: one asked sort key and one in the SQL, in another direction; where the question names none, from the least
to the most.

Why it is bad: what should come first comes last.

Example: "List the cats by weight in descending order." → `SELECT name FROM cat ORDER BY weight`

Right: `SELECT name FROM cat ORDER BY weight DESC`
"""

from collections.abc import Iterator

from stef.alignment.match import tie_expr
from stef.findings.context import Context
from stef.findings.parts import is_birth
from stef.records.assessment import Finding
from stef.records.expressions import Phrase
from stef.sql.describe import describe_expr

CODE = "S223"
TITLE = "the order asked, the other way"
NEEDS = ("order",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where the only sort key goes the other way."""
    asked, done = context.sides.asked.order, context.done.order
    if len(asked) != 1 or len(done) != 1 or context.sides.asked_tops or asked[0].descending == done[0].descending:
        return
    if isinstance(asked[0].expr, Phrase) and "age" in asked[0].expr.stems and is_birth(done[0].expr):
        return
    if tie_expr(asked[0].expr, done[0].expr, context.ground) < _TIED:
        return
    way = "descending" if done[0].descending else "ascending"
    detail = f"{describe_expr(done[0].expr)} {way}"
    yield Finding(CODE, TITLE, detail, question_span=context.asked_span("order_asked"))


_TIED = 0.5
