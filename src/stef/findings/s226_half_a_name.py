"""A full name is asked, and the SQL shows one part of it.

What it sees: "full name", or "first and last name"; a column for the one part, none for the other, and no
column for the whole.

Why it is bad: half of the answer is missing.

Example: "What is the full name of the driver of bus 9?" → `SELECT last_name FROM driver WHERE bus = 9`

Right: `SELECT first_name, last_name FROM driver WHERE bus = 9`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import columns_of, shown
from stef.question.words import name_stems
from stef.records.assessment import Finding

CODE = "S226"
TITLE = "a full name asked, half of it shown"


def find(context: Context) -> Iterator[Finding]:
    """One finding, where first or last name stands alone."""
    if not any(words in context.ground.text for words in _ASKED):
        return
    names = [name_stems(column.name) for expr in shown(context) for column in columns_of(expr)]
    first = any(_FIRST & set(stems) for stems in names)
    last = any(_LAST & set(stems) for stems in names)
    if first != last and not any("full" in stems for stems in names):
        shown_part, other = ("first", "last") if first else ("last", "first")
        yield Finding(CODE, TITLE, f"the {shown_part} name without the {other}")


_ASKED = (" full name", " first and last name", " first name and last name", " last name and first name")
_FIRST = frozenset(("first", "given", "forenam", "fname", "firstnam"))
_LAST = frozenset(("last", "sur", "surnam", "famili", "lname", "lastnam"))
