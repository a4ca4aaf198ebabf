"""What makes a query give another answer tomorrow, on the same data: today's date, and chance."""

from collections.abc import Callable

from sqlglot import exp
from sqlglot.errors import SqlglotError

from stef.records.reading import Unreadable
from stef.sql.parse import parse

_CLOCKS = (
    exp.CurrentDate,
    exp.CurrentDatetime,
    exp.CurrentTime,
    exp.CurrentTimestamp,
    exp.CurrentTimestampLTZ,
    exp.Localtime,
    exp.Localtimestamp,
    exp.UtcDate,
    exp.UtcTime,
    exp.UtcTimestamp,
)
_CLOCK_NAMES = frozenset(
    {
        *("NOW", "GETDATE", "GETUTCDATE", "SYSDATE", "SYSDATETIME", "SYSTIMESTAMP", "CURDATE", "CURTIME", "TODAY"),
        *("CLOCK_TIMESTAMP", "STATEMENT_TIMESTAMP", "TRANSACTION_TIMESTAMP", "UNIX_TIMESTAMP", "TIMEOFDAY"),
    }
)
_CHANCE = (exp.Rand, exp.Randn, exp.Uuid)
_SAID = (exp.EQ, exp.NEQ, exp.In, exp.Like, exp.ILike, exp.Alias)


def reads_clock(sql: str, dialect: str | None) -> str | None:
    """The first expression that reads the clock, as SQL; None where there is none, or the query cannot be read."""
    return _first(sql, dialect, _is_clock)


def draws_lots(sql: str, dialect: str | None) -> str | None:
    """The first expression that gives something else each time, as SQL."""
    return _first(sql, dialect, lambda node: isinstance(node, _CHANCE))


def _first(sql: str, dialect: str | None, wanted: Callable[[exp.Expr], bool]) -> str | None:
    parsed = parse(sql, dialect)
    if isinstance(parsed, Unreadable):
        return None
    try:
        found = next((node for node in parsed.tree.walk() if wanted(node)), None)
        return None if found is None else _call_around(found).sql(dialect=parsed.dialect, comments=False)
    except (SqlglotError, RecursionError):
        return None


def _call_around(node: exp.Expr) -> exp.Expr:
    """The outermost of the calls that `node` stands in: `date('now')`, not `'now'` alone."""
    while isinstance(node.parent, exp.Func) and not isinstance(node.parent, exp.AggFunc | exp.Connector):
        node = node.parent
    return node


def _is_clock(node: exp.Expr) -> bool:
    if isinstance(node, _CLOCKS):
        return True
    if isinstance(node, exp.Anonymous):
        return node.name.upper() in _CLOCK_NAMES or (node.name.upper() == "AGE" and len(node.expressions) == 1)
    # SQLite: date('now', …), strftime('%Y', 'now')
    return (
        isinstance(node, exp.Literal)
        and bool(node.is_string)
        and node.name.strip().casefold() == "now"
        and not isinstance(node.parent, _SAID)
    )
