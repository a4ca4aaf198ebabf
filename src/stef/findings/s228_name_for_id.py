"""An id is asked, and no selected column is one.

What it sees: "the id of …", "list their IDs"; no column of the output has a key's name, and nothing is computed.

Why it is bad: what was to identify the rows is missing.

Example: "List the ids of the open tickets." → `SELECT title FROM ticket WHERE open = 1`

Right: `SELECT id FROM ticket WHERE open = 1`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import shown, ties
from stef.question.words import name_stems
from stef.records.assessment import Finding
from stef.records.expressions import Column, Phrase

CODE = "S228"
TITLE = "a key asked, none shown"


def find(context: Context) -> Iterator[Finding]:
    """One finding for an asked id that no selected column can be."""
    if " id" not in context.ground.text:
        return
    exprs = shown(context)
    if not exprs or any(not isinstance(expr, Column) or _may_be_key(expr.name) for expr in exprs):
        return
    hinted = {tie.target for tie in ties(context)}
    if any(expr in hinted for expr in exprs):
        return
    for asked in context.sides.asked.projections:
        if isinstance(asked.expr, Phrase) and _is_id_phrase(asked.expr, context):
            detail = ", ".join(expr.name for expr in exprs if isinstance(expr, Column))
            yield Finding(CODE, TITLE, detail, question_span=asked.span, sql_span=context.done.projections[0].span)
            return


def _may_be_key(name: str) -> bool:
    return name.endswith("id") or bool(_KEYS & set(name_stems(name)))


def _is_id_phrase(phrase: Phrase, context: Context) -> bool:
    """ "ids of makers", "patient ID"; no "ID 38" inside of a phrase."""
    head = phrase.text.casefold().split(" of ", 1)[0].split()
    if not head or head[-1] not in ("id", "ids") or phrase.span is None:
        return False
    after = context.question.text[phrase.span[1] : phrase.span[1] + 3].lstrip(" #:'\"")
    return not after[:1].isdigit()


_KEYS = frozenset(("id", "code", "key", "no", "number", "num", "uuid", "identifi", "ref"))
