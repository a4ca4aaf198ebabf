"""What has no X is asked, and the SQL keeps what has a row that is not X.

What it sees: a negation in the question; in the SQL `<>` on a column of a joined table, of which nothing is shown, with
no subquery and no EXCEPT.

Why it is bad: whatever has X and Y comes back by its Y; what has no row at all does not.

Example: "Which cooks cannot make soup?" → `SELECT cook.name FROM cook JOIN skill ON skill.cook_id = cook.id WHERE
skill.dish <> 'soup'`

Right: `SELECT name FROM cook WHERE id NOT IN (SELECT cook_id FROM skill WHERE dish = 'soup')`
"""

from collections.abc import Iterator

from stef.alignment.facts import Reach
from stef.findings.context import Context
from stef.findings.parts import columns_of, is_aggregate, predicates, shown
from stef.records.assessment import Finding
from stef.records.expressions import Column
from stef.records.predicates import Op
from stef.sql.describe import describe_predicate

CODE = "S312"
TITLE = '"does not have" written as "has another"'
NEEDS = ("negation_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for a negated value on a joined table that only filters."""
    done = context.done
    if "negation_asked" not in context.asked_codes or done.excludes or done.subqueries or len(set(done.tables)) < 2:
        return
    if any(is_aggregate(expr) for expr in shown(context)):
        return
    shown_sources = {source for expr in shown(context) for column in columns_of(expr) for source in column.sources}
    for placed, predicate in predicates(context):
        if predicate.op is not Op.IN or not predicate.negated or placed.reach is not Reach.ALL:
            continue
        subject = predicate.subject
        if isinstance(subject, Column) and len(subject.sources) == 1 and subject.sources[0] not in shown_sources:
            span = context.asked_span("negation_asked")
            yield Finding(CODE, TITLE, describe_predicate(predicate), question_span=span, sql_span=predicate.span)
            return
