"""A date column is compared with the number of a year.

What it sees: a column that holds dates by its name (`birth_date`, `dob`), compared with a number such as 1985.

Why it is bad: engines compare the whole date, often as text, with the number: every row passes, or none.

Example: "Who was born after 1985?" → `SELECT name FROM person WHERE birth_date > 1985`

Right: `SELECT name FROM person WHERE birth_date >= '1986-01-01'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import bounds, is_dated, predicates
from stef.records.assessment import Finding
from stef.records.expressions import Column
from stef.sql.describe import describe_predicate

CODE = "S342"
TITLE = "a date compared with a bare year"
NEEDS = ("numbers",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each date that is compared with a year's number."""
    for _, predicate in predicates(context):
        if not isinstance(predicate.subject, Column) or not is_dated(predicate.subject):
            continue
        values = [value.value for value in predicate.values] + [bound.value for _, bound in bounds(predicate)]
        if any(isinstance(value, int) and _FIRST <= value <= _LAST for value in values):
            yield Finding(CODE, TITLE, describe_predicate(predicate), sql_span=predicate.span)


_FIRST, _LAST = 1000, 2200
