"""A hint names a column, and the SQL uses it nowhere.

What it sees: "X refers to column" or a formula over columns in the enriched question; the name stands nowhere in the
SQL.

Why it is bad: something else is filtered, computed or shown in its place.

Example: "Which plants need shade?", need shade refers to light_need = 'low' →
`SELECT name FROM plant WHERE zone = 'low'`

Right: `SELECT name FROM plant WHERE light_need = 'low'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import columns_of, formulas, mentions, ties
from stef.question.words import name_stems
from stef.records.assessment import Finding
from stef.records.expressions import Column
from stef.records.reading import MentionKind

CODE = "S323"
TITLE = "a column that a hint names is not used"
NEEDS = ("hints",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each hinted column that is nowhere in the SQL."""
    if context.sides.enriched is None:
        return
    sql = context.sql.casefold()
    named = {column.name for column in _hinted(context)}
    missing = sorted(name for name in named if name not in sql and _is_identifier(name))
    for name in missing:
        yield Finding(CODE, TITLE, name)


def _hinted(context: Context) -> Iterator[Column]:
    for tie in ties(context):
        yield from columns_of(tie.target)
    for formula in formulas(context):
        yield from columns_of(formula.expr)
    for mention in mentions(context):
        if mention.kind is MentionKind.HINT and mention.clause is not None and mention.certain:
            for predicate in mention.clause.predicates:
                yield from columns_of(predicate.subject)


def _is_identifier(name: str) -> bool:
    """No word of English prose that the hint's parser took for a column, and no clock."""
    return ("_" in name or len(name_stems(name)) > 1) and not name.startswith("current_")
