"""A Spec in words, one line a fact, for people and for a judge's prompt: alike for questions and for SQL."""

from collections.abc import Callable
from datetime import datetime, time
from typing import Any

from stef.records.expressions import (
    Agg,
    Binary,
    Case,
    Column,
    Expr,
    Func,
    Literal,
    Opaque,
    Phrase,
    Relative,
    Star,
    Subquery,
    Value,
    Window,
)
from stef.records.predicates import Bound, Clause, Interval, Op, Pattern, PatternKind, Predicate, Scope
from stef.records.spec import Join, JoinKind, Order, Select, SetKind, SetOp, Source, Spec, TopK

_MOST_VALUES = 12
_DEEPEST = 40
_TOO_DEEP = "…"


def describe(spec: Spec) -> tuple[str, ...]:
    """The facts of `spec`, one a line: sources, projections, filters, grouping, order, limit. It never raises."""
    lines: list[str] = []
    _describe_spec(spec, lines, "", 0)
    return tuple(lines)


def describe_clause(clause: Clause) -> str:
    """A clause in words; alternatives are joined with OR."""
    return _clause(clause, 0)


def describe_predicate(predicate: Predicate) -> str:
    """A predicate in words, such as `orders.region = 'EMEA'`."""
    return _predicate(predicate, 0)


def describe_expr(expr: Expr) -> str:
    """An expression in words, such as `SUM(orders.amount)`."""
    return _expr(expr, 0)


def _describe_spec(spec: Spec, lines: list[str], indent: str, depth: int) -> None:
    if depth > _DEEPEST:
        lines.append(indent + _TOO_DEEP)
        return
    if isinstance(spec, SetOp):
        lines.append(f"{indent}set operation: {_SET_WORDS[spec.kind]} of {len(spec.branches)} branches")
        for number, branch in enumerate(spec.branches, 1):
            if number > _MOST_VALUES:
                lines.append(f"{indent}… {len(spec.branches) - _MOST_VALUES} more branches")
                break
            lines.append(f"{indent}branch {number}:")
            _describe_spec(branch, lines, indent + "  ", depth + 1)
    else:
        _describe_select(spec, lines, indent, depth)
    _describe_end(spec, lines, indent, depth)


_SET_WORDS = {
    SetKind.UNION: "UNION",
    SetKind.UNION_ALL: "UNION ALL",
    SetKind.INTERSECT: "INTERSECT",
    SetKind.EXCEPT: "EXCEPT",
}


def _describe_select(select: Select, lines: list[str], indent: str, depth: int) -> None:
    for source in select.sources:
        lines.append(f"{indent}from: {_source(source)}")
        if source.query is not None:
            _describe_spec(source.query, lines, indent + "  ", depth + 1)
    lines += (f"{indent}join: {_join(join, depth)}" for join in select.joins)
    for projection in select.projections:
        word = "aggregate" if isinstance(projection.expr, Agg) else "column"
        lines.append(f"{indent}{word}: {_expr(projection.expr, depth)}")
    if select.distinct:
        lines.append(f"{indent}distinct rows")
    lines += (
        f"{indent}{_SCOPE_WORDS.get(clause.scope, 'filter')}: {_clause(clause, depth)}" for clause in select.filters
    )
    if select.group_by:
        lines.append(f"{indent}group by: {_list(select.group_by, depth)}")


_SCOPE_WORDS = {
    Scope.HAVING: "filter on groups",
    Scope.QUALIFY: "filter on windows",
    Scope.OUTER_JOIN: "filter in outer join",
}


def _describe_end(spec: Spec, lines: list[str], indent: str, depth: int) -> None:
    lines += (f"{indent}{_top(top, depth)}" for top in spec.tops)
    if spec.order:
        lines.append(f"{indent}order by: {', '.join(_order(order, depth) for order in spec.order)}")
    if spec.limit is not None:
        lines.append(f"{indent}limit: {spec.limit}")
    if spec.offset:
        lines.append(f"{indent}offset: {spec.offset}")


def _source(source: Source) -> str:
    name = source.key or source.table
    if source.query is not None:
        name = f"{name} (a subquery)" if name else "a subquery"
    return name if source.kind in _PLAIN_SOURCES else f"{name} ({source.kind.value} join)"


_PLAIN_SOURCES = frozenset({JoinKind.FROM, JoinKind.INNER})


def _join(join: Join, depth: int) -> str:
    words = f"{_expr(join.left, depth + 1)} = {_expr(join.right, depth + 1)}"
    return words if join.kind in _PLAIN_SOURCES else f"{words} ({join.kind.value})"


def _order(order: Order, depth: int) -> str:
    return f"{_expr(order.expr, depth + 1)} {'descending' if order.descending else 'ascending'}"


def _top(top: TopK, depth: int) -> str:
    words = "top" if top.k is None else f"top {top.k}"
    if top.order:
        words += f" by {', '.join(_order(order, depth) for order in top.order)}"
    if top.per:
        words += f" per {_list(top.per, depth)}"
    return words + (", ties kept" if top.ties else "")


def _list(exprs: tuple[Expr, ...], depth: int) -> str:
    words = [_expr(expr, depth + 1) for expr in exprs[:_MOST_VALUES]]
    if len(exprs) > _MOST_VALUES:
        words.append(f"… {len(exprs) - _MOST_VALUES} more")
    return ", ".join(words)


def _clauses(clauses: tuple[Clause, ...], depth: int) -> str:
    words = [
        f"({_clause(clause, depth)})" if len(clause.predicates) > 1 else _clause(clause, depth) for clause in clauses
    ]
    return " AND ".join(words)


def _clause(clause: Clause, depth: int) -> str:
    if not clause.predicates:
        return "FALSE"
    words = [_predicate(predicate, depth) for predicate in clause.predicates[:_MOST_VALUES]]
    if len(clause.predicates) > _MOST_VALUES:
        words.append(f"… {len(clause.predicates) - _MOST_VALUES} more")
    return " OR ".join(words)


def _predicate(predicate: Predicate, depth: int) -> str:
    if depth > _DEEPEST:
        return _TOO_DEEP
    subject = "" if predicate.op is Op.EXISTS else _expr(predicate.subject, depth + 1)
    words = _PREDICATES[predicate.op](predicate, subject, depth)
    return f"{words} (any case)" if predicate.folded else words


def _is_in(predicate: Predicate, subject: str, _depth: int) -> str:
    if len(predicate.values) == 1:
        return f"{subject} {'<>' if predicate.negated else '='} {_literal(predicate.values[0])}"
    words = [_literal(value) for value in predicate.values[:_MOST_VALUES]]
    if len(predicate.values) > _MOST_VALUES:
        words.append(f"… {len(predicate.values) - _MOST_VALUES} more")
    return f"{subject} {'NOT IN' if predicate.negated else 'IN'} ({', '.join(words)})"


def _is_range(predicate: Predicate, subject: str, _depth: int) -> str:
    return f"{subject} {_interval(predicate.interval or Interval())}"


def _is_like(predicate: Predicate, subject: str, _depth: int) -> str:
    verb = _pattern(predicate.pattern) if predicate.pattern else "matches a pattern"
    return f"{subject} does not: {verb}" if predicate.negated else f"{subject} {verb}"


def _is_null(predicate: Predicate, subject: str, _depth: int) -> str:
    return f"{subject} IS {'NOT ' if predicate.negated else ''}NULL"


def _is_compared(predicate: Predicate, subject: str, depth: int) -> str:
    other = "?" if predicate.other is None else _expr(predicate.other, depth + 1)
    return f"{subject} {predicate.comparator or '?'} {other}"


def _is_in_query(predicate: Predicate, subject: str, depth: int) -> str:
    other = "?" if predicate.other is None else _expr(predicate.other, depth + 1)
    return f"{subject} {'NOT IN' if predicate.negated else 'IN'} {other}"


def _exists(predicate: Predicate, _subject: str, depth: int) -> str:
    other = predicate.subject if predicate.other is None else predicate.other
    return f"{'NOT EXISTS' if predicate.negated else 'EXISTS'} {_expr(other, depth + 1)}"


def _holds(predicate: Predicate, subject: str, _depth: int) -> str:
    return f"NOT {subject}" if predicate.negated else subject


_PREDICATES: dict[Op, Callable[[Predicate, str, int], str]] = {
    Op.IN: _is_in,
    Op.RANGE: _is_range,
    Op.LIKE: _is_like,
    Op.NULL: _is_null,
    Op.COMPARE: _is_compared,
    Op.IN_QUERY: _is_in_query,
    Op.EXISTS: _exists,
    Op.HOLDS: _holds,
}

_PATTERN_WORDS = {
    PatternKind.PREFIX: "starts with",
    PatternKind.SUFFIX: "ends with",
    PatternKind.CONTAINS: "contains",
    PatternKind.WILDCARD: "LIKE",
    PatternKind.REGEX: "matches",
}


def _pattern(pattern: Pattern) -> str:
    return f"{_PATTERN_WORDS[pattern.kind]} '{pattern.text}'"


def _interval(interval: Interval) -> str:
    low, high = interval.low, interval.high
    if low is None and high is None:
        return "is anything but NULL"
    if high is None and low is not None:
        return f"{'>=' if low.inclusive else '>'} {_bound(low)}"
    if low is None and high is not None:
        return f"{'<=' if high.inclusive else '<'} {_bound(high)}"
    assert low is not None  # noqa: S101 - narrows for the type checker; the cases above returned
    assert high is not None  # noqa: S101 - as above
    if low.inclusive and high.inclusive:
        return f"between {_bound(low)} and {_bound(high)}"
    start = "" if low.inclusive else " (exclusive)"
    end = "" if high.inclusive else " (exclusive)"
    return f"in {_bound(low)}{start} to {_bound(high)}{end}"


def _bound(bound: Bound) -> str:
    return _value(bound.value)


def _value(value: Value) -> str:
    if isinstance(value, str):
        return f"'{value}'"
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time.min else value.isoformat(" ")
    if isinstance(value, Relative):
        return _relative(value)
    return str(value)


def _relative(value: Relative) -> str:
    if value.offset == 0:
        if value.floor is None:
            return "now"
        return "today" if value.floor == "day" else f"the start of this {value.floor}"
    count = abs(value.offset)
    unit = value.unit if count == 1 else f"{value.unit}s"
    words = f"{count} {unit} {'ago' if value.offset < 0 else 'from now'}"
    return words if value.floor in (None, "day") else f"the start of the {value.floor} {words}"


def _literal(literal: Literal) -> str:
    if isinstance(literal.value, str) and literal.text:
        return f"'{literal.text}'"
    return _value(literal.value)


def _expr(expr: Expr, depth: int) -> str:
    if depth > _DEEPEST:
        return _TOO_DEEP
    return _EXPRS[type(expr)](expr, depth)


def _column(expr: Column, _depth: int) -> str:
    # A name that could come from several sources is shown without one: naming them all says less.
    return f"{expr.sources[0]}.{expr.name}" if len(expr.sources) == 1 else expr.name


def _phrase(expr: Phrase, _depth: int) -> str:
    return expr.text or " ".join(expr.stems)


def _star(expr: Star, _depth: int) -> str:
    return ", ".join(f"{source}.*" for source in expr.sources) if expr.sources else "*"


def _func(expr: Func, depth: int) -> str:
    return f"{expr.name}({_list(expr.args, depth)})"


def _agg(expr: Agg, depth: int) -> str:
    inside = "*" if expr.arg is None else _expr(expr.arg, depth + 1)
    words = f"{expr.name}({'DISTINCT ' if expr.distinct else ''}{inside})"
    return f"{words} where {_clauses(expr.filter, depth + 1)}" if expr.filter else words


def _window(expr: Window, depth: int) -> str:
    words = [_expr(expr.func, depth + 1), "over"]
    if expr.partition:
        words.append(f"each {_list(expr.partition, depth)}")
    if expr.order:
        words.append(f"in order of {', '.join(_order(order, depth + 1) for order in expr.order)}")
    return " ".join(words) if len(words) > 2 else f"{words[0]} over all rows"


def _case(expr: Case, depth: int) -> str:
    words = ["CASE"]
    for conditions, result in expr.whens[:_MOST_VALUES]:
        words.append(f"WHEN {_clauses(conditions, depth + 1) or 'TRUE'} THEN {_expr(result, depth + 1)}")
    if len(expr.whens) > _MOST_VALUES:
        words.append("…")
    if expr.otherwise is not None:
        words.append(f"ELSE {_expr(expr.otherwise, depth + 1)}")
    return " ".join((*words, "END"))


def _binary(expr: Binary, depth: int) -> str:
    left, right = (_expr(side, depth + 1) for side in (expr.left, expr.right))
    left = f"({left})" if isinstance(expr.left, Binary) and expr.left.op != expr.op else left
    right = f"({right})" if isinstance(expr.right, Binary) else right
    return f"{left} {expr.op} {right}"


def _subquery(expr: Subquery, depth: int) -> str:
    lines: list[str] = []
    _describe_spec(expr.query, lines, "", depth + 1)
    return f"({'correlated ' if expr.correlated else ''}subquery: {'; '.join(line.strip() for line in lines)})"


def _opaque(expr: Opaque, _depth: int) -> str:
    return expr.text


_EXPRS: dict[type, Callable[[Any, int], str]] = {
    Literal: lambda expr, _depth: _literal(expr),
    Column: _column,
    Phrase: _phrase,
    Star: _star,
    Func: _func,
    Agg: _agg,
    Window: _window,
    Case: _case,
    Binary: _binary,
    Subquery: _subquery,
    Opaque: _opaque,
}
