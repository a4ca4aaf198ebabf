"""Questions about expressions: their sort key, the sources and aggregates in them."""

from collections.abc import Iterator
from datetime import datetime

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
from stef.records.predicates import Bound, Clause, Predicate
from stef.records.spec import Select, SetOp, Spec


def children(expr: Expr) -> Iterator[Expr]:  # noqa: C901 - one case a kind
    """The expressions directly inside `expr`, subqueries' insides left out."""
    match expr:
        case Column() | Literal():
            return
        case Func():
            yield from expr.args
        case Binary():
            yield expr.left
            yield expr.right
        case Agg():
            if expr.arg is not None:
                yield expr.arg
            yield from _of_clauses(expr.filter)
        case Window():
            yield expr.func
            yield from expr.partition
            for order in expr.order:
                yield order.expr
        case Case():
            for clauses, result in expr.whens:
                yield from _of_clauses(clauses)
                yield result
            if expr.otherwise is not None:
                yield expr.otherwise
        case Opaque():
            yield from expr.parts
        case _:
            return


def _of_clauses(clauses: tuple[Clause, ...]) -> Iterator[Expr]:
    for clause in clauses:
        for predicate in clause.predicates:
            yield from of_predicate(predicate)


def of_predicate(predicate: Predicate) -> Iterator[Expr]:
    """The expressions directly inside a predicate."""
    yield predicate.subject
    if predicate.other is not None and predicate.other is not predicate.subject:
        yield predicate.other


def columns(expr: Expr) -> Iterator[Column]:
    """Every column in `expr`, subqueries' insides left out."""
    if type(expr) is Column:
        yield expr
        return
    stack = [expr]
    while stack:
        item = stack.pop()
        if type(item) is Column:
            yield item
        elif type(item) is not Literal:
            stack.extend(children(item))


def sources_of(expr: Expr) -> set[str]:
    """The keys of all sources that the columns of `expr` can come from."""
    return {key for column in columns(expr) for key in column.sources}


def contains(expr: Expr, kind: type) -> bool:
    """Whether an expression of `kind` stands in `expr`, subqueries' insides left out."""
    stack = [expr]
    while stack:
        item = stack.pop()
        if type(item) is kind:
            return True
        if type(item) not in (Column, Literal):
            stack.extend(children(item))
    return False


def aggregated(expr: Expr) -> bool:
    """Whether an aggregate stands in `expr`, outside of windows' own functions."""
    stack = [expr]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is Agg:
            return True
        if kind is Window and isinstance(item, Window):
            stack.extend(children(item.func))
            stack.extend(item.partition)
            stack.extend(order.expr for order in item.order)
        elif kind is not Column and kind is not Literal:
            stack.extend(children(item))
    return False


def value_key(value: Value) -> str:
    """A text by which constants sort: numbers before text, numbers by size."""
    if isinstance(value, bool):
        return f"0{value}"
    if isinstance(value, int | float):
        return f"1{value + 1e15:025.6f}" if abs(value) < 1e15 else f"1{value}"
    if isinstance(value, str):
        return "2" + value
    if isinstance(value, datetime):
        return "3" + value.isoformat()
    if isinstance(value, Relative):
        return f"4{value.unit}{value.offset}{value.floor}"
    return "5"


def sort_key(expr: Expr) -> str:  # noqa: C901 - one case a kind
    """A text by which expressions sort; equal expressions have equal keys."""
    match expr:
        case Column():
            return f"c{expr.name}@{','.join(expr.sources)}"
        case Literal():
            return "l" + value_key(expr.value)
        case Func():
            return f"f{expr.name}({','.join(map(sort_key, expr.args))})"
        case Binary():
            return f"b{expr.op}({sort_key(expr.left)},{sort_key(expr.right)})"
        case Agg():
            arg = "" if expr.arg is None else sort_key(expr.arg)
            return f"a{expr.name}{'!' if expr.distinct else ''}({arg}){_clauses_key(expr.filter)}"
        case Window():
            orders = ",".join(f"{sort_key(o.expr)}{'-' if o.descending else ''}" for o in expr.order)
            return f"w{sort_key(expr.func)}[{','.join(map(sort_key, expr.partition))}]{orders}"
        case Case():
            whens = ",".join(f"{_clauses_key(clauses)}>{sort_key(result)}" for clauses, result in expr.whens)
            return f"k{whens}{'' if expr.otherwise is None else sort_key(expr.otherwise)}"
        case Star():
            return f"*{','.join(expr.sources)}"
        case Phrase():
            return "p" + " ".join(expr.stems)
        case Subquery():
            return f"q({spec_key(expr.query)})"
        case Opaque():
            return f"o{expr.text}({','.join(map(sort_key, expr.parts))})"


def _clauses_key(clauses: tuple[Clause, ...]) -> str:
    return (
        "{" + ";".join("|".join(map(predicate_key, clause.predicates)) for clause in clauses) + "}" if clauses else ""
    )


def predicate_key(predicate: Predicate) -> str:
    """A text by which predicates sort."""
    parts = [sort_key(predicate.subject), predicate.op, "!" if predicate.negated else ""]
    if predicate.values:
        parts.append(",".join([value_key(value.value) for value in predicate.values]))
    if predicate.interval is not None:
        parts.append(_bound_key(predicate.interval.low) + ".." + _bound_key(predicate.interval.high))
    if predicate.pattern is not None:
        parts.append(predicate.pattern.kind + predicate.pattern.text)
    if predicate.comparator is not None:
        parts.append(predicate.comparator)
    if predicate.other is not None and predicate.other is not predicate.subject:
        parts.append(sort_key(predicate.other))
    return " ".join(parts)


def _bound_key(bound: Bound | None) -> str:
    return "" if bound is None else value_key(bound.value) + ("=" if bound.inclusive else "")


def clause_key(clause: Clause) -> str:
    """A text by which clauses sort."""
    return "|".join(map(predicate_key, clause.predicates))


def spec_key(spec: Spec) -> str:
    """A text by which whole queries sort."""
    if isinstance(spec, SetOp):
        return f"{spec.kind}({','.join(map(spec_key, spec.branches))})"
    return _select_key(spec)


def _select_key(spec: Select) -> str:
    projections = ",".join(sort_key(projection.expr) for projection in spec.projections)
    sources = ",".join(source.key for source in spec.sources)
    filters = ";".join(map(clause_key, spec.filters))
    return f"{projections} from {sources} where {filters} by {','.join(map(sort_key, spec.group_by))} {spec.limit}"
