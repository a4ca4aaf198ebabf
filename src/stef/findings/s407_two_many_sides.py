"""Two tables with many rows for one meet, and their rows are counted or summed.

What it sees: a table joined to two others that both name it, and COUNT, SUM or AVG without DISTINCT over the result.

Why it is bad: each row of the one meets each row of the other: three flights and two licences make six rows, and both
figures are wrong.

Example: `SELECT p.name, COUNT(f.id), COUNT(l.id) FROM pilots p JOIN flights f ON f.pilot_id = p.id
JOIN licences l ON l.pilot_id = p.id GROUP BY p.id`

Right: count each in a subquery of its own, or COUNT(DISTINCT …)
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import shown_aggregates, ties_of
from stef.records.assessment import Finding

CODE = "S407"
TITLE = "two many-sides multiply each other"
NEEDS = ("joined",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each block in which this happens."""
    if not context.joined or not context.done.aggregates:
        return
    for block, _ in context.done.blocks:
        if len(block.joins) < 2:
            continue
        counted = [one for one in shown_aggregates(block) if not one.distinct and one.name in ("COUNT", "SUM", "AVG")]
        if not counted:
            continue
        many: dict[str, set[str]] = {}
        for tie in ties_of(block):
            many.setdefault(tie.one.sources[0], set()).add(tie.many.sources[0])
        for key, others in many.items():
            if len(others) > 1:
                detail = f"each row of {key} meets every pair of {' and '.join(sorted(others))}"
                yield Finding(CODE, TITLE, detail, sql_span=counted[0].span)
                break
