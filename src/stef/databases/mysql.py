"""MySQL and MariaDB, through PyMySQL."""

import contextlib
import re
import threading
from collections.abc import Callable
from typing import Any

from stef.databases.failures import NOT_READING
from stef.databases.manners import Trouble, shut_down
from stef.databases.protocol import Limits
from stef.records.result import FailureKind

_KINDS = {
    **dict.fromkeys((1064, 1149), FailureKind.SYNTAX),
    **dict.fromkeys((1051, 1109, 1146), FailureKind.UNKNOWN_TABLE),
    1054: FailureKind.UNKNOWN_COLUMN,
    **dict.fromkeys((1317, 1969, 3024), FailureKind.TIMEOUT),
    **dict.fromkeys((1290, 1792, 1836), FailureKind.NOT_ONE_QUERY),
    **dict.fromkeys((0, 1040, 1053, 1927, 2002, 2003, 2005, 2006, 2013, 2055), FailureKind.DATABASE_DOWN),
}
_LOGIN = frozenset({1044, 1045, 1049, 1698})
_KILL_SECONDS = 2
_UNKNOWN_VARIABLE = 1193
_UNKNOWN = re.compile(r"Table '(?:[^'.]+\.)?([^']+)'|Unknown (?:column|table) '([^']+)'")


class MySQLManners:
    """A READ ONLY session and transaction; rows are read off the wire as they are fetched; KILL QUERY ends a query."""

    chunk = 500
    survives_cut = False

    def __init__(self, options: Callable[[], dict[str, Any]]) -> None:
        """`options` gives the driver's arguments for a further connection, for KILL."""
        self._options = options

    def connect(self, options: dict[str, Any]) -> Any:
        """A connection, in time: the driver's own limit ends before the server has said a word."""
        import pymysql  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

        connection = pymysql.connect(**options, defer_connect=True)
        timer = threading.Timer(float(options["connect_timeout"]), self.hang_up, (connection,))
        timer.daemon = True
        timer.start()
        try:
            connection.connect()
        finally:
            timer.cancel()
        return connection

    def prepare(self, connection: Any) -> None:
        """Nothing: values come as they should."""

    def begin(self, connection: Any, limits: Limits) -> None:
        """Read only, and the server's own limit: seconds in MariaDB, milliseconds in MySQL."""
        mariadb = "mariadb" in str(connection.get_server_info()).lower()
        limit = (
            f"max_statement_time = {limits.timeout:.6f}"
            if mariadb
            else f"max_execution_time = {max(1, round(limits.timeout * 1000))}"
        )
        with connection.cursor() as cursor:
            try:
                cursor.execute(f"SET SESSION {limit}")
            except Exception as error:
                # A server that speaks the protocol may lack the variable; KILL ends the query all the same.
                if not error.args or error.args[0] != _UNKNOWN_VARIABLE:
                    raise
            # In MariaDB CREATE, DROP and such end the transaction first, and run outside of it.
            cursor.execute("SET SESSION TRANSACTION READ ONLY")
            cursor.execute("START TRANSACTION READ ONLY")

    def cursor(self, connection: Any) -> Any:
        """A cursor that does not read ahead."""
        from pymysql.cursors import SSCursor  # type: ignore[import-untyped]  # noqa: PLC0415

        return connection.cursor(SSCursor)

    def cancel(self, connection: Any) -> None:
        """KILL QUERY, sent on a connection of its own."""
        with contextlib.suppress(Exception):
            other = self.connect({**self._options(), "connect_timeout": _KILL_SECONDS})
            try:
                with other.cursor() as cursor:
                    cursor.execute(f"KILL QUERY {int(connection.thread_id())}")
            finally:
                other.close()

    def hang_up(self, connection: Any) -> None:
        """The driver tells its socket to nobody."""
        with contextlib.suppress(Exception):
            shut_down(getattr(connection, "_sock").fileno())  # noqa: B009 - private, and there is no other way to it

    def abandon(self, cursor: Any) -> None:
        """The driver would read all that is left when the cursor is collected."""
        result = getattr(cursor, "_result", None)
        if result is not None:
            result.unbuffered_active = False

    def trouble(self, error: BaseException) -> Trouble:
        """By the server's number for the error."""
        number = error.args[0] if error.args and isinstance(error.args[0], int) else -1
        message = str(error.args[1]) if len(error.args) > 1 else str(error)
        if number in _LOGIN:
            return Trouble(FailureKind.DATABASE_DOWN, message, login=True)
        kind = _KINDS.get(number, FailureKind.EXECUTION)
        if kind is FailureKind.NOT_ONE_QUERY:
            message = f"{NOT_READING}: {message}"
        unknown = _UNKNOWN.search(message)
        return Trouble(kind, message, (unknown[1] or unknown[2]) if unknown else "")
