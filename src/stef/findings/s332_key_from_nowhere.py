"""The SQL filters by the number of a key that the turn does not name.

What it sees: `…_id = 7` where 7 stands nowhere in the question, its hints or the rules, and no value that is
asked for could be meant by it.

Why it is bad: the number stands for a thing by its place in a table; it is right only where the agent has looked it up.

Example: "Which shirts are red?" → `SELECT name FROM shirt WHERE color_id = 7`

Right: `SELECT shirt.name FROM shirt JOIN color ON color.id = shirt.color_id WHERE color.name = 'red'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import is_id, predicates
from stef.records.assessment import Finding
from stef.records.predicates import Op
from stef.sql.describe import describe_predicate

CODE = "S332"
TITLE = "a key number that nobody mentions"
NEEDS = ("numbers",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each key number without ground."""
    # A key in place of a value that the turn names may have been looked up.
    taken = {one.applied_by for one in context.sides.filters.required}
    for _, predicate in predicates(context):
        if predicate.op is not Op.IN or not is_id(predicate.subject):
            continue
        for value in predicate.values:
            number = value.value
            if describe_predicate(predicate) in taken:
                continue
            if isinstance(number, int) and not isinstance(number, bool) and float(number) not in context.ground.numbers:
                yield Finding(CODE, TITLE, describe_predicate(predicate), sql_span=predicate.span)
                break
