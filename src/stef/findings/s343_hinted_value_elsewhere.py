"""A hint says which column a value is in, and the SQL looks for it in another.

What it sees: "X refers to column = value"; the SQL compares the value with a column of another name, and the hinted one
with nothing of the kind.

Why it is bad: the value is not there, or means something else there.

Example: "Who plays flute?", plays flute refers to instrument = 'flute' →
`SELECT name FROM player WHERE style = 'flute'`

Right: `SELECT name FROM player WHERE instrument = 'flute'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import mentions, predicates
from stef.question.words import name_stems, tie
from stef.records.assessment import Finding
from stef.records.expressions import Column
from stef.records.predicates import Op
from stef.records.reading import MentionKind
from stef.sql.describe import describe_expr

CODE = "S343"
TITLE = "a hinted value on another column"
NEEDS = ("hints",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each hinted value that stands on another column only."""
    if context.sides.enriched is None:
        return
    for mention in mentions(context):
        if mention.kind is not MentionKind.HINT or mention.clause is None or len(mention.clause.predicates) != 1:
            continue
        asked = mention.clause.predicates[0]
        if asked.op is not Op.IN or not isinstance(asked.subject, Column) or len(asked.values) != 1:
            continue
        value = asked.values[0].value
        if not isinstance(value, str) or not value.strip() or len(value) < _SHORT:
            continue
        others = [one.subject for _, one in predicates(context) if any(v.value == value for v in one.values)]
        if others and all(isinstance(one, Column) and not _alike(one.name, asked.subject.name) for one in others):
            yield Finding(CODE, TITLE, f"{mention.text}: on {describe_expr(others[0])}")


_SHORT = 2


def _alike(one: str, other: str) -> bool:
    """ "color" for `colour`, "name" for `school_name`."""
    return one in other or other in one or tie(name_stems(one), name_stems(other)) >= _TIED


_TIED = 0.5
