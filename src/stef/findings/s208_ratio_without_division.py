"""A ratio or proportion is asked, and the SQL divides nothing.

What it sees: "ratio", "proportion", "how many times as many"; no division and no average.

Why it is bad: the parts are shown, or one of them, but not what they make.

Example: "What is the ratio of nurses to doctors?" → `SELECT role, COUNT(*) FROM staff GROUP BY role`

Right: `SELECT 1.0 * SUM(role = 'nurse') / SUM(role = 'doctor') FROM staff`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import divides
from stef.question.words import name_stems
from stef.records.assessment import Finding

CODE = "S208"
TITLE = "ratio asked, no division"
NEEDS = ("ratio_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where a ratio is asked and nothing is divided."""
    if "ratio_asked" not in context.asked_codes or divides(context.done):
        return
    if any(_HELD & set(name_stems(column.name)) for column in context.done.columns):
        return
    yield Finding(CODE, TITLE, "the SQL does not divide", question_span=context.asked_span("ratio_asked"))


_HELD = frozenset(("percent", "percentag", "pct", "rate", "ratio", "proport", "share", "fraction"))
