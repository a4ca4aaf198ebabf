"""Date and time functions of all dialects in one canonical form, and points in time relative to now."""

import re
from contextlib import suppress
from datetime import datetime
from typing import Any

from sqlglot import exp

from stef.records.expressions import Binary, Expr, Func, Literal, Relative
from stef.sql.literals import parse_moment
from stef.sql.walk import Node, Walk

UNITS = frozenset({"second", "minute", "hour", "day", "week", "month", "quarter", "year"})
_UNIT_NAMES = {
    "yy": "year",
    "yyyy": "year",
    "qq": "quarter",
    "q": "quarter",
    "mm": "month",
    "mon": "month",
    "dd": "day",
    "d": "day",
    "wk": "week",
    "ww": "week",
    "hh": "hour",
    "mi": "minute",
    "ss": "second",
    "yr": "year",
    "isoyear": "year",
    "isoweek": "week",
    "weekiso": "week",
}
_PARTS = {
    "dow": "WEEKDAY",
    "dayofweek": "WEEKDAY",
    "isodow": "WEEKDAY",
    "weekday": "WEEKDAY",
    "doy": "DAYOFYEAR",
    "dayofyear": "DAYOFYEAR",
    "epoch": "EPOCH",
}
_FORMAT_PARTS = {
    "%Y": "YEAR",
    "%m": "MONTH",
    "%-m": "MONTH",
    "%d": "DAY",
    "%-d": "DAY",
    "%H": "HOUR",
    "%M": "MINUTE",
    "%S": "SECOND",
    "%w": "WEEKDAY",
    "%u": "WEEKDAY",
    "%j": "DAYOFYEAR",
    "%W": "WEEK",
    "%U": "WEEK",
    "%V": "WEEK",
}
_ORACLE_FORMATS = (
    ("YYYY", "%Y"),
    ("yyyy", "%Y"),
    ("MM", "%m"),
    ("mm", "%m"),
    ("DD", "%d"),
    ("dd", "%d"),
    ("HH24", "%H"),
)
NOW = Relative("day", 0, None)
TODAY = Relative("day", 0, "day")

_WRAPPERS = (
    exp.TsOrDsToDate,
    exp.TsOrDsToTimestamp,
    exp.TsOrDsToDatetime,
    exp.TimeStrToTime,
    exp.TimeStrToDate,
    exp.TsOrDsToTime,
    exp.DateStrToDate,
)
_MODIFIER = re.compile(r"\s*([+-]?\s*\d+)\s*(second|minute|hour|day|month|year)s?\s*", re.IGNORECASE)


def unit_of(node: Any) -> str:
    """The singular lower-case name of a time unit."""
    text = node if isinstance(node, str) else node.name if isinstance(node, exp.Expr) else ""
    name = text.lower().strip()
    if isinstance(node, exp.WeekStart):
        return "week"
    name = _UNIT_NAMES.get(name, name)
    return name[:-1] if name.endswith("s") and name[:-1] in UNITS else name


def moment_expr(walk: Walk, node: Node) -> Expr:
    """The time that stands in `node`, without the wrappers that parsers put around it."""
    while isinstance(node, (*_WRAPPERS, exp.Paren)):
        node = node.args["this"]
    if type(node) is exp.Cast and not isinstance(node.args["this"], exp.Literal):
        kind = node.args["to"].this
        if kind in _MOMENT_TYPES and kind is not exp.DType.DATE:
            return moment_expr(walk, node.args["this"])
    return as_moment(walk.expr(node))


_T = exp.DType
_MOMENT_TYPES = frozenset(
    {
        _T.DATE,
        _T.TIMESTAMP,
        _T.TIMESTAMPTZ,
        _T.TIMESTAMPLTZ,
        _T.TIMESTAMPNTZ,
        _T.DATETIME,
        _T.DATETIME2,
        _T.SMALLDATETIME,
        _T.TEXT,
        _T.VARCHAR,
    }
)


def as_moment(expr: Expr) -> Expr:
    """A text constant that writes a date or timestamp (or SQLite's 'now') as that point in time."""
    if type(expr) is Literal and expr.quoted and isinstance(expr.value, str):
        if expr.value == "now":
            return Literal(NOW, expr.text, span=expr.span)
        moment = parse_moment(expr.text)
        if moment is not None:
            return Literal(moment[0], expr.text, span=expr.span)
    return expr


def floor(expr: Expr, unit: str) -> Expr:
    """`expr` cut down to the start of its `unit`."""
    if type(expr) is Literal:
        value = expr.value
        if isinstance(value, Relative):
            cut = _floor_relative(value, unit)
            if cut is not None:
                return Literal(cut, expr.text, span=expr.span)
        elif isinstance(value, datetime):
            return Literal(floor_moment(value, unit), expr.text, span=expr.span)
    return Func("DATE_TRUNC", (Literal(unit, unit, quoted=True), expr))


def _floor_relative(value: Relative, unit: str) -> Relative | None:
    order = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")
    if unit not in order:
        return None
    if value.floor is not None and order.index(value.floor) > order.index(unit):
        return value
    if value.offset == 0:
        return Relative(unit, 0, unit)
    return Relative(value.unit, value.offset, unit)


def floor_moment(value: datetime, unit: str) -> datetime:
    """The start of the `unit` in which `value` lies; `value` itself for a unit that is no calendar period."""
    match unit:
        case "year":
            return datetime(value.year, 1, 1)
        case "quarter":
            return datetime(value.year, (value.month - 1) // 3 * 3 + 1, 1)
        case "month":
            return datetime(value.year, value.month, 1)
        case "day":
            return datetime(value.year, value.month, value.day)
        case _:
            return value


def shift(expr: Expr, count: int, unit: str) -> Expr:
    """`expr` moved by `count` `unit`s, where it is a point relative to now; else as a function."""
    if type(expr) is Literal and isinstance(expr.value, Relative) and unit in UNITS:
        value = expr.value
        if value.offset == 0 or value.unit == unit:
            offset = value.offset + count if value.unit == unit else count
            return Literal(Relative(unit, offset, value.floor), expr.text, span=expr.span)
    sign = "+" if count >= 0 else "-"
    return Binary(sign, expr, interval_func(Literal(abs(count), str(abs(count))), unit))


def interval_func(count: Expr, unit: str) -> Expr:
    """A stretch of time."""
    return Func("INTERVAL", (count, Literal(unit, unit, quoted=True)))


def read_interval(walk: Walk, node: exp.Interval) -> tuple[Expr, str]:
    """The length and unit of an INTERVAL."""
    unit = node.args.get("unit")
    this = node.args.get("this")
    if isinstance(this, exp.Literal) and this.is_string:
        words = this.this.split()
        name = unit_of(unit) if unit is not None else unit_of(words[1]) if len(words) > 1 else ""
        try:
            count = int(words[0])
        except (ValueError, IndexError):
            return walk.expr(this), name
        return Literal(count, words[0]), name
    return (walk.expr(this) if isinstance(this, exp.Expr) else Literal(1, "1")), unit_of(unit)


def interval(walk: Walk, node: exp.Interval) -> Expr:
    """INTERVAL as an expression."""
    return interval_func(*read_interval(walk, node))


def moved(walk: Walk, base: Expr, node: Node, unit: str, sign: int) -> Expr:
    """`base` moved by the length that `node` writes, in `unit`s (or in its own), forwards or backwards."""
    if isinstance(node, exp.Interval):
        length, unit = read_interval(walk, node)
    else:
        length = walk.expr(node)
        if type(length) is Literal and length.quoted:
            with suppress(ValueError):
                length = Literal(int(str(length.value)), length.text)
    if type(length) is Literal and type(length.value) is int:
        return shift(base, sign * length.value, unit)
    return Binary("+" if sign > 0 else "-", base, interval_func(length, unit))


def date_add(walk: Walk, node: Node) -> Expr:
    """DATE_ADD, DATEADD and their kin."""
    args = node.args
    unit = unit_of(args.get("unit")) or "day"
    return moved(walk, moment_expr(walk, args["this"]), args["expression"], unit, 1)


def date_sub(walk: Walk, node: Node) -> Expr:
    """DATE_SUB and its kin."""
    args = node.args
    unit = unit_of(args.get("unit")) or "day"
    return moved(walk, moment_expr(walk, args["this"]), args["expression"], unit, -1)


def date_diff(walk: Walk, node: Node) -> Expr:
    """DATEDIFF and its kin: the time from `args[2]` to `args[1]` in units of `args[0]`."""
    unit = unit_of(node.args.get("unit")) or "day"
    return Func(
        "DATEDIFF",
        (
            Literal(unit, unit, quoted=True),
            moment_expr(walk, node.args["this"]),
            moment_expr(walk, node.args["expression"]),
        ),
    )


def now(_walk: Walk, _node: Node) -> Expr:
    """The current timestamp."""
    return Literal(NOW, "now")


def today(_walk: Walk, _node: Node) -> Expr:
    """The current date."""
    return Literal(TODAY, "today")


def trunc(walk: Walk, node: Node) -> Expr:
    """DATE_TRUNC and its kin."""
    return floor(moment_expr(walk, node.args["this"]), unit_of(node.args.get("unit")))


def as_date(walk: Walk, node: Node) -> Expr:
    """DATE(x), CAST(x AS DATE), TO_DATE(x)."""
    return date_of(moment_expr(walk, node.args["this"]))


def as_date_or_moment(walk: Walk, node: Node) -> Expr:
    """A wrapper that turns text into a timestamp."""
    return moment_expr(walk, node)


def date_of(expr: Expr) -> Expr:
    """The day in which `expr` lies."""
    if type(expr) is Literal and isinstance(expr.value, datetime | Relative):
        return floor(expr, "day")
    if type(expr) is Func and expr.name in ("DATE", "DATE_TRUNC"):
        return expr
    return Func("DATE", (expr,))


def date_parts(walk: Walk, node: Node) -> Expr:
    """DATE(2024, 3, 1) and its kin."""
    parts = [
        walk.expr(node.args[name]) for name in ("year", "month", "day") if isinstance(node.args.get(name), exp.Expr)
    ]
    numbers = [part.value for part in parts if type(part) is Literal and type(part.value) is int]
    if len(numbers) == 3:
        try:
            return Literal(datetime(*numbers), "-".join(map(str, numbers)))  # type: ignore[arg-type]
        except (ValueError, OverflowError):
            pass
    return Func("DATE_FROM_PARTS", tuple(parts))


def part(name: str) -> Any:
    """The handler of YEAR(x), MONTH(x), …"""

    def read(walk: Walk, node: Node) -> Expr:
        return part_of(name, moment_expr(walk, node.args["this"]))

    return read


def part_of(name: str, expr: Expr) -> Expr:
    """A part of a time; that of a day is that of the time in it."""
    if type(expr) is Func and expr.name == "DATE" and name in ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "WEEKDAY"):
        expr = expr.args[0]
    if type(expr) is Literal and isinstance(expr.value, datetime) and name in ("YEAR", "MONTH", "DAY"):
        value = getattr(expr.value, name.lower())
        return Literal(value, str(value), span=expr.span)
    return Func(name, (expr,))


def extract(walk: Walk, node: exp.Extract) -> Expr:
    """EXTRACT(part FROM x), DATE_PART, DATEPART."""
    name = unit_of(node.args["this"])
    expr = moment_expr(walk, node.args["expression"])
    if name == "date":
        return date_of(expr)
    return part_of(_PARTS.get(name, name.upper()), expr)


def formatted(walk: Walk, node: Node) -> Expr:
    """strftime, DATE_FORMAT, TO_CHAR, FORMAT: a part of the time where the format writes just one."""
    fmt = node.args.get("format")
    if not isinstance(fmt, exp.Expr):
        return walk.expr(node.args["this"])
    pattern = fmt.this if isinstance(fmt, exp.Literal) else ""
    expr = moment_expr(walk, node.args["this"])
    if not isinstance(pattern, str) or not pattern:
        return Func("DATE_FORMAT", (expr, walk.expr(fmt)))
    return format_of(expr, pattern)


def format_of(expr: Expr, pattern: str) -> Expr:
    """A time written by a strftime (or Oracle-like) pattern."""
    if "%" not in pattern:
        for oracle, python in _ORACLE_FORMATS:
            pattern = pattern.replace(oracle, python)
    pattern = pattern.replace("%F", "%Y-%m-%d")
    name = _FORMAT_PARTS.get(pattern)
    if name is not None:
        return part_of(name, expr)
    if pattern == "%Y-%m-%d":
        return date_of(expr)
    return Func("DATE_FORMAT", (expr, Literal(pattern, pattern, quoted=True)))


def parsed(walk: Walk, node: Node) -> Expr:
    """STR_TO_DATE, TO_DATE(x, format), PARSE_DATE: the constant's date, else the text itself as a time."""
    expr = walk.expr(node.args["this"])
    fmt = node.args.get("format")
    if type(expr) is Literal and expr.quoted:
        moment = as_moment(expr)
        if moment is not expr:
            return moment
        if isinstance(fmt, exp.Literal) and isinstance(fmt.this, str):
            try:
                return Literal(datetime.strptime(expr.text, fmt.this), expr.text, span=expr.span)
            except (ValueError, re.error):
                return expr
    return expr


def sqlite_time(walk: Walk, node: exp.Anonymous, name: str) -> Expr | None:
    """SQLite's date(x, modifier…), datetime(…) and strftime(format, x, modifier…); None for another function."""
    args = list(node.args.get("expressions") or ())
    if name == "strftime":
        if len(args) < 2 or not isinstance(args[0], exp.Literal):
            return None
        moment = _modified(walk, args[1], args[2:])
        return None if moment is None else format_of(moment, str(args[0].this))
    moment = _modified(walk, args[0], args[1:]) if args else Literal(NOW, "now")
    if moment is None:
        return None
    return date_of(moment) if name == "date" else moment


def _modified(walk: Walk, node: Node, modifiers: list[Node]) -> Expr | None:
    result = moment_expr(walk, node)
    for modifier in modifiers:
        if not isinstance(modifier, exp.Literal):
            return None
        text = str(modifier.this)
        match = _MODIFIER.fullmatch(text)
        if match is not None:
            result = shift(result, int(match[1].replace(" ", "")), match[2].lower())
        elif text.lower().startswith("start of "):
            result = floor(result, text.lower().removeprefix("start of ").strip())
        elif text.lower() not in ("localtime", "utc", "unixepoch", "auto"):
            return None
    return result


NOW_NAMES = frozenset(
    {"now", "getdate", "sysdate", "sysdatetime", "getutcdate", "current_timestamp", "systimestamp", "localtimestamp"}
)
TODAY_NAMES = frozenset({"today", "curdate", "current_date"})


def anonymous(walk: Walk, node: exp.Anonymous) -> Expr | None:
    """A time function that sqlglot does not know by name; None for any other function."""
    name = node.this.lower() if isinstance(node.this, str) else ""
    if name in ("date", "datetime", "strftime"):
        return sqlite_time(walk, node, name)
    args: list[Node] = node.args.get("expressions") or []
    if not args:
        if name in NOW_NAMES:
            return Literal(NOW, "now")
        if name in TODAY_NAMES:
            return Literal(TODAY, "today")
    if name in ("date_part", "datepart") and len(args) == 2:
        unit = unit_of(args[0])
        return part_of(_PARTS.get(unit, unit.upper()), moment_expr(walk, args[1]))
    if name in ("to_timestamp", "to_date", "timestamp", "datetime") and len(args) == 1:
        return moment_expr(walk, args[0])
    return None
