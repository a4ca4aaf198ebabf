"""A condition that does not depend on the row.

What it sees: a condition that is always true or never: `1 = 1`, `'a'`, `x = x`.

Why it is bad: it filters nothing, or everything. Often a piece of an OR lost its column: `city = 'Rome' OR 'Milan'`.

Example: `SELECT name FROM pilots WHERE city = 'Rome' OR 'Milan'`

Right: `SELECT name FROM pilots WHERE city IN ('Rome', 'Milan')`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S602"
TITLE = "condition without a column"
NEEDS = ("constant_condition",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such condition."""
    return from_notes(context, "constant_condition", CODE, TITLE, "this is the same for every row")
