"""A yes-or-no column is tested, and nothing in the turn speaks of it.

What it sees: a column that must be 0 or 1, true or false, whose name none of the words in the turn come near.

Why it is bad: rows are left out for a reason that nobody gave. Conventions such as `is_deleted = 0` belong into
`benign_filters` or `mandatory_filters` of the rules.

Example: "How many pilots are there?" answered by `SELECT COUNT(*) FROM pilots WHERE certified = 1`

Right: `SELECT COUNT(*) FROM pilots`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding

CODE = "S122"
TITLE = "flag that nobody speaks of"
NEEDS = ("ungrounded",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each flag."""
    for literal, span in context.ungrounded:
        if not isinstance(literal.value, str) and literal.value in (0, 1):
            yield Finding(CODE, TITLE, "nothing in the turn goes by the name of this column", sql_span=span)
