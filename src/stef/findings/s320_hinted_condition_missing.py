"""A hint says what words of the question mean as a condition, and the SQL does not apply it.

What it sees: "X refers to column = value" in the enriched question, X in the question, and no filter of that meaning.

Why it is bad: rows come back that the question rules out.

Example: "How many old trees are there?", old refers to age > 100 → `SELECT COUNT(*) FROM tree`

Right: `SELECT COUNT(*) FROM tree WHERE age > 100`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.alignment import FilterState, Origin
from stef.records.assessment import Finding

CODE = "S320"
TITLE = "a condition that a hint spells out is missing"
NEEDS = ("absent",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each condition of the enriched question that is absent."""
    for one in context.sides.filters.required:
        if one.state is FilterState.ABSENT and one.origin is Origin.ENRICHED:
            yield Finding(CODE, TITLE, one.text)
