"""The top-k keeps another number of rows than the question names.

What it sees: "top 5", "the 3 cheapest", and every top-k of the SQL keeps another number.

Why it is bad: rows that were asked for are missing, or others are added.

Example: "List the 5 busiest stations." → `SELECT name FROM station ORDER BY riders DESC LIMIT 1`

Right: `SELECT name FROM station ORDER BY riders DESC LIMIT 5`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding

CODE = "S203"
TITLE = "another number of first rows than asked"
NEEDS = ("tops_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where no top-k of the SQL has the number that is asked."""
    kept = [top.k for top in context.done.tops]
    if not kept or None in kept:
        return
    for asked in context.sides.asked_tops:
        if asked.k is not None and asked.k not in kept:
            detail = f"{asked.k} asked, {kept[0]} kept"
            yield Finding(CODE, TITLE, detail, question_span=asked.span, sql_span=context.done.tops[0].span)
            return
