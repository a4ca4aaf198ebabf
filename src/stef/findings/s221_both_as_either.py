"""Rows that have both of two values are asked, and the SQL keeps rows that have either.

What it sees: two values joined by "and" in the question, and IN or OR over them on another table than the one shown,
with no count of them, no second subquery, no INTERSECT.

Why it is bad: what has one of the two comes back too.

Example: "Which cooks can make soup and cake?" → `SELECT cook.name FROM cook JOIN skill ON skill.cook_id = cook.id WHERE
skill.dish IN ('soup', 'cake')`

Right: the same for 'soup', INTERSECT the same for 'cake'; or GROUP BY the cook, HAVING COUNT(DISTINCT dish) = 2
"""

from collections.abc import Iterator

from stef.alignment.facts import Reach
from stef.findings.context import Context
from stef.findings.parts import columns_of, is_aggregate, predicates, shown
from stef.records.assessment import Finding
from stef.records.expressions import Column
from stef.records.predicates import Op
from stef.sql.describe import describe_predicate

CODE = "S221"
TITLE = '"A and B" written as either'
NEEDS = ("both_asked", "values_and")


def find(context: Context) -> Iterator[Finding]:
    """One finding for a set of values that stands for both of two."""
    done = context.done
    if not context.asked_codes & _BOTH or context.asked_codes & _APART or done.group_by or done.windows:
        return
    if any(is_aggregate(expr) for expr in shown(context)):
        return
    shown_sources = {source for expr in shown(context) for column in columns_of(expr) for source in column.sources}
    for placed, predicate in predicates(context):
        if placed.reach is not Reach.ALL or predicate.op is not Op.IN or predicate.negated or len(predicate.values) < 2:
            continue
        subject = predicate.subject
        if not isinstance(subject, Column) or set(subject.sources) & shown_sources:
            continue
        if all(context.ground.mentions(value, subject) for value in predicate.values):
            span = context.asked_span("values_and") or context.asked_span("both_asked")
            yield Finding(CODE, TITLE, describe_predicate(predicate), question_span=span, sql_span=predicate.span)
            return


_BOTH = frozenset(("values_and", "both_asked"))
_APART = frozenset(("difference_asked", "compare_asked", "values_or", "either_asked"))
