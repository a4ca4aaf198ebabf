"""A date is written in a format that the database does not compare as a date.

What it sees: a date literal such as '03/05/2024' or '5 Mar 2024' where a date is compared.

Why it is bad: engines that store dates as text compare them letter by letter, and others read day and month in an
order of their own. The filter keeps the wrong rows, or none, without an error.

Example: `WHERE ordered_at >= '03/01/2024'`

Right: `WHERE ordered_at >= '2024-03-01'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding

CODE = "S610"
TITLE = "date literal is not ISO"
NEEDS = ("date_not_iso",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such literal."""
    for note in context.noted("date_not_iso"):
        yield Finding(CODE, TITLE, f"{note.text!r}; write it as YYYY-MM-DD", sql_span=note.span)
