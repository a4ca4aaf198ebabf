"""A column of a table that the query does not read.

What it sees: `x.column` where no table or alias of the query is called x.

Why it is bad: engines refuse the query.

Example: `SELECT p.name FROM pilots JOIN flights f ON f.pilot_id = p.id`

Right: `SELECT p.name FROM pilots p JOIN flights f ON f.pilot_id = p.id`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding

CODE = "S131"
TITLE = "column of a table that is not there"
NEEDS = ("unknown_qualifier",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such name."""
    for note in context.noted("unknown_qualifier"):
        if not _defined(context.sql.casefold(), note.text.casefold()):
            yield Finding(CODE, TITLE, f"nothing in FROM is called {note.text}", sql_span=note.span)


def _defined(sql: str, name: str) -> bool:
    """Whether the name stands somewhere as other than a qualifier: an alias that comes later, or further in."""
    start = sql.find(name)
    while start >= 0:
        end = start + len(name)
        whole = not sql[start - 1 : start].isalnum() and not sql[end : end + 1].isalnum()
        if whole and sql[end : end + 1] not in (".", "_", '"', "`") and sql[start - 1 : start] not in ("_", "."):
            return True
        start = sql.find(name, end)
    return False
