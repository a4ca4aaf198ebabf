"""The bound of a comparison is included where the words exclude it, or the other way round.

What it sees: "more than 5" as `>= 5`, "at least 5" as `> 5`, and the like for hints.

Why it is bad: rows that have just this value are wrongly in, or wrongly out.

Example: "Which shelves hold more than 12 books?" → `SELECT id FROM shelf WHERE books >= 12`

Right: `SELECT id FROM shelf WHERE books > 12`
"""

from collections.abc import Iterator
from typing import TypeAlias

from stef.findings.context import Context
from stef.findings.parts import bounds, mentions, predicates
from stef.records.assessment import Finding
from stef.records.predicates import Op, Predicate
from stef.sql.describe import describe_predicate

CODE = "S338"
TITLE = "the bound itself is in, or out, against the words"
NEEDS = ("ranges",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for the first bound that is there with the other strictness only."""
    asked = {
        one: mention
        for mention in mentions(context)
        if mention.clause is not None
        for predicate in mention.clause.predicates
        for one in _ends(predicate)
    }
    if not asked:
        return
    done = {one: predicate for _, predicate in predicates(context) for one in _ends(predicate)}
    for (end, value, inclusive), mention in asked.items():
        turned = (end, value, not inclusive)
        if turned in done and turned not in asked and (end, value, inclusive) not in done:
            span = mention.span if mention in context.question.mentions else None
            predicate = done[turned]
            yield Finding(CODE, TITLE, describe_predicate(predicate), question_span=span, sql_span=predicate.span)
            return


_End: TypeAlias = tuple[str, float, bool]


def _ends(predicate: Predicate) -> Iterator[_End]:
    if predicate.op is Op.RANGE:
        for end, bound in bounds(predicate):
            if isinstance(bound.value, int | float):
                yield end, float(bound.value), bound.inclusive
