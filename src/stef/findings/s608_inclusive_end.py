"""A period on a timestamp ends with the first moment of its last day.

What it sees: `<=` or BETWEEN with a date as its end, on a column that holds times of day by its name or type.

Why it is bad: '2024-03-31' is midnight: what happened during the last day is left out.

Example: `SELECT COUNT(*) FROM flights WHERE departed_at BETWEEN '2024-03-01' AND '2024-03-31'`

Right: `… WHERE departed_at >= '2024-03-01' AND departed_at < '2024-04-01'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.question.words import name_stems
from stef.records.assessment import Finding
from stef.records.expressions import Column
from stef.records.predicates import Op

CODE = "S608"
TITLE = "period ends at midnight of its last day"
NEEDS = ("inclusive_end",)

_TIMES = frozenset({"at", "time", "timestamp", "datetim", "ts"})


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such end."""
    for note in context.noted("inclusive_end"):
        for placed in context.done.placed:
            for predicate in placed.clause.predicates:
                if predicate.op is not Op.RANGE or type(predicate.subject) is not Column or note.span is None:
                    continue
                within = predicate.span and predicate.span[0] <= note.span[0] and note.span[1] <= predicate.span[1]
                if within and not _TIMES.isdisjoint(name_stems(predicate.subject.name)):
                    yield Finding(CODE, TITLE, f"the day {note.text} is left out but for midnight", sql_span=note.span)
