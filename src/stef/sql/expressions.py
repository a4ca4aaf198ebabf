"""Scalar expressions in canonical form: one handler a kind of node, everything else as a function or opaque."""

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from stef.records.expressions import Binary, Case, Expr, Func, Literal, Opaque, Window
from stef.records.predicates import Clause, Scope
from stef.records.spec import Order
from stef.sql import aggregates, arithmetic, clock
from stef.sql.conditions import BOOLEAN
from stef.sql.foreign import FOREIGN_NAMES
from stef.sql.literals import number_literal, text_literal
from stef.sql.names import read_column, read_operand
from stef.sql.predicates import compare
from stef.sql.times import settled
from stef.sql.walk import Node, Walk


def clauses_of(walk: Walk, node: Node, scope: Scope) -> tuple[Clause, ...]:
    """A condition inside an expression as clauses."""
    return settled(walk.condition(node), scope)


def _literal(_walk: Walk, node: exp.Literal) -> Expr:
    text = node.args["this"]
    meta = node._meta  # noqa: SLF001 - see `walk.span_of`
    span = (meta["start"], meta["end"] + 1) if meta and "start" in meta else None
    if node.args.get("is_string"):
        return text_literal(text, span)
    return number_literal(text, span)


def _boolean(_walk: Walk, node: exp.Boolean) -> Expr:
    return Literal(bool(node.args["this"]), str(node.args["this"]).upper())


def _null(_walk: Walk, _node: Node) -> Expr:
    return Literal(None, "NULL")


def _inner(walk: Walk, node: Node) -> Expr:
    return walk.expr(node.args["this"])


def _neg(walk: Walk, node: exp.Neg) -> Expr:
    inner = walk.expr(node.args["this"])
    if type(inner) is Literal and isinstance(inner.value, int | float) and not isinstance(inner.value, bool):
        return Literal(-inner.value, "-" + inner.text, span=inner.span)
    return Binary("*", Literal(-1, "-1"), inner)


def _truth(walk: Walk, node: Node) -> Expr:
    """A test that stands for a value."""
    return Case(((clauses_of(walk, node, Scope.CASE), Literal(True, "TRUE")),), Literal(False, "FALSE"))


def _case(walk: Walk, node: exp.Case) -> Expr:
    args = node.args
    subject = args.get("this")
    whens = []
    for branch in args.get("ifs") or ():
        test = branch.args["this"]
        if subject is None:
            cnf = walk.condition(test)
        else:
            cnf = compare(walk, walk.expr(subject), "=", read_operand(walk, test), walk.span(test))
        clauses = settled(cnf, Scope.CASE)
        whens.append((clauses, read_operand(walk, branch.args["true"])))
    default = args.get("default")
    otherwise = read_operand(walk, default) if default is not None else None
    return Case(tuple(whens), _no_null(otherwise))


def _no_null(expr: Expr | None) -> Expr | None:
    return None if type(expr) is Literal and expr.value is None else expr


def _if(walk: Walk, node: exp.If) -> Expr:
    args = node.args
    otherwise = read_operand(walk, args["false"]) if args.get("false") is not None else None
    then = read_operand(walk, args["true"])
    return Case(((clauses_of(walk, args["this"], Scope.CASE), then),), _no_null(otherwise))


_REAL = frozenset({exp.DType.DOUBLE, exp.DType.FLOAT, exp.DType.DECIMAL, exp.DType.BIGDECIMAL})


def _cast(walk: Walk, node: exp.Cast) -> Expr:
    kind = node.args["to"].this
    if kind is exp.DType.DATE:
        return clock.as_date(walk, node)
    inner = walk.expr(node.args["this"])
    if kind in _MOMENTS:
        return clock.as_moment(inner)
    if kind is exp.DType.TIME:
        return Func("TIME", (inner,))
    walk.note("cast", kind.value if isinstance(kind, exp.DType) else "", walk.span(node))
    if type(inner) is Literal and inner.quoted and kind in _NUMBERS:
        return number_literal(inner.text, inner.span)
    return inner


_T = exp.DType
_MOMENTS = frozenset(
    {_T.TIMESTAMP, _T.TIMESTAMPTZ, _T.TIMESTAMPLTZ, _T.TIMESTAMPNTZ, _T.DATETIME, _T.DATETIME2, _T.SMALLDATETIME}
)
_NUMBERS = _REAL | {_T.INT, _T.BIGINT, _T.SMALLINT, _T.TINYINT}


def _convert(walk: Walk, node: exp.Convert) -> Expr:
    target = node.args["this"]
    inner = node.args["expression"]
    if isinstance(target, exp.DataType) and target.this is exp.DType.DATE:
        return clock.date_of(clock.moment_expr(walk, inner))
    return walk.expr(inner)


def _subquery(walk: Walk, node: Node) -> Expr:
    from stef.sql.subqueries import read_subquery  # noqa: PLC0415

    return read_subquery(walk, node)


def ordered(walk: Walk, node: Node) -> Order:
    """One sort key."""
    if type(node) is exp.Ordered:
        return Order(walk.expr(node.args["this"]), bool(node.args.get("desc")))
    return Order(walk.expr(node))


def _window(walk: Walk, node: exp.Window) -> Expr:
    args = node.args
    frame = walk.frame
    before = frame.aggregates if frame is not None else 0
    func = walk.expr(args["this"])
    if frame is not None:
        frame.aggregates = before
        frame.windowed = True
    alias = args.get("alias")
    if isinstance(alias, exp.Identifier) and frame is not None:
        named = frame.windows.get(alias.name.lower())
        if named is not None:
            args = {**named.args, **{key: value for key, value in args.items() if value}}
    partition = walk.exprs(args.get("partition_by"))
    order = args.get("order")
    orders = tuple(ordered(walk, item) for item in order.expressions) if isinstance(order, exp.Order) else ()
    return Window(func, partition, orders)


def _anonymous(walk: Walk, node: exp.Anonymous) -> Expr:
    name = node.args["this"]
    text = name.upper() if isinstance(name, str) else name.name.upper()
    if text in FOREIGN_NAMES.get(walk.dialect or "", ()):
        walk.note("function_not_in_dialect", text, walk.span(node))
    found = clock.anonymous(walk, node)
    if found is not None:
        return found
    return Func(text, walk.exprs(node.args.get("expressions")))


def _substring(walk: Walk, node: exp.Substring) -> Expr:
    args = node.args
    parts = [walk.expr(args[name]) for name in ("this", "start", "length") if isinstance(args.get(name), exp.Expr)]
    return Func("SUBSTR", tuple(parts))


def _strpos(walk: Walk, node: exp.StrPosition) -> Expr:
    return Func("STRPOS", (walk.expr(node.args["this"]), read_operand(walk, node.args["substr"])))


def _coalesce(walk: Walk, node: exp.Coalesce) -> Expr:
    return Func("COALESCE", (walk.expr(node.args["this"]), *walk.exprs(node.args.get("expressions"))))


def _collate(walk: Walk, node: exp.Collate) -> Expr:
    inner = walk.expr(node.args["this"])
    return inner if type(inner) is Literal else Func("COLLATE", (inner,))


def _trim(walk: Walk, node: exp.Trim) -> Expr:
    return Func("TRIM", (walk.expr(node.args["this"]),))


def _concat(walk: Walk, node: exp.Concat) -> Expr:
    walk.note("string_concat", "CONCAT", walk.span(node))
    return arithmetic.chain("||", list(walk.exprs(node.expressions)))


def _dpipe(walk: Walk, node: exp.DPipe) -> Expr:
    operands = arithmetic.flatten(node, exp.DPipe)
    walk.note("string_concat", "||", walk.span(node))
    return arithmetic.chain("||", [read_operand(walk, operand) for operand in operands])


def _alias(walk: Walk, node: exp.Alias) -> Expr:
    return walk.expr(node.args["this"])


def _distinct(walk: Walk, node: exp.Distinct) -> Expr:
    items = walk.exprs(node.expressions)
    return items[0] if len(items) == 1 else Func("ROW", items)


def _tuple(walk: Walk, node: exp.Tuple) -> Expr:
    return Func("ROW", walk.exprs(node.expressions))


def _dot(walk: Walk, node: exp.Dot) -> Expr:
    return Func("FIELD", (walk.expr(node.args["this"]), _name(node.args["expression"])))


def _name(node: Node) -> Expr:
    return text_literal(node.name) if isinstance(node, exp.Expr) else Literal(None)


def _named(_walk: Walk, node: Node) -> Expr:
    return _name(node)


_SHAPES: dict[type, tuple[str, tuple[str, ...]]] = {}


def other(walk: Walk, node: Node) -> Expr:
    """A node without a handler: a function by its name and arguments, anything else Opaque with what stands in it."""
    kind = type(node)
    if isinstance(node, exp.AggFunc):
        return aggregates.aggregate(walk, node)
    shape = _SHAPES.get(kind)
    if shape is None:
        name = kind.sql_name() if isinstance(node, exp.Func) else kind.__name__.upper()  # type: ignore[attr-defined]
        shape = _SHAPES[kind] = (name, tuple(kind.arg_types))
    parts: list[Expr] = []
    args = node.args
    for key in shape[1]:
        value = args.get(key)
        if isinstance(value, exp.Expr):
            parts.append(walk.expr(value))
        elif isinstance(value, list):
            parts.extend([walk.expr(item) for item in value if isinstance(item, exp.Expr)])
    if isinstance(node, exp.Func):
        return Func(shape[0], tuple(parts))
    if isinstance(node, exp.Binary) and len(parts) == 2:
        return Binary(shape[0], parts[0], parts[1])
    text = node.name if not parts and isinstance(node.args.get("this"), str) else ""
    return Opaque(f"{shape[0]} {text}".strip(), tuple(parts))


def _star(_walk: Walk, _node: Node) -> Expr:
    from stef.records.expressions import Star  # noqa: PLC0415

    return Star()


HANDLERS: dict[type, Callable[[Walk, Any], Expr]] = {
    exp.Column: read_column,
    exp.Literal: _literal,
    exp.Boolean: _boolean,
    exp.Null: _null,
    exp.Star: _star,
    exp.Alias: _alias,
    exp.Neg: _neg,
    exp.Case: _case,
    exp.If: _if,
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.Convert: _convert,
    exp.Select: _subquery,
    exp.Union: _subquery,
    exp.Except: _subquery,
    exp.Intersect: _subquery,
    exp.Subquery: _subquery,
    exp.Window: _window,
    exp.Anonymous: _anonymous,
    exp.Substring: _substring,
    exp.StrPosition: _strpos,
    exp.Coalesce: _coalesce,
    exp.Collate: _collate,
    exp.Trim: _trim,
    exp.Concat: _concat,
    exp.DPipe: _dpipe,
    exp.Distinct: _distinct,
    exp.Tuple: _tuple,
    exp.Dot: _dot,
    exp.Identifier: _named,
    exp.Var: _named,
    exp.Ordered: _inner,
    exp.IgnoreNulls: _inner,
    exp.RespectNulls: _inner,
    exp.AtTimeZone: _inner,
    exp.Interval: clock.interval,
    exp.CurrentDate: clock.today,
    exp.CurrentTimestamp: clock.now,
    exp.CurrentDatetime: clock.now,
    exp.DateAdd: clock.date_add,
    exp.TsOrDsAdd: clock.date_add,
    exp.TimestampAdd: clock.date_add,
    exp.DatetimeAdd: clock.date_add,
    exp.DateSub: clock.date_sub,
    exp.TimestampSub: clock.date_sub,
    exp.DatetimeSub: clock.date_sub,
    exp.DateDiff: clock.date_diff,
    exp.TimestampDiff: clock.date_diff,
    exp.DatetimeDiff: clock.date_diff,
    exp.TsOrDsDiff: clock.date_diff,
    exp.DateTrunc: clock.trunc,
    exp.TimestampTrunc: clock.trunc,
    exp.DatetimeTrunc: clock.trunc,
    exp.Extract: clock.extract,
    exp.Year: clock.part("YEAR"),
    exp.Quarter: clock.part("QUARTER"),
    exp.Month: clock.part("MONTH"),
    exp.Week: clock.part("WEEK"),
    exp.Day: clock.part("DAY"),
    exp.DayOfMonth: clock.part("DAY"),
    exp.DayOfWeek: clock.part("WEEKDAY"),
    exp.DayOfYear: clock.part("DAYOFYEAR"),
    exp.Hour: clock.part("HOUR"),
    exp.Minute: clock.part("MINUTE"),
    exp.TimeToStr: clock.formatted,
    exp.ToChar: clock.formatted,
    exp.StrToDate: clock.parsed,
    exp.StrToTime: clock.parsed,
    exp.TsOrDsToDate: clock.as_date,
    exp.TsOrDsToTimestamp: clock.as_date_or_moment,
    exp.TimeStrToTime: clock.as_date_or_moment,
    exp.TsOrDsToDatetime: clock.as_date_or_moment,
    exp.Date: clock.as_date,
    exp.DateFromParts: clock.date_parts,
    **aggregates.HANDLERS,
    **arithmetic.HANDLERS,
    **dict.fromkeys(BOOLEAN, _truth),
}
"""The handlers of expressions, by the kind of node."""
