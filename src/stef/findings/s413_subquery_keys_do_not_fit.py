"""IN compares keys of different things.

What it sees: `x_id IN (SELECT y_id …)`, also with NOT, where the two names speak of different entities.

Why it is bad: the numbers meet by chance. With NOT IN, nearly every row passes.

Example: `SELECT name FROM pilots WHERE pilot_id NOT IN (SELECT flight_id FROM flights)`

Right: `SELECT name FROM pilots WHERE pilot_id NOT IN (SELECT pilot_id FROM flights)`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import unfit
from stef.records.assessment import Finding

CODE = "S413"
TITLE = "key looked for among other keys"
NEEDS = ("queried",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such test."""
    for subject, shown in context.queried:
        if subject.name != shown.name and unfit(subject, shown):
            yield Finding(CODE, TITLE, f"{subject.name} among {shown.name}", sql_span=subject.span)
