"""Arithmetic in canonical form: chains of any length without recursion, and division with and without a remainder."""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlglot import exp

from stef.records.expressions import Agg, Binary, Expr, Func, Literal, Opaque, Relative
from stef.sql import clock
from stef.sql.names import type_of
from stef.sql.schema import ColumnType
from stef.sql.trees import sort_key
from stef.sql.walk import Node, Walk

MAX_OPERANDS = 64


def flatten(node: Node, kind: type[Node]) -> list[Node]:
    """The operands of a left-deep chain of one operator, in order."""
    operands: list[Node] = []
    while True:
        while type(node) is exp.Paren and type(node.args["this"]) is kind:
            node = node.args["this"]
        if type(node) is not kind:
            break
        operands.append(node.args["expression"])
        node = node.args["this"]
    operands.append(node)
    operands.reverse()
    return operands


def chain(op: str, operands: list[Expr]) -> Expr:
    """`operands` joined by `op` from left to right; a chain that is too long to walk is Opaque."""
    if not operands:
        return Literal("", "", quoted=True)
    if len(operands) > MAX_OPERANDS:
        return Opaque(op, tuple(operands))
    result = operands[0]
    for operand in operands[1:]:
        result = Binary(op, result, operand)
    return result


def product(factors: list[Expr]) -> Expr:
    """The product of `factors`: constants multiplied out, a factor of 1 left out, the rest in order."""
    constant: int | float = 1
    others: list[Expr] = []
    for factor in factors:
        value = factor.value if type(factor) is Literal else None
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15:
            constant *= value
        else:
            others.append(factor)
    if others and len(others) <= MAX_OPERANDS:
        others.sort(key=sort_key)
    if constant != 1 or not others:
        if isinstance(constant, float) and constant.is_integer() and abs(constant) < 1e15:
            constant = int(constant)
        others.insert(0, Literal(constant, str(constant)))
    return chain("*", others)


def _add(walk: Walk, node: Node) -> Expr:
    """A chain of + and -, in which stretches of time move a time."""
    steps: list[tuple[int, Node]] = []
    while type(node) in (exp.Add, exp.Sub):
        steps.append((1 if type(node) is exp.Add else -1, node.args["expression"]))
        node = node.args["this"]
        while type(node) is exp.Paren and type(node.args["this"]) in (exp.Add, exp.Sub):
            node = node.args["this"]
    steps.reverse()
    first = walk.expr(node)
    plus: list[Expr] = [first]
    minus: list[Expr] = []
    for sign, operand in steps:
        if type(operand) is exp.Interval:
            base = _folded(plus, minus)
            plus, minus = [clock.moved(walk, clock.as_moment(base), operand, "day", sign)], []
            continue
        value = walk.expr(operand)
        if len(plus) == 1 and not minus and _is_moment(plus[0]) and type(value) is Literal and type(value.value) is int:
            plus = [clock.shift(plus[0], sign * value.value, "day")]
            continue
        (plus if sign > 0 else minus).append(value)
    if not minus and any(_is_text(item) for item in plus):
        walk.note("string_concat", "+", walk.span(steps[-1][1]))
        return chain("||", plus)
    return _folded(plus, minus)


def _folded(plus: list[Expr], minus: list[Expr]) -> Expr:
    if len(plus) > 1:
        plus = [item for item in plus if not (type(item) is Literal and item.value == 0)] or plus[:1]
    if 1 < len(plus) <= MAX_OPERANDS:
        plus.sort(key=sort_key)
    if 1 < len(minus) <= MAX_OPERANDS:
        minus.sort(key=sort_key)
    total = chain("+", plus)
    return Binary("-", total, chain("+", minus)) if minus else total


def _is_moment(expr: Expr) -> bool:
    return type(expr) is Literal and isinstance(expr.value, Relative | datetime)


def _is_text(expr: Expr) -> bool:
    return type(expr) is Literal and expr.quoted and not expr.text.strip().replace(".", "", 1).isdecimal()


class Kind(StrEnum):
    """What is known of a number."""

    WHOLE = "whole"
    REAL = "real"
    UNKNOWN = "unknown"


_WHOLE = (exp.Count, exp.CountIf, exp.Length, exp.Extract, exp.Year, exp.Month, exp.Day, exp.RowNumber, exp.Rank)
_PASSING = (exp.Paren, exp.Neg, exp.Sum, exp.Min, exp.Max, exp.Filter, exp.Coalesce, exp.Nullif, exp.Abs, exp.Window)
_REAL_TYPES = frozenset({exp.DType.DOUBLE, exp.DType.FLOAT, exp.DType.DECIMAL, exp.DType.BIGDECIMAL})
_WHOLE_TYPES = frozenset({exp.DType.INT, exp.DType.BIGINT, exp.DType.SMALLINT, exp.DType.TINYINT})


def kind_of(walk: Walk, node: Node, depth: int = 0) -> Kind:  # noqa: C901, PLR0912 - one case a kind
    """Whether a number is surely whole, surely not, or neither."""
    while isinstance(node, _PASSING):
        node = node.args["this"]
    if depth > 40:
        return Kind.UNKNOWN
    match node:
        case exp.Literal():
            if node.is_string:
                return Kind.UNKNOWN
            return Kind.WHOLE if str(node.this).isdecimal() else Kind.REAL
        case exp.Add() | exp.Sub() | exp.Mul() | exp.Mod():
            return _either(walk, node, depth)
        case exp.Div():
            return _either(walk, node, depth) if node.args.get("typed") else Kind.REAL
        case exp.IntDiv():
            return Kind.WHOLE
        case exp.Cast():
            kind = node.args["to"].this
            return Kind.REAL if kind in _REAL_TYPES else Kind.WHOLE if kind in _WHOLE_TYPES else Kind.UNKNOWN
        case exp.Avg() | exp.Round() | exp.SafeDivide():
            return Kind.REAL
        case exp.Case() | exp.If():
            return _of_branches(walk, node, depth)
        case exp.Column():
            return _of_expr(walk, walk.expr(node))
        case _ if isinstance(node, _WHOLE):
            return Kind.WHOLE
        case exp.EQ() | exp.GT() | exp.LT() | exp.And() | exp.Or():
            return Kind.WHOLE
    return Kind.UNKNOWN


def _either(walk: Walk, node: Node, depth: int) -> Kind:
    left = kind_of(walk, node.args["this"], depth + 1)
    right = kind_of(walk, node.args["expression"], depth + 1)
    return _join(left, right)


def _join(left: Kind, right: Kind) -> Kind:
    if Kind.REAL in (left, right):
        return Kind.REAL
    return Kind.WHOLE if left is Kind.WHOLE and right is Kind.WHOLE else Kind.UNKNOWN


def _of_branches(walk: Walk, node: Node, depth: int) -> Kind:
    args = node.args
    branches = [args.get("true"), args.get("false"), args.get("default")]
    branches += [branch.args.get("true") for branch in args.get("ifs") or ()]
    known = [kind_of(walk, branch, depth + 1) for branch in branches if isinstance(branch, exp.Expr)]
    result = known[0] if known else Kind.UNKNOWN
    for kind in known[1:]:
        result = _join(result, kind)
    return result


def _of_expr(walk: Walk, expr: Expr) -> Kind:
    if type(expr) is Agg:
        return Kind.WHOLE if expr.name == "COUNT" else Kind.REAL if expr.name == "AVG" else Kind.UNKNOWN
    known = type_of(walk, expr)
    if known is ColumnType.INTEGER:
        return Kind.WHOLE
    return Kind.REAL if known is ColumnType.NUMBER else Kind.UNKNOWN


def _mul(walk: Walk, node: Node) -> Expr:
    """A chain of * and /: one numerator over one denominator; a division that truncates stays as it stands."""
    steps: list[Node] = []
    while type(node) in (exp.Mul, exp.Div):
        steps.append(node)
        node = node.args["this"]
        while type(node) is exp.Paren and type(node.args["this"]) in (exp.Mul, exp.Div):
            node = node.args["this"]
    over: list[Expr] = [walk.expr(node)]
    under: list[Expr] = []
    kind = None
    for step in reversed(steps):
        operand = step.args["expression"]
        value = walk.expr(operand)
        if kind is None and _has_division(steps):
            kind = kind_of(walk, node)
        other = kind_of(walk, operand) if kind is not None else None
        if type(step) is exp.Mul:
            over.append(value)
        else:
            value = _unguarded(walk, value, operand)
            if step.args.get("typed") and kind is Kind.WHOLE and other is Kind.WHOLE:
                walk.note("integer_division", "", walk.span(step))
                over, under = [Binary("//", _ratio(over, under), value)], []
            else:
                if step.args.get("typed"):
                    _note_division(walk, step, kind, other)
                under.append(value)
                if not step.args.get("typed"):
                    kind = Kind.REAL
        if kind is not None and other is not None:
            kind = _join(kind, other)
    return _ratio(over, under)


def _has_division(steps: list[Node]) -> bool:
    return len(steps) <= MAX_OPERANDS and any(type(step) is exp.Div for step in steps)


def _note_division(walk: Walk, step: Node, left: Kind | None, right: Kind | None) -> None:
    if Kind.REAL in (left, right):
        walk.note("cast_in_division", "", walk.span(step))
    else:
        walk.note("division_without_cast", "", walk.span(step))


def _ratio(over: list[Expr], under: list[Expr]) -> Expr:
    numerator = product(over)
    if not under:
        return numerator
    denominator = product(under)
    if type(denominator) is Literal and denominator.value == 1:
        return numerator
    return Binary("/", numerator, denominator)


def _unguarded(walk: Walk, expr: Expr, node: Node) -> Expr:
    """A denominator without the NULLIF(x, 0) that only keeps a division by zero away."""
    if type(expr) is Func and expr.name == "NULLIF" and len(expr.args) == 2:
        guard = expr.args[1]
        if type(guard) is Literal and guard.value == 0:
            walk.note("division_guard", "", walk.span(node))
            return expr.args[0]
    return expr


def _safe_divide(walk: Walk, node: Node) -> Expr:
    return _ratio([walk.expr(node.args["this"])], [walk.expr(node.args["expression"])])


def _binary(op: str) -> Callable[[Walk, Node], Expr]:
    def read(walk: Walk, node: Node) -> Expr:
        return Binary(op, walk.expr(node.args["this"]), walk.expr(node.args["expression"]))

    return read


HANDLERS: dict[type, Callable[[Walk, Any], Expr]] = {
    exp.Add: _add,
    exp.Sub: _add,
    exp.Mul: _mul,
    exp.Div: _mul,
    exp.IntDiv: _binary("//"),
    exp.Mod: _binary("%"),
    exp.SafeDivide: _safe_divide,
}
"""The handlers of arithmetic, by the kind of node."""
