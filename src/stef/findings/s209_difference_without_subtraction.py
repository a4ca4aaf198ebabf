"""A difference is asked, and the SQL subtracts nothing.

What it sees: "difference between", "how many more", "by how much"; no minus, no function of two dates.

Why it is bad: two values are shown, or one, and the reader is left to subtract.

Example: "How many more bikes than cars are there?" → `SELECT kind, COUNT(*) FROM vehicle GROUP BY kind`

Right: `SELECT SUM(kind = 'bike') - SUM(kind = 'car') FROM vehicle`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import subtracts
from stef.question.words import name_stems
from stef.records.assessment import Finding

CODE = "S209"
TITLE = "difference asked, no subtraction"
NEEDS = ("difference_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where a difference is asked and nothing is subtracted."""
    if "difference_asked" not in context.asked_codes or subtracts(context.done):
        return
    if any(_HELD & set(name_stems(column.name)) for column in context.done.columns):
        return
    yield Finding(CODE, TITLE, "the SQL does not subtract", question_span=context.asked_span("difference_asked"))


_HELD = frozenset(("differ", "diff", "gap", "deviat", "delta"))
