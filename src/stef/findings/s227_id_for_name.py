"""A name is asked, and the SQL shows keys only.

What it sees: "the names of …", "who …"; every selected column is a key by its name, and no word asks for one.

Why it is bad: the reader gets numbers that say nothing to them.

Example: "What are the names of the chefs?" → `SELECT chef_id FROM chef`

Right: `SELECT name FROM chef`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import is_id, shown, ties
from stef.records.assessment import Finding
from stef.records.expressions import Column, Phrase

CODE = "S227"
TITLE = "a name asked, a key shown"


def find(context: Context) -> Iterator[Finding]:
    """One finding, where only keys are shown and a name is asked."""
    exprs = shown(context)
    if not exprs or not all(is_id(expr) for expr in exprs):
        return
    if any(word.stem in _KEYS for word in context.question.words):
        return
    asked = [one.expr for one in context.sides.asked.projections if isinstance(one.expr, Phrase)]
    named = next((phrase for phrase in asked if "name" in phrase.stems), None)
    if named is None and "who_asked" not in context.asked_codes:
        return
    if any(tie.target == expr for tie in ties(context) for expr in exprs):
        return
    span = context.asked_span("who_asked") if named is None else named.span
    detail = ", ".join(expr.name for expr in exprs if isinstance(expr, Column))
    yield Finding(CODE, TITLE, detail, question_span=span, sql_span=context.done.projections[0].span)


_KEYS = frozenset(("id", "code", "key", "number", "identifi"))
