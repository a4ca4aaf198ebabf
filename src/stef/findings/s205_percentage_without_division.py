"""A percentage is asked, and the SQL divides nothing.

What it sees: "percentage", "percent", "what share in percent"; no division, no average, no column that holds a
percentage.

Why it is bad: a count or a sum is shown in place of a share.

Example: "What percentage of parcels is lost?" → `SELECT COUNT(*) FROM parcel WHERE lost = 1`

Right: `SELECT 100.0 * SUM(lost) / COUNT(*) FROM parcel`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import columns_of, divides, shown
from stef.question.words import name_stems
from stef.records.assessment import Finding

CODE = "S205"
TITLE = "percentage asked, no division"
NEEDS = ("percentage_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where a percentage is asked and nothing is divided."""
    if "percentage_asked" not in context.asked_codes or divides(context.done):
        return
    if any(_HELD & set(name_stems(column.name)) for expr in shown(context) for column in columns_of(expr)):
        return
    yield Finding(CODE, TITLE, "the SQL does not divide", question_span=context.asked_span("percentage_asked"))


_HELD = frozenset(("percent", "percentag", "pct"))
