"""A name is set equal to a key.

What it sees: a join of a column that holds a name with one that is a key.

Why it is bad: a name is no number: the join finds nothing.

Example: `SELECT a.city FROM airports a JOIN flights f ON f.airport_id = a.name`

Right: `SELECT a.city FROM airports a JOIN flights f ON f.airport_id = a.id`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import entity_of
from stef.question.words import name_stems
from stef.records.assessment import Finding

CODE = "S410"
TITLE = "name set equal to a key"
NEEDS = ("joined", "queried")


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such pair."""
    for left, right in (*context.joined, *context.queried):
        for name, key in ((left, right), (right, left)):
            if name_stems(name.name)[-1:] == ("name",) and entity_of(key.name) is not None:
                yield Finding(CODE, TITLE, f"{name.name} = {key.name}", sql_span=name.span)
