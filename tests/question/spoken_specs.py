"""Readings as short text, so that cases can state them."""

from stef.records.expressions import Agg, Binary, Column, Expr, Func, Literal, Phrase
from stef.records.predicates import Bound, Clause, Interval, Op, Predicate
from stef.records.spec import Order, TopK


def expr(one: Expr | None) -> str:
    match one:
        case None:
            return "*"
        case Column():
            return one.name
        case Phrase():
            return one.text or " ".join(one.stems) or "?"
        case Literal():
            return repr(one.value)
        case Binary():
            return f"({expr(one.left)} {one.op} {expr(one.right)})"
        case Func():
            return f"{one.name}({', '.join(map(expr, one.args))})"
        case Agg():
            where = f" WHERE {' AND '.join(map(clause, one.filter))}" if one.filter else ""
            return f"{one.name}({'DISTINCT ' if one.distinct else ''}{expr(one.arg)}{where})"
    return type(one).__name__


def _bound(bound: Bound | None) -> str:
    return "" if bound is None else str(bound.value)[:10] + ("" if bound.inclusive else "!")


def _interval(interval: Interval) -> str:
    return f"{_bound(interval.low)}..{_bound(interval.high)}"


def predicate(one: Predicate) -> str:
    name = expr(one.subject)
    negated = " NOT" if one.negated else ""
    match one.op:
        case Op.IN:
            return f"{name}{negated} in {[value.value for value in one.values]}"
        case Op.RANGE if one.interval is not None:
            return f"{name} {_interval(one.interval)}"
        case Op.LIKE if one.pattern is not None:
            return f"{name}{negated} like {one.pattern.kind} {one.pattern.text}"
        case Op.COMPARE:
            return f"{name} {one.comparator} {expr(one.other)}"
    return f"{name}{negated} {one.op}"


def clause(one: Clause) -> str:
    return " OR ".join(map(predicate, one.predicates))


def order(one: Order) -> str:
    return f"{expr(one.expr)} {'desc' if one.descending else 'asc'}"


def top(one: TopK) -> str:
    parts = [str(one.k) if one.k is not None else "-", *map(order, one.order)]
    if one.per:
        parts += ["per", *map(expr, one.per)]
    return " ".join(parts)
