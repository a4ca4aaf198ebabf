"""Every engine that has no module of its own here: what the driver offers, and the guard."""

import contextlib
import re
from typing import Any

from stef.databases.manners import Trouble
from stef.databases.protocol import Limits
from stef.records.result import FailureKind

_BEGIN = {
    "postgres": ("SET TRANSACTION READ ONLY",),
    "redshift": ("SET TRANSACTION READ ONLY",),
    "oracle": ("SET TRANSACTION READ ONLY",),
    "mysql": ("SET SESSION TRANSACTION READ ONLY", "START TRANSACTION READ ONLY"),
    "sqlite": ("PRAGMA query_only = ON",),
}
_WORDS: tuple[tuple[FailureKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (FailureKind.SYNTAX, r"syntax|parse error|incorrect near|mismatched input|ORA-009\d\d"),
        (
            FailureKind.UNKNOWN_COLUMN,
            r"(?:no such column|unknown column|invalid column name|column)\W+(?P<name>[\w.]+)\W*"
            r"(?:$|does not exist|cannot)|invalid identifier|unrecognized name",
        ),
        (
            FailureKind.UNKNOWN_TABLE,
            r"(?:no such table|unknown table|invalid object name|table|relation|object)\W+(?P<name>[\w.]+)\W*"
            r"(?:$|does not exist|not found)|ORA-00942|table not found",
        ),
        (FailureKind.TIMEOUT, r"time[d ]*out|interrupted|cancell?ed|ORA-01013"),
        (FailureKind.NOT_ONE_QUERY, r"read[- ]?only"),
    )
)


class OtherManners:
    """Read only where one statement says so; in any case rolled back. Give such an engine a user who may only read."""

    chunk = 500
    survives_cut = False

    def __init__(self, dialect: str) -> None:
        """`dialect` is sqlglot's name."""
        self._begin = _BEGIN.get(dialect, ())

    def prepare(self, connection: Any) -> None:
        """Nothing: values come as the driver gives them."""

    def begin(self, connection: Any, limits: Limits) -> None:  # noqa: ARG002 - the limit is kept by `cancel`
        """Read only, where there is a statement for it."""
        for statement in self._begin:
            cursor = connection.cursor()
            cursor.execute(statement)
            cursor.close()

    def cursor(self, connection: Any) -> Any:
        """The driver's standard cursor."""
        return connection.cursor()

    def cancel(self, connection: Any) -> None:
        """What the driver has to end a query (`cancel`, `interrupt`); else the connection is closed under it."""
        with contextlib.suppress(Exception):
            for name in ("cancel", "interrupt", "close"):
                if callable(end := getattr(connection, name, None)):
                    end()
                    return

    def hang_up(self, connection: Any) -> None:
        """Close it."""
        with contextlib.suppress(Exception):
            connection.close()

    def abandon(self, cursor: Any) -> None:
        """Nothing that all drivers know."""

    def trouble(self, error: BaseException) -> Trouble:
        """By the words of the message, as drivers share no more."""
        message = str(error) or type(error).__name__
        if type(error).__name__ == "InterfaceError":
            return Trouble(FailureKind.DATABASE_DOWN, message)
        for kind, pattern in _WORDS:
            if found := pattern.search(message):
                return Trouble(kind, message, found.groupdict().get("name") or "")
        return Trouble(FailureKind.EXECUTION, message)
