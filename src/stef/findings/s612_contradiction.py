"""Two filters that no row can pass at once.

What it sees: one column that must equal two different values; an interval whose end lies before its start.

Why it is bad: the answer is always empty. "Both A and B" is said of several rows of a thing, not of one row.

Example: `SELECT pilot_id FROM licences WHERE kind = 'sea' AND kind = 'land'`

Right: `SELECT pilot_id FROM licences WHERE kind = 'sea' INTERSECT SELECT pilot_id FROM licences WHERE kind = 'land'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.expressions import Column, Value
from stef.records.predicates import Interval, Op, Predicate
from stef.records.spec import Select

CODE = "S612"
TITLE = "filters that exclude each other"


def find(context: Context) -> Iterator[Finding]:
    """One finding for each filter that cannot hold beside an earlier one."""
    for block, _ in context.done.blocks:
        if len(block.filters) > 1 or (block.filters and block.filters[0].predicates[0].op is Op.RANGE):
            yield from _of_block(block)


def _of_block(block: Select) -> Iterator[Finding]:
    allowed: dict[Column, set[Value]] = {}
    for clause in block.filters:
        if len(clause.predicates) != 1:
            continue
        predicate = clause.predicates[0]
        subject = predicate.subject
        if predicate.op is Op.RANGE and predicate.interval is not None and _empty(predicate.interval):
            yield Finding(CODE, TITLE, "the interval ends before it starts", sql_span=predicate.span)
        elif _equals(predicate) and type(subject) is Column:
            values = {value.value for value in predicate.values}
            kept = allowed.get(subject, values) & values
            if not kept:
                yield Finding(CODE, TITLE, f"{subject.name} cannot be both at once", sql_span=predicate.span)
            allowed[subject] = kept


def _equals(predicate: Predicate) -> bool:
    return predicate.op is Op.IN and not predicate.negated and not predicate.folded


def _empty(interval: Interval) -> bool:
    if interval.low is None or interval.high is None:
        return False
    low, high = interval.low.value, interval.high.value
    if isinstance(low, int | float) and isinstance(high, int | float):
        return low > high
    if isinstance(low, str) and isinstance(high, str):
        return low > high
    return False
