"""One thing is asked, and the SQL shows it beside others.

What it sees: a single phrase to show ("which clinic", "the capacity of the hall"), and beside it computed values or
columns that no word goes by; parts of a name are no surplus.

Why it is bad: another column than asked. A program that reads the answer gets a table of another shape.

Example: "Which clinic has the most beds?" → `SELECT id, city, SUM(beds) FROM clinic GROUP BY id, city ORDER BY 3 DESC
LIMIT 1`

Right: `SELECT id FROM clinic GROUP BY id ORDER BY SUM(beds) DESC LIMIT 1`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import GROUPED, ties
from stef.question.words import name_stems
from stef.records.assessment import Finding
from stef.records.expressions import Binary, Column, Expr, Phrase, Star
from stef.sql.describe import describe_expr

CODE = "S218"
TITLE = "one thing asked, more shown"
NEEDS = ("several_shown",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where one phrase is asked and surplus stands beside it."""
    asked, done = context.sides.asked.projections, context.done
    if len(asked) != 1 or len(done.projections) < 2 or not isinstance(asked[0].expr, Phrase):
        return
    if context.asked_codes & GROUPED or context.sides.asked_groups:
        return
    if any("full" in tie.phrase.stems for tie in ties(context)):
        return
    surplus = [one for one in done.projections if _is_surplus(one.expr, context)]
    if surplus:
        detail = ", ".join(describe_expr(one.expr) for one in surplus)
        yield Finding(CODE, TITLE, detail, question_span=asked[0].span, sql_span=surplus[0].span)


def _is_surplus(expr: Expr, context: Context) -> bool:
    if isinstance(expr, Column):
        return context.ground.names_column(expr.name) < _NAMED and not _NAMES & set(name_stems(expr.name))
    return not isinstance(expr, Star | Binary)


_NAMED = 0.5
_NAMES = frozenset(("name", "first", "last", "forenam", "surnam", "sur", "given", "famili", "titl"))
