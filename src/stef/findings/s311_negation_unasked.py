"""The SQL leaves out the rows of another set, and nothing in the question negates.

What it sees: NOT IN or NOT EXISTS over a subquery, or EXCEPT; no "not", "without", "only" and the like in the turn.

Why it is bad: the answer lacks rows that were asked for, or is the opposite.

Example: "Which boats were repaired?" → `SELECT name FROM boat WHERE id NOT IN (SELECT boat_id FROM repair)`

Right: `SELECT name FROM boat WHERE id IN (SELECT boat_id FROM repair)`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import predicates
from stef.question.wordlists import word_set
from stef.records.assessment import Finding
from stef.records.predicates import Op

CODE = "S311"
TITLE = "rows left out that nobody asked to leave out"
NEEDS = ("excludes",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where a set of rows is left out and nothing is negated in words."""
    if not context.done.excludes or context.asked_codes & _ASKED or context.sides.asked_tops:
        return
    words = context.ground.text.split()
    if any(word in _WORDS or word.startswith(_BEGINNINGS) for word in words):
        return
    for _, predicate in predicates(context):
        if predicate.negated and predicate.op in (Op.IN_QUERY, Op.EXISTS):
            yield Finding(CODE, TITLE, "NOT IN or NOT EXISTS", sql_span=predicate.span)
            return
    yield Finding(CODE, TITLE, "EXCEPT")


_ASKED = frozenset(("negation_asked", "any_compared", "superlative_compared", "first_asked", "last_asked"))
_WORDS = word_set(
    "not no never without except excluding exclude excludes other others none neither nor cannot missing lack lacking "
    "besides only but different outside remaining rest fail failed t all every abnormal instead rather else yet still "
    "inactive invalid incomplete available new left free"
)
_BEGINNINGS = ("un", "non", "dis")
