"""A hint says how something is computed, and the SQL does not compute it so.

What it sees: "X = DIVIDE(…)", "X refers to MAX(column)" in the enriched question; no such division, subtraction,
aggregate, or sort by it in the SQL.

Why it is bad: another value than the one that is defined.

Example: "What is the fill rate?", fill rate = DIVIDE(SUM(used), SUM(size)) → `SELECT SUM(used) FROM tank`

Right: `SELECT 1.0 * SUM(used) / SUM(size) FROM tank`
"""

from collections.abc import Iterator

from stef.alignment.dimensions.formulas import align_formulas
from stef.findings.context import Context
from stef.findings.parts import formulas
from stef.records.assessment import Finding

CODE = "S321"
TITLE = "a formula that a hint gives is not computed"
NEEDS = ("hints",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each formula with what it lacks."""
    if not formulas(context):
        return
    _, missing = align_formulas(context.sides)
    for one in missing:
        yield Finding(CODE, TITLE, f"{one.text}: {one.why}" if one.text else one.why)
