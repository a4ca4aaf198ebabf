"""Conditions of hints, read as the same conditions would be in a query: one meaning, one form."""

from collections.abc import Iterable

from stef.records.expressions import Column, Expr, Func, Literal
from stef.records.predicates import Clause, Op, Predicate, Scope
from stef.sql import fragments

_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "<>": "<>"}
_FORMATS = {"%Y": "YEAR", "%m": "MONTH", "%d": "DAY"}


class HintError(Exception):
    """A hint that is neither a condition nor a formula."""


def conjunction(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Clauses that all hold: a year and a month are one month, two bounds one interval."""
    return fragments.conjunction(list(clauses))


def disjunction(branches: list[tuple[Clause, ...]]) -> tuple[Clause, ...]:
    """OR of conjunctions, distributed where it stays small."""
    result = [clause.predicates for clause in branches[0]]
    for branch in branches[1:]:
        result = [left + clause.predicates for left in result for clause in branch]
        if len(result) > 16:
            raise HintError
    return tuple(Clause(_value_set(predicates), Scope.ASKED) for predicates in result)


def _value_set(predicates: tuple[Predicate, ...]) -> tuple[Predicate, ...]:
    """OR of equals on one subject is a set of values."""
    first = predicates[0]
    if all(one.op is Op.IN and not one.negated and one.subject == first.subject for one in predicates):
        values = {value: None for one in predicates for value in one.values}
        ordered = tuple(sorted(values, key=lambda value: str(value.value)))
        return (Predicate(first.subject, Op.IN, values=ordered),)
    return predicates


def negate(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """NOT of a single predicate, pushed down. Raises HintError on anything else."""
    if len(clauses) != 1 or len(clauses[0].predicates) != 1:
        raise HintError
    one = clauses[0].predicates[0]
    if one.op is Op.RANGE:
        raise HintError
    turned = Predicate(one.subject, one.op, not one.negated, one.values, pattern=one.pattern)
    return (Clause((turned,), Scope.ASKED),)


def compare(left: Expr, op: str, right: Expr) -> tuple[Clause, ...]:
    """`left op right` with the constant on the right. Raises HintError where both sides are constants."""
    if isinstance(left, Literal) and not isinstance(right, Literal):
        left, right, op = right, left, _FLIPPED[op]
    if isinstance(left, Literal):
        raise HintError
    if isinstance(right, Column) and right.name in ("null", "none"):
        right = Literal(None, "null")
    if not isinstance(right, Literal):
        return _one(Predicate(left, Op.COMPARE, comparator=op, other=right))
    if right.value is None:
        return _one(Predicate(left, Op.NULL, op == "<>"))
    return tuple(fragments.compare(_dated(left), op, right))


def _dated(subject: Expr) -> Expr:
    """strftime('%Y', d) as YEAR(d), the way that the reader of queries has it."""
    if isinstance(subject, Func) and subject.name == "STRFTIME" and len(subject.args) == 2:
        layout, dated = subject.args
        part = _FORMATS.get(layout.text) if isinstance(layout, Literal) else None
        if part is not None:
            return Func(part, (dated,))
    return subject


def within(subject: Expr, low: Literal, high: Literal) -> tuple[Clause, ...]:
    """BETWEEN, both ends included."""
    return conjunction((*fragments.compare(subject, ">=", low), *fragments.compare(subject, "<=", high)))


def like(subject: Expr, literal: Literal, negated: bool) -> tuple[Clause, ...]:
    """LIKE by the kind of its pattern; without a wildcard it is equality."""
    return tuple(fragments.like(subject, literal.text, negated=negated))


def null(subject: Expr, negated: bool) -> tuple[Clause, ...]:
    """IS NULL, or IS NOT NULL."""
    return _one(Predicate(subject, Op.NULL, negated))


def among(subject: Expr, values: Iterable[Literal], negated: bool) -> tuple[Clause, ...]:
    """One of some values."""
    ordered = tuple(sorted(values, key=lambda value: str(value.value)))
    if len(ordered) == 1:
        return compare(subject, "<>" if negated else "=", ordered[0])
    return _one(Predicate(subject, Op.IN, negated, values=ordered))


def _one(predicate: Predicate) -> tuple[Clause, ...]:
    return (Clause((predicate,), Scope.ASKED),)
