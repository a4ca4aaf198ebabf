"""Values are asked for each of one thing, and the SQL groups by another.

What it sees: one phrase to group by ("for each team", "per month"), grouping keys in the SQL, and none of them that the
phrase could name, not even by its table.

Why it is bad: the values are those of other groups.

Example: "How many visits were there per month?" → `SELECT guest, COUNT(*) FROM visit GROUP BY guest`

Right: `SELECT EXTRACT(MONTH FROM day), COUNT(*) FROM visit GROUP BY EXTRACT(MONTH FROM day)`
"""

from collections.abc import Iterator

from stef.alignment.match import tie_expr
from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.expressions import Column, Expr, Phrase
from stef.sql.describe import describe_expr

CODE = "S233"
TITLE = "grouped by something else than asked"
NEEDS = ("group_by",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where the only asked group ties to no grouping key."""
    asked, keys = context.sides.asked_groups, context.done.group_by
    if len(asked) != 1 or not keys or not isinstance(asked[0], Phrase):
        return
    if any(tie_expr(asked[0], key, context.ground) >= _TIED or _is_calendar(asked[0], key) for key in keys):
        return
    detail = ", ".join(describe_expr(key) for key in keys)
    yield Finding(CODE, TITLE, detail, question_span=asked[0].span)


_TIED = 0.2
_PERIODS = frozenset(("year", "quarter", "month", "week", "day", "hour", "weekday", "date", "annum"))


def _is_calendar(asked: Phrase, key: Expr) -> bool:
    """ "per month" by a part or a piece of a date."""
    return bool(_PERIODS & set(asked.stems)) and not isinstance(key, Column)
