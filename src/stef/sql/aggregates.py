"""Aggregates in canonical form: a CASE that means a FILTER is one, COUNT(1) is COUNT(*)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlglot import exp

from stef.records.expressions import Agg, Binary, Case, Expr, Func, Literal
from stef.records.predicates import Clause, Scope
from stef.sql import arithmetic
from stef.sql.names import read_operand
from stef.sql.predicates import compare
from stef.sql.times import settled
from stef.sql.walk import Node, Walk

_NAMES: dict[type, str] = {
    exp.GroupConcat: "STRING_AGG",
    exp.ApproxDistinct: "APPROX_COUNT_DISTINCT",
    exp.Stddev: "STDDEV",
    exp.StddevSamp: "STDDEV",
    exp.Variance: "VARIANCE",
    exp.LogicalOr: "BOOL_OR",
    exp.LogicalAnd: "BOOL_AND",
}
_WINDOW_ONLY = (
    exp.Rank,
    exp.DenseRank,
    exp.PercentRank,
    exp.CumeDist,
    exp.Ntile,
    exp.Lag,
    exp.Lead,
    exp.FirstValue,
    exp.LastValue,
    exp.NthValue,
    exp.Grouping,
    exp.GroupingId,
)


def aggregate(walk: Walk, node: Node) -> Expr:
    """Any aggregate function without a handler of its own."""
    kind = type(node)
    args = node.args
    if isinstance(node, exp.AnonymousAggFunc | exp.ParameterizedAgg):
        name = args["this"] if isinstance(args["this"], str) else args["this"].name
        return _agg(walk, node, name.upper(), walk.exprs(args.get("expressions")), distinct=False)
    name = _NAMES.get(kind) or kind.sql_name()  # type: ignore[attr-defined]
    if isinstance(node, _WINDOW_ONLY):
        parts = [walk.expr(value) for value in args.values() if isinstance(value, exp.Expr)]
        return Func(name, tuple(parts))
    distinct, items = _arguments(node)
    if len(items) == 1 and not distinct:
        found = _conditional(walk, items[0])
        if found is not None and found.otherwise is None:
            return _agg(walk, node, name, (found.then,), distinct=False, clauses=found.clauses)
    others = [args[key] for key in ("expression", "quantile") if isinstance(args.get(key), exp.Expr)]
    return _agg(walk, node, name, walk.exprs([*items, *others]), distinct=distinct)


def _agg(  # noqa: PLR0913 - what an aggregate is made of
    walk: Walk, node: Node, name: str, items: tuple[Expr, ...], *, distinct: bool, clauses: tuple[Clause, ...] = ()
) -> Expr:
    if walk.frame is not None:
        walk.frame.aggregates += 1
    arg = items[0] if len(items) == 1 else Func("ROW", items) if items else None
    return Agg(name, arg, distinct, clauses, walk.span(node))


def _arguments(node: Node) -> tuple[bool, list[Node]]:
    """Whether DISTINCT is said, and the arguments without ORDER BY and LIMIT of their own."""
    inner = node.args.get("this")
    while isinstance(inner, exp.Order | exp.Limit | exp.IgnoreNulls | exp.RespectNulls | exp.HavingMax):
        inner = inner.args.get("this")
    if isinstance(inner, exp.Distinct):
        return True, list(inner.expressions)
    items = [inner] if isinstance(inner, exp.Expr) else []
    more = node.args.get("expressions")
    return False, [*items, *more] if isinstance(more, list) else items


class _Conditional:
    """`CASE WHEN clauses THEN then ELSE otherwise END` as an aggregate's argument."""

    __slots__ = ("clauses", "otherwise", "then")

    def __init__(self, clauses: tuple[Clause, ...], then: Expr, otherwise: Expr | None) -> None:
        self.clauses = clauses
        self.then = then
        self.otherwise = otherwise


def _conditional(walk: Walk, node: Node) -> _Conditional | None:
    while type(node) is exp.Paren or (type(node) is exp.Cast and type(node.args["this"]) in (exp.Case, exp.If)):
        node = node.args["this"]
    kind = type(node)
    args = node.args
    if kind is exp.If:
        cnf = walk.condition(args["this"])
        then, default = args["true"], args.get("false")
    elif kind is exp.Case and len(args.get("ifs") or ()) == 1:
        branch = args["ifs"][0].args
        subject = args.get("this")
        if subject is None:
            cnf = walk.condition(branch["this"])
        else:
            cnf = compare(walk, walk.expr(subject), "=", read_operand(walk, branch["this"]), walk.span(branch["this"]))
        then, default = branch["true"], args.get("default")
    else:
        return None
    otherwise = read_operand(walk, default) if default is not None else None
    if type(otherwise) is Literal and otherwise.value is None:
        otherwise = None
    clauses = settled(cnf, Scope.AGGREGATE)
    return _Conditional(clauses, read_operand(walk, then), otherwise)


def _is_number(expr: Expr | None) -> bool:
    return type(expr) is Literal and isinstance(expr.value, int | float) and not isinstance(expr.value, bool)


def _is_zero(expr: Expr | None) -> bool:
    return type(expr) is Literal and expr.value == 0 and not isinstance(expr.value, bool)


def count(walk: Walk, node: exp.Count) -> Expr:
    """COUNT: of rows, of values, of distinct values, of what a CASE picks."""
    distinct, items = _arguments(node)
    if not distinct and len(items) == 1:
        item = items[0]
        kind = type(item)
        if kind is exp.Star or (kind is exp.Literal):
            return _agg(walk, node, "COUNT", (), distinct=False)
    if len(items) == 1:
        found = _conditional(walk, items[0])
        if found is not None:
            if found.otherwise is not None:
                walk.note("count_else", "", walk.span(node))
                return _agg(walk, node, "COUNT", (_case(found),), distinct=distinct)
            arg = () if type(found.then) is Literal and not distinct else (found.then,)
            return _agg(walk, node, "COUNT", arg, distinct=distinct, clauses=found.clauses)
    return _agg(walk, node, "COUNT", walk.exprs(items), distinct=distinct)


def _case(found: _Conditional) -> Expr:
    return Case(((found.clauses, found.then),), found.otherwise)


def _truth(walk: Walk, node: Node) -> tuple[Clause, ...] | None:
    """The clauses of a test that is summed as 0 or 1."""
    while type(node) in (exp.Paren, exp.Cast):
        node = node.args["this"]
    if type(node) in walk.dispatch.boolean:
        return settled(walk.condition(node), Scope.AGGREGATE)
    return None


def summed(walk: Walk, node: exp.Sum) -> Expr:
    """SUM: of ones where a test holds, it is a count."""
    distinct, items = _arguments(node)
    if not distinct and len(items) == 1:
        clauses = _truth(walk, items[0])
        if clauses is not None:
            return _agg(walk, node, "COUNT", (), distinct=False, clauses=clauses)
        found = _conditional(walk, items[0])
        if found is not None:
            if found.otherwise is None or _is_zero(found.otherwise):
                if _is_number(found.then):
                    counted = _agg(walk, node, "COUNT", (), distinct=False, clauses=found.clauses)
                    return arithmetic.product([found.then, counted])
                return _agg(walk, node, "SUM", (found.then,), distinct=False, clauses=found.clauses)
            return _agg(walk, node, "SUM", (_case(found),), distinct=False)
    return _agg(walk, node, "SUM", walk.exprs(items), distinct=distinct)


def average(walk: Walk, node: exp.Avg) -> Expr:
    """AVG: of ones and zeros, it is a share; an ELSE 0 in the average of values is noted."""
    distinct, items = _arguments(node)
    if not distinct and len(items) == 1:
        clauses = _truth(walk, items[0])
        if clauses is not None:
            return _share(walk, node, clauses, Literal(1, "1"))
        found = _conditional(walk, items[0])
        if found is not None:
            if found.otherwise is None:
                return _agg(walk, node, "AVG", (found.then,), distinct=False, clauses=found.clauses)
            if _is_number(found.then) and _is_zero(found.otherwise):
                return _share(walk, node, found.clauses, found.then)
            if _is_zero(found.otherwise):
                walk.note("else_zero_average", "", walk.span(node))
            return _agg(walk, node, "AVG", (_case(found),), distinct=False)
    return _agg(walk, node, "AVG", walk.exprs(items), distinct=distinct)


def _share(walk: Walk, node: Node, clauses: tuple[Clause, ...], of: Expr) -> Expr:
    part = _agg(walk, node, "COUNT", (), distinct=False, clauses=clauses)
    whole = _agg(walk, node, "COUNT", (), distinct=False)
    return Binary("/", arithmetic.product([of, part]), whole)


def count_if(walk: Walk, node: exp.CountIf) -> Expr:
    """COUNT_IF(c), COUNTIF(c)."""
    clauses = settled(walk.condition(node.args["this"]), Scope.AGGREGATE)
    return _agg(walk, node, "COUNT", (), distinct=False, clauses=clauses)


def filtered(walk: Walk, node: exp.Filter) -> Expr:
    """An aggregate with FILTER (WHERE …)."""
    inner = walk.expr(node.args["this"])
    where = node.args.get("expression")
    if type(inner) is not Agg or not isinstance(where, exp.Expr):
        return inner
    test = where.args["this"] if isinstance(where, exp.Where) else where
    clauses = settled(walk.condition(test), Scope.AGGREGATE)
    return replace(inner, filter=(*inner.filter, *clauses))


def within_group(walk: Walk, node: exp.WithinGroup) -> Expr:
    """PERCENTILE_CONT(p) WITHIN GROUP (ORDER BY x) and its kin."""
    order = node.args.get("expression")
    items = [item.args["this"] for item in order.expressions] if isinstance(order, exp.Order) else []
    func = node.args["this"]
    if isinstance(func, exp.PercentileCont | exp.PercentileDisc):
        share = walk.expr(func.args["this"])
        values = walk.exprs(items)
        if type(share) is Literal and share.value == 0.5:
            return _agg(walk, node, "MEDIAN", values, distinct=False)
        return _agg(walk, node, type(func).sql_name(), (*values, share), distinct=False)
    return walk.expr(func)


HANDLERS: dict[type, Callable[[Walk, Any], Expr]] = {
    exp.Count: count,
    exp.Sum: summed,
    exp.Avg: average,
    exp.CountIf: count_if,
    exp.Filter: filtered,
    exp.WithinGroup: within_group,
}
"""The handlers of aggregates, by the kind of node."""
