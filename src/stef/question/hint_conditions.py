"""Conditions of hints in canonical form: negation pushed down, equals as sets, years as intervals."""

from stef.records.expressions import Column, Expr, Func, Literal
from stef.records.predicates import Bound, Clause, Interval, Op, Pattern, PatternKind, Predicate, Scope
from stef.sql.literals import fold_text, parse_moment

_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


class HintError(Exception):
    """A hint that is neither a condition nor a formula."""


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


def compare(left: Expr, op: str, right: Expr) -> Predicate:
    """`left op right` with the constant on the right. Raises HintError where both sides are constants."""
    if isinstance(left, Literal) and not isinstance(right, Literal):
        left, right, op = right, left, _FLIPPED[op]
    if isinstance(left, Literal):
        raise HintError
    if not isinstance(right, Literal):
        if isinstance(right, Column) and right.name in ("null", "none"):
            return Predicate(left, Op.NULL, op == "!=")
        return Predicate(left, Op.COMPARE, comparator=op, other=right)
    if op in ("=", "!="):
        if right.value is None:
            return Predicate(left, Op.NULL, op == "!=")
        return _of_date_part(left, right, op) or Predicate(left, Op.IN, op == "!=", values=(right,))
    bound = _bound(right, "=" in op)
    interval = Interval(bound, None) if op[0] == ">" else Interval(None, bound)
    return Predicate(left, Op.RANGE, interval=interval)


def _bound(literal: Literal, inclusive: bool) -> Bound:
    if isinstance(literal.value, str):
        moment = parse_moment(literal.text)
        if moment is not None:
            return Bound(moment[0], inclusive, literal)
    return Bound(literal.value, inclusive, literal)


def _of_date_part(left: Expr, right: Literal, op: str) -> Predicate | None:
    """YEAR(d) = 2012 and strftime('%Y', d) = '2012' are intervals on d."""
    if op != "=" or not isinstance(left, Func) or not left.args:
        return None
    dated = left.args[-1]
    text = right.text.strip()
    whole_year = left.name == "YEAR" or (
        left.name == "STRFTIME" and isinstance(left.args[0], Literal) and left.args[0].text == "%Y"
    )
    if not whole_year or not text.isdigit() or len(text) != 4:
        return None
    return _year_range(dated, int(text))


def _year_range(dated: Expr, year: int) -> Predicate | None:
    low, high = parse_moment(f"{year:04d}-01-01"), parse_moment(f"{year + 1:04d}-01-01")
    if low is None or high is None:
        return None
    return Predicate(dated, Op.RANGE, interval=Interval(Bound(low[0], True), Bound(high[0], False)))


def within(subject: Expr, low: Literal, high: Literal) -> Predicate:
    """BETWEEN, both ends included."""
    return Predicate(subject, Op.RANGE, interval=Interval(_bound(low, True), _bound(high, True)))


def like(subject: Expr, literal: Literal, negated: bool) -> Predicate:
    """LIKE by the kind of its pattern; without a wildcard it is equality."""
    text = fold_text(literal.text)
    inner = text.strip("%")
    if "%" in inner or "_" in inner:
        kind, inner = PatternKind.WILDCARD, text
    elif text.startswith("%") and text.endswith("%"):
        kind = PatternKind.CONTAINS
    elif text.endswith("%"):
        kind = PatternKind.PREFIX
    elif text.startswith("%"):
        kind = PatternKind.SUFFIX
    else:
        return Predicate(subject, Op.IN, negated, values=(literal,), folded=True)
    return Predicate(subject, Op.LIKE, negated, pattern=Pattern(kind, inner))
