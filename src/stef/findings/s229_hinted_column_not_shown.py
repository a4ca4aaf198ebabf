"""A hint says which column an asked thing is, and the SQL shows another.

What it sees: "X refers to column", X is among the things to show, and the column is not in the output.

Why it is bad: the asked thing is missing, or something else goes by its name.

Example: "List the makers.", makers refers to brand_name → `SELECT owner FROM bike`

Right: `SELECT brand_name FROM bike`
"""

from collections.abc import Iterator

from rapidfuzz.fuzz import ratio

from stef.findings.context import Context
from stef.findings.parts import columns_of, shown, shows_star, ties
from stef.question.words import name_stems, tie
from stef.records.assessment import Finding
from stef.records.expressions import Column, Phrase

CODE = "S229"
TITLE = "the column that a hint names is not shown"
NEEDS = ("hints",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each hinted column of the output that is not there."""
    hints = ties(context)
    if not hints or shows_star(context):
        return
    names = {column.name for expr in shown(context) for column in columns_of(expr)}
    asked = [one for one in context.sides.asked.projections if isinstance(one.expr, Phrase)]
    for hint in hints:
        if not isinstance(hint.target, Column) or _is_shown(hint.target.name, names, context):
            continue
        for one in asked:
            if isinstance(one.expr, Phrase) and _is_named(one.expr, hint.phrase):
                yield Finding(CODE, TITLE, hint.text, question_span=one.span)
                break


def _is_shown(name: str, names: set[str], context: Context) -> bool:
    """Whether a column of that name, or nearly so (`id` as `hero_id`), is shown; or it is a table's name."""
    if name in names or name in context.done.tables:
        return True
    return any(one.endswith(name) or name.endswith(one) or ratio(one, name) >= _NEAR for one in names)


_NEAR = 85.0


def _is_named(asked: Phrase, hinted: Phrase) -> bool:
    """Whether the hint is about the asked phrase, or about what it begins with ("the address *of the shop*")."""
    head = name_stems(asked.text.split(" of ", 1)[0])
    return tie(asked.stems, hinted.stems) >= _SAME or head == hinted.stems


_SAME = 0.9
