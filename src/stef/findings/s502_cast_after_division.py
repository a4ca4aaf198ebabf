"""A cast that comes after the division is too late.

What it sees: CAST(a / b AS REAL), where a and b may be whole numbers.

Why it is bad: the fraction is lost before the cast sees it.

Example: `SELECT CAST(COUNT(late) / COUNT(*) AS REAL) FROM flights` on SQLite

Right: `SELECT CAST(COUNT(late) AS REAL) / COUNT(*) FROM flights`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding

CODE = "S502"
TITLE = "cast after the division"
NEEDS = ("cast",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each cast around a division."""
    casts = context.noted("cast")
    if not casts:
        return
    for division in (*context.noted("integer_division"), *context.noted("division_without_cast")):
        for cast in casts:
            if cast.span and division.span and cast.span[0] <= division.span[0] and division.span[1] <= cast.span[1]:
                yield Finding(CODE, TITLE, "cast one side before dividing", sql_span=cast.span)
                break
