"""Rows are to be left out, and the SQL leaves none out.

What it sees: "not", "without", "never", "except", "no X"; in the SQL no negated filter, no EXCEPT, no NOT IN, no test
for nothing or zero, no comparison that could stand for it; and no hint that says how.

Why it is bad: the rows that were to go come back, or only they do.

Example: "Which boats were not repaired?" → `SELECT name FROM boat JOIN repair ON repair.boat_id = boat.id`

Right: `SELECT name FROM boat WHERE id NOT IN (SELECT boat_id FROM repair)`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import bounds, mentions, predicates
from stef.records.assessment import Finding
from stef.records.predicates import Op, Predicate
from stef.records.reading import MentionKind

CODE = "S310"
TITLE = "negation asked, none applied"
NEEDS = ("negation_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where a negation is asked and nothing in the SQL negates."""
    if "negation_asked" not in context.asked_codes or context.done.excludes:
        return
    if any(mention.kind is MentionKind.HINT for mention in mentions(context)):
        return
    if any(one.op is Op.RANGE for mention in mentions(context) if mention.clause for one in mention.clause.predicates):
        return  # "not more than 3" is a comparison
    if any(_negates(predicate) for _, predicate in predicates(context)):
        return
    yield Finding(CODE, TITLE, "nothing is left out", question_span=context.asked_span("negation_asked"))


def _negates(predicate: Predicate) -> bool:
    if predicate.negated or predicate.op in (Op.NULL, Op.COMPARE):
        return True
    if any(str(value.value).casefold() in _NO for value in predicate.values):
        return True
    return any(bound.value in (0, 1) for _, bound in bounds(predicate))


_NO = frozenset(("0", "false", "n", "no", "f", "none", "-", ""))
