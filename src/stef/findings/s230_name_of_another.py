"""The name of one thing is asked, and the SQL shows the name of another.

What it sees: "the name of the song", and a column `name` that comes from `singer` while `song` is read too; the asked
thing's own name is not shown.

Why it is bad: the answer names the wrong thing.

Example: "What is the name of the song with the most plays?" → `SELECT singer.name FROM singer JOIN song
ON song.singer_id = singer.id ORDER BY song.plays DESC LIMIT 1`

Right: `SELECT name FROM song ORDER BY plays DESC LIMIT 1`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import shown
from stef.findings.shapes import table_of
from stef.question.words import name_stems, tie
from stef.records.assessment import Finding
from stef.records.expressions import Column, Phrase

CODE = "S230"
TITLE = "the name of another thing than asked"


def find(context: Context) -> Iterator[Finding]:
    """One finding for a name that comes from another table than the asked thing's."""
    for asked in context.sides.asked.projections:
        if isinstance(asked.expr, Phrase) and len(asked.expr.stems) > 1 and asked.expr.stems[0] in _LABELS:
            found = _other_than(asked.expr.stems, context)
            if found is not None:
                detail = f"{found.name} of {found.sources[0]}"
                yield Finding(CODE, TITLE, detail, question_span=asked.span, sql_span=found.span)
                return


def _other_than(stems: tuple[str, ...], context: Context) -> Column | None:
    """A selected label of a table that is not the asked thing's, where the asked thing's own is nowhere shown."""
    label, entity = stems[0], stems[1:]
    others: list[Column] = []
    for expr in shown(context):
        if not isinstance(expr, Column) or len(expr.sources) != 1:
            return None
        table = name_stems(table_of(expr.sources[0]))
        if tie(entity, table) >= _TIED or tie(stems, name_stems(expr.name)) >= _NAMED or _GENERAL & set(table):
            return None
        if label in name_stems(expr.name):
            others.append(expr)
    there = any(tie(entity, name_stems(table_of(table))) >= _NAMED for table in context.done.tables)
    return others[0] if others and there else None


_LABELS = frozenset(("name", "titl"))
_GENERAL = frozenset(("peopl", "person", "member", "user", "parti", "entiti", "employe", "contact"))
_TIED, _NAMED = 0.5, 0.8
