"""The SQL filters by a number that stands nowhere in the question, its hints or the rules.

What it sees: an equality or a bound with a number that no word or date of the turn names; 0 and 1, sizes of sets and
keys are left out.

Why it is bad: the threshold is a guess.

Example: "Which boxes are heavy?" → `SELECT id FROM box WHERE weight > 25`

Right: a threshold that the question or a rule names
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import bounds, is_id, predicates
from stef.records.assessment import Finding
from stef.records.expressions import Agg
from stef.records.predicates import Op, Predicate
from stef.sql.describe import describe_predicate

CODE = "S331"
TITLE = "a number that nobody mentions"
NEEDS = ("numbers",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each number without ground."""
    sizes = {len(one.values) for _, one in predicates(context) if one.op is Op.IN and len(one.values) > 1}
    for _, predicate in predicates(context):
        if is_id(predicate.subject):
            continue
        for number in _numbers(predicate):
            if number in (0, 1) or float(number) in context.ground.numbers:
                continue
            if isinstance(predicate.subject, Agg) and number in sizes:
                continue
            yield Finding(CODE, TITLE, describe_predicate(predicate), sql_span=predicate.span)
            break


def _numbers(predicate: Predicate) -> Iterator[int | float]:
    values = [value.value for value in predicate.values] + [bound.value for _, bound in bounds(predicate)]
    for value in values:
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield value
