"""The row at the other end is picked.

What it sees: "youngest", "cheapest", "latest", and a top-k that sorts the same thing the other way; or "oldest" by the
date of birth descending, "youngest" by it ascending.

Why it is bad: the answer is the opposite of what was asked, and looks as good.

Example: "Who is the youngest pilot?" → `SELECT name FROM pilot ORDER BY birth_date LIMIT 1`

Right: `SELECT name FROM pilot ORDER BY birth_date DESC LIMIT 1`
"""

from collections.abc import Iterator

from stef.alignment.match import tie_expr
from stef.findings.context import Context
from stef.findings.parts import is_birth
from stef.records.assessment import Finding
from stef.records.expressions import Phrase
from stef.records.spec import Order
from stef.sql.describe import describe_expr

CODE = "S202"
TITLE = "superlative in the wrong direction"
NEEDS = ("tops_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each superlative that is turned around."""
    for asked in context.sides.asked_tops:
        for done in context.done.tops:
            if asked.order and done.order and _is_turned(asked.order[0], done.order[0], context):
                way = "descending" if done.order[0].descending else "ascending"
                detail = f"sorted by {describe_expr(done.order[0].expr)} {way}"
                yield Finding(CODE, TITLE, detail, question_span=asked.span, sql_span=done.span)
                return


def _is_turned(asked: Order, done: Order, context: Context) -> bool:
    measure = asked.expr.stems if isinstance(asked.expr, Phrase) else ()
    if "age" in measure and is_birth(done.expr):
        # The older, the earlier born.
        return asked.descending == done.descending
    return asked.descending != done.descending and tie_expr(asked.expr, done.expr, context.ground) >= _TIED


_TIED = 0.5
