"""A Spec in words, one line a fact, for people and for a judge's prompt: alike for questions and for SQL."""

from collections.abc import Callable
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
    Star,
    Subquery,
    Window,
)
from stef.records.predicates import Clause, Interval, Op, Predicate, Scope
from stef.records.spec import Join, JoinKind, Order, Select, SetKind, SetOp, Source, Spec, TopK
from stef.sql.words import interval_words, literal_words, pattern_words, shorten

_MOST_VALUES = 12
_MOST_LINES = 60
_LONGEST_LINE = 1_500
_MOST_PARTS = 3_000
_DEEPEST = 60
_TOO_DEEP = "…"


class _Pen:
    """What may still be written: a Spec may name one part so often that its words would never end."""

    __slots__ = ("depth", "left")

    def __init__(self) -> None:
        self.left = _MOST_PARTS
        self.depth = 0

    def dry(self) -> bool:
        """Whether no more is written here; counts one part."""
        self.left -= 1
        return self.left < 0 or self.depth > _DEEPEST


def describe(spec: Spec) -> tuple[str, ...]:
    """The facts of `spec`, one a line: sources, projections, filters, grouping, order, limit. It never raises."""
    lines: list[str] = []
    _describe_spec(spec, lines, "", _Pen())
    return tuple(line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + _TOO_DEEP for line in lines)


def describe_clause(clause: Clause) -> str:
    """A clause in words; alternatives are joined with OR."""
    return _clause(clause, _Pen())


def describe_predicate(predicate: Predicate) -> str:
    """A predicate in words, such as `orders.region = 'EMEA'`."""
    return _predicate(predicate, _Pen())


def describe_expr(expr: Expr) -> str:
    """An expression in words, such as `SUM(orders.amount)`."""
    return _expr(expr, _Pen())


def _describe_spec(spec: Spec, lines: list[str], indent: str, pen: _Pen) -> None:
    if pen.dry():
        lines.append(indent + _TOO_DEEP)
        return
    pen.depth += 1
    if isinstance(spec, SetOp):
        _describe_branches(spec, lines, indent, pen)
    else:
        _describe_select(spec, lines, indent, pen)
    _describe_end(spec, lines, indent, pen)
    pen.depth -= 1


def _describe_branches(spec: SetOp, lines: list[str], indent: str, pen: _Pen) -> None:
    lines.append(f"{indent}set operation: {_SET_WORDS[spec.kind]} of {len(spec.branches)} branches")
    for number, branch in enumerate(spec.branches[:_MOST_VALUES], 1):
        lines.append(f"{indent}branch {number}:")
        _describe_spec(branch, lines, indent + "  ", pen)
    if len(spec.branches) > _MOST_VALUES:
        lines.append(f"{indent}… {len(spec.branches) - _MOST_VALUES} more branches")


_SET_WORDS = {
    SetKind.UNION: "UNION",
    SetKind.UNION_ALL: "UNION ALL",
    SetKind.INTERSECT: "INTERSECT",
    SetKind.EXCEPT: "EXCEPT",
}


def _describe_select(select: Select, lines: list[str], indent: str, pen: _Pen) -> None:
    for source in select.sources[:_MOST_LINES]:
        lines.append(f"{indent}from: {_source(source)}")
        if source.query is not None:
            _describe_spec(source.query, lines, indent + "  ", pen)
    _rest(select.sources, "sources", lines, indent)
    lines += (f"{indent}join: {_join(join, pen)}" for join in select.joins[:_MOST_LINES])
    _rest(select.joins, "joins", lines, indent)
    for projection in select.projections[:_MOST_LINES]:
        word = "aggregate" if isinstance(projection.expr, Agg) else "column"
        lines.append(f"{indent}{word}: {_expr(projection.expr, pen)}")
    _rest(select.projections, "columns", lines, indent)
    if select.distinct:
        lines.append(f"{indent}distinct rows")
    for clause in select.filters[:_MOST_LINES]:
        lines.append(f"{indent}{_SCOPE_WORDS.get(clause.scope, 'filter')}: {_clause(clause, pen)}")
    _rest(select.filters, "filters", lines, indent)
    if select.group_by:
        lines.append(f"{indent}group by: {_list(select.group_by, pen)}")


def _rest(items: tuple[object, ...], name: str, lines: list[str], indent: str) -> None:
    if len(items) > _MOST_LINES:
        lines.append(f"{indent}… {len(items) - _MOST_LINES} more {name}")


_SCOPE_WORDS = {
    Scope.HAVING: "filter on groups",
    Scope.QUALIFY: "filter on windows",
    Scope.OUTER_JOIN: "filter in outer join",
}


def _describe_end(spec: Spec, lines: list[str], indent: str, pen: _Pen) -> None:
    lines += (f"{indent}{_top(top, pen)}" for top in spec.tops)
    if spec.order:
        lines.append(f"{indent}order by: {', '.join(_order(order, pen) for order in spec.order)}")
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


def _join(join: Join, pen: _Pen) -> str:
    words = f"{_expr(join.left, pen)} = {_expr(join.right, pen)}"
    return words if join.kind in _PLAIN_SOURCES else f"{words} ({join.kind.value})"


def _order(order: Order, pen: _Pen) -> str:
    return f"{_expr(order.expr, pen)} {'descending' if order.descending else 'ascending'}"


def _top(top: TopK, pen: _Pen) -> str:
    words = "top" if top.k is None else f"top {top.k}"
    if top.order:
        words += f" by {', '.join(_order(order, pen) for order in top.order)}"
    if top.per:
        words += f" per {_list(top.per, pen)}"
    return words + (", ties kept" if top.ties else "")


def _list(exprs: tuple[Expr, ...], pen: _Pen) -> str:
    words = [_expr(expr, pen) for expr in exprs[:_MOST_VALUES]]
    if len(exprs) > _MOST_VALUES:
        words.append(f"… {len(exprs) - _MOST_VALUES} more")
    return ", ".join(words)


def _clauses(clauses: tuple[Clause, ...], pen: _Pen) -> str:
    words = [f"({_clause(clause, pen)})" if len(clause.predicates) > 1 else _clause(clause, pen) for clause in clauses]
    return " AND ".join(words)


def _clause(clause: Clause, pen: _Pen) -> str:
    if not clause.predicates:
        return "FALSE"
    words = [_predicate(predicate, pen) for predicate in clause.predicates[:_MOST_VALUES]]
    if len(clause.predicates) > _MOST_VALUES:
        words.append(f"… {len(clause.predicates) - _MOST_VALUES} more")
    return " OR ".join(words)


def _predicate(predicate: Predicate, pen: _Pen) -> str:
    subject = "" if predicate.op is Op.EXISTS else _expr(predicate.subject, pen)
    words = _PREDICATES[predicate.op](predicate, subject, pen)
    return f"{words} (any case)" if predicate.folded else words


def _is_in(predicate: Predicate, subject: str, _pen: _Pen) -> str:
    if len(predicate.values) == 1:
        return f"{subject} {'<>' if predicate.negated else '='} {literal_words(predicate.values[0])}"
    words = [literal_words(value) for value in predicate.values[:_MOST_VALUES]]
    if len(predicate.values) > _MOST_VALUES:
        words.append(f"… {len(predicate.values) - _MOST_VALUES} more")
    return f"{subject} {'NOT IN' if predicate.negated else 'IN'} ({', '.join(words)})"


def _is_range(predicate: Predicate, subject: str, _pen: _Pen) -> str:
    return f"{subject} {interval_words(predicate.interval or Interval())}"


def _is_like(predicate: Predicate, subject: str, _pen: _Pen) -> str:
    verb = pattern_words(predicate.pattern) if predicate.pattern else "matches a pattern"
    return f"{subject} does not: {verb}" if predicate.negated else f"{subject} {verb}"


def _is_null(predicate: Predicate, subject: str, _pen: _Pen) -> str:
    return f"{subject} IS {'NOT ' if predicate.negated else ''}NULL"


def _is_compared(predicate: Predicate, subject: str, pen: _Pen) -> str:
    other = "?" if predicate.other is None else _expr(predicate.other, pen)
    return f"{subject} {predicate.comparator or '?'} {other}"


def _is_in_query(predicate: Predicate, subject: str, pen: _Pen) -> str:
    other = "?" if predicate.other is None else _expr(predicate.other, pen)
    return f"{subject} {'NOT IN' if predicate.negated else 'IN'} {other}"


def _exists(predicate: Predicate, _subject: str, pen: _Pen) -> str:
    other = predicate.subject if predicate.other is None else predicate.other
    return f"{'NOT EXISTS' if predicate.negated else 'EXISTS'} {_expr(other, pen)}"


def _holds(predicate: Predicate, subject: str, _pen: _Pen) -> str:
    return f"NOT {subject}" if predicate.negated else subject


_PREDICATES: dict[Op, Callable[[Predicate, str, _Pen], str]] = {
    Op.IN: _is_in,
    Op.RANGE: _is_range,
    Op.LIKE: _is_like,
    Op.NULL: _is_null,
    Op.COMPARE: _is_compared,
    Op.IN_QUERY: _is_in_query,
    Op.EXISTS: _exists,
    Op.HOLDS: _holds,
}


def _expr(expr: Expr, pen: _Pen) -> str:
    if pen.dry():
        return _TOO_DEEP
    pen.depth += 1
    words = _EXPRS[type(expr)](expr, pen)
    pen.depth -= 1
    return words


def _column(expr: Column, _pen: _Pen) -> str:
    # A name that could come from several sources is shown without one: naming them all says less.
    return f"{expr.sources[0]}.{expr.name}" if len(expr.sources) == 1 else expr.name


def _phrase(expr: Phrase, _pen: _Pen) -> str:
    return shorten(expr.text or " ".join(expr.stems))


def _star(expr: Star, _pen: _Pen) -> str:
    return ", ".join(f"{source}.*" for source in expr.sources) if expr.sources else "*"


def _func(expr: Func, pen: _Pen) -> str:
    return f"{expr.name}({_list(expr.args, pen)})"


def _agg(expr: Agg, pen: _Pen) -> str:
    inside = "*" if expr.arg is None else _expr(expr.arg, pen)
    words = f"{expr.name}({'DISTINCT ' if expr.distinct else ''}{inside})"
    return f"{words} where {_clauses(expr.filter, pen)}" if expr.filter else words


def _window(expr: Window, pen: _Pen) -> str:
    words = [_expr(expr.func, pen), "over"]
    if expr.partition:
        words.append(f"each {_list(expr.partition, pen)}")
    if expr.order:
        words.append(f"in order of {', '.join(_order(order, pen) for order in expr.order)}")
    return " ".join(words) if len(words) > 2 else f"{words[0]} over all rows"


def _case(expr: Case, pen: _Pen) -> str:
    words = ["CASE"]
    for conditions, result in expr.whens[:_MOST_VALUES]:
        words.append(f"WHEN {_clauses(conditions, pen) or 'TRUE'} THEN {_expr(result, pen)}")
    if len(expr.whens) > _MOST_VALUES:
        words.append("…")
    if expr.otherwise is not None:
        words.append(f"ELSE {_expr(expr.otherwise, pen)}")
    return " ".join((*words, "END"))


def _binary(expr: Binary, pen: _Pen) -> str:
    left, right = (_expr(side, pen) for side in (expr.left, expr.right))
    left = f"({left})" if isinstance(expr.left, Binary) and expr.left.op != expr.op else left
    right = f"({right})" if isinstance(expr.right, Binary) else right
    return f"{left} {expr.op} {right}"


def _subquery(expr: Subquery, pen: _Pen) -> str:
    lines: list[str] = []
    _describe_spec(expr.query, lines, "", pen)
    return f"({'correlated ' if expr.correlated else ''}subquery: {'; '.join(line.strip() for line in lines)})"


def _opaque(expr: Opaque, _pen: _Pen) -> str:
    return shorten(expr.text)


_EXPRS: dict[type, Callable[[Any, _Pen], str]] = {
    Literal: lambda expr, _pen: literal_words(expr),
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
