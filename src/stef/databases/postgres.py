"""PostgreSQL, through psycopg."""

import contextlib
import re
from typing import Any

from stef.databases.failures import NOT_READING
from stef.databases.manners import Trouble, shut_down
from stef.databases.protocol import Limits
from stef.records.result import FailureKind

_CANCEL_SECONDS = 2.0

_KINDS = {
    "42601": FailureKind.SYNTAX,
    "42P01": FailureKind.UNKNOWN_TABLE,
    "42703": FailureKind.UNKNOWN_COLUMN,
    "57014": FailureKind.TIMEOUT,
    "25001": FailureKind.NOT_ONE_QUERY,
    "25006": FailureKind.NOT_ONE_QUERY,
    "53300": FailureKind.DATABASE_DOWN,
    "57P01": FailureKind.DATABASE_DOWN,
    "57P02": FailureKind.DATABASE_DOWN,
    "57P03": FailureKind.DATABASE_DOWN,
    "57P05": FailureKind.DATABASE_DOWN,
}
_LOGIN = re.compile(
    r"authentication failed|no password supplied|no pg_hba\.conf entry|(?:role|user|database) \"[^\"]*\" does not exist"
)
_UNKNOWN = re.compile(r'(?:relation|column|table) "?([^"\s]+)"?')


class PostgresManners:
    """Each query is declared as a cursor, which takes one query and no other statement, in a READ ONLY transaction."""

    chunk = 5_000
    survives_cut = True

    def prepare(self, connection: Any) -> None:
        """Let dates outside of Python's calendar (infinity, before year 1) come as the server's text."""
        from psycopg import DataError  # noqa: PLC0415 - a driver is imported where it is used
        from psycopg.types.datetime import DateLoader, TimestampLoader, TimestamptzLoader  # noqa: PLC0415

        for type_name, loader in (
            ("date", DateLoader),
            ("timestamp", TimestampLoader),
            ("timestamptz", TimestamptzLoader),
        ):
            connection.adapters.register_loader(type_name, _or_text(loader, DataError))

    def begin(self, connection: Any, limits: Limits) -> None:
        """Read only, the time limit, and a plan for all rows, as a cursor's is made for the first few."""
        milliseconds = max(1, round(limits.timeout * 1000))
        with connection.cursor() as cursor:
            cursor.execute(
                f"SET TRANSACTION READ ONLY; SET LOCAL statement_timeout = {milliseconds}; "
                "SET LOCAL cursor_tuple_fraction = 1"
            )

    def cursor(self, connection: Any) -> Any:
        """A cursor on the server."""
        return connection.cursor(name="stef_query")

    def cancel(self, connection: Any) -> None:
        """Ask the server to end the query."""
        with contextlib.suppress(Exception):
            connection.cancel_safe(timeout=_CANCEL_SECONDS)

    def hang_up(self, connection: Any) -> None:
        """While it plans, a server does not hear that it is to end a query."""
        with contextlib.suppress(Exception):
            shut_down(connection.pgconn.socket)

    def abandon(self, cursor: Any) -> None:
        """Nothing: a cursor on the server ends with its connection."""

    def trouble(self, error: BaseException) -> Trouble:
        """By SQLSTATE; an error without one is of the connection."""
        state = getattr(error, "sqlstate", None) or ""
        diagnosis = getattr(error, "diag", None)
        message = getattr(diagnosis, "message_primary", None) or str(error)
        kind = _KINDS.get(state, FailureKind.EXECUTION)
        if state.startswith("08") or (not state and type(error).__name__ in ("OperationalError", "InterfaceError")):
            kind = FailureKind.DATABASE_DOWN
        if kind is FailureKind.NOT_ONE_QUERY:
            message = f"{NOT_READING}: {message}"
        unknown = _UNKNOWN.search(message) if kind in (FailureKind.UNKNOWN_TABLE, FailureKind.UNKNOWN_COLUMN) else None
        login = state[:2] in ("28", "3D") or (kind is FailureKind.DATABASE_DOWN and bool(_LOGIN.search(message)))
        return Trouble(kind, message, unknown[1] if unknown else "", login)


def _or_text(loader: type[Any], no_such_date: type[Exception]) -> type[Any]:
    """A loader as `loader`, which gives text where Python has no such date."""

    def load(self: Any, data: Any) -> Any:
        try:
            return loader.load(self, data)
        except no_such_date:
            return bytes(data).decode()

    return type(f"{loader.__name__}OrText", (loader,), {"load": load})
