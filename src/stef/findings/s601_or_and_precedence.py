"""AND binds more tightly than OR.

What it sees: AND and OR in one condition, without parentheses.

Why it is bad: `a OR b AND c` is `a OR (b AND c)`: the filter c does not hold for the rows of a.

Example: `WHERE city = 'Rome' OR city = 'Pisa' AND year = 2023`

Right: `WHERE (city = 'Rome' OR city = 'Pisa') AND year = 2023`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S601"
TITLE = "OR beside AND without parentheses"
NEEDS = ("mixed_and_or",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such condition."""
    return from_notes(context, "mixed_and_or", CODE, TITLE, "a filter holds for one side of the OR only")
