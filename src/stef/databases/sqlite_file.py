"""SQLite files, opened read-only."""

import os
import sqlite3
import time
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from stef.databases.failures import NOT_READING, near_names, timed_out
from stef.databases.fetching import OutOfTimeError, fetch
from stef.databases.guard import admit
from stef.databases.pool import Pool
from stef.databases.protocol import STANDARD_LIMITS, Limits
from stef.databases.sqlite_catalogue import read_catalogue
from stef.databases.watchdog import Watchdog
from stef.errors import StefError, UserError
from stef.records.live import LiveSchema
from stef.records.result import Failure, FailureKind, Result

_LONGEST_VALUE = 16 * 1024 * 1024
"""Bytes of one value. A longer one (`zeroblob`, `printf('%1000000000d')`) is made in one step that nothing can end."""

_LOOKING_PRAGMAS = frozenset(
    {
        *("table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list"),
        *("database_list", "collation_list", "function_list", "encoding", "user_version"),
        *("data_version", "page_size"),  # asked by virtual tables
    }
)
_NOT_READING = frozenset(
    getattr(sqlite3, f"SQLITE_{action}")
    for action in (
        *("ATTACH", "DETACH", "TRANSACTION", "SAVEPOINT", "ALTER_TABLE", "REINDEX", "ANALYZE"),
        *("CREATE_INDEX", "CREATE_TABLE", "CREATE_TRIGGER", "CREATE_VIEW", "CREATE_VTABLE"),
        *("CREATE_TEMP_INDEX", "CREATE_TEMP_TABLE", "CREATE_TEMP_TRIGGER", "CREATE_TEMP_VIEW"),
        *("DROP_INDEX", "DROP_TABLE", "DROP_TRIGGER", "DROP_VIEW", "DROP_VTABLE"),
        *("DROP_TEMP_INDEX", "DROP_TEMP_TABLE", "DROP_TEMP_TRIGGER", "DROP_TEMP_VIEW"),
    )
)
_NOT_CALLED = frozenset({"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"})


def _authorize(action: int, first: str | None, second: str | None, _schema: str | None, _inner: str | None) -> int:
    """What a statement may do. INSERT, UPDATE and DELETE are left to the file's being read-only: a virtual table
    prepares such statements for itself when it is opened."""
    if action in _NOT_READING:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and second is not None and second.lower() in _NOT_CALLED:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_PRAGMA and (first or "").lower() not in _LOOKING_PRAGMAS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


_NOT_UTF8 = "Could not decode to UTF-8"


def _decode(text: bytes) -> str:
    """Text that is not UTF-8, as old files hold it: each odd byte as an escape, so that no two texts become one."""
    return text.decode("utf-8", "backslashreplace")


class SqliteDatabase:
    """One SQLite file. Each query has a connection to itself, opened `mode=ro`, with `query_only` and an authorizer."""

    dialect = "sqlite"

    def __init__(self, path: Path, watchdog: Watchdog | None = None) -> None:
        """Raises UserError where there is no such file, or no database in it."""
        if not path.is_file():
            raise UserError(
                f"{path}: no such file, and none is created; a URL is sqlite:///relative/path or sqlite:////absolute/path"
            )
        self.name = f"sqlite:///{path}"
        self._path = path
        self._watchdog = watchdog or Watchdog()
        self._pool: Pool[sqlite3.Connection] = Pool(self._connect, sqlite3.Connection.close)
        self._schema: LiveSchema | None = None
        try:
            self._pool.give_back(self._connect())
        except sqlite3.Error as error:
            raise UserError(f"{path}: cannot be opened as a SQLite database ({error})") from error

    def run(self, sql: str, limits: Limits = STANDARD_LIMITS) -> Result | Failure:
        """What the one query in `sql` gives, or why it gives nothing."""
        admitted = admit(sql, "sqlite")
        if isinstance(admitted, Failure):
            return admitted
        started = time.monotonic()
        try:
            connection = self._pool.take()
        except sqlite3.Error as error:
            return Failure(FailureKind.DATABASE_DOWN, f"{self.name}: {error}")
        outcome = self._ask(connection, admitted, limits, started)
        if isinstance(outcome, Failure) and _NOT_UTF8 in outcome.message:
            connection.text_factory = _decode
            outcome = self._ask(connection, admitted, limits, started)
            connection.text_factory = str
        self._pool.give_back(connection)
        return replace(outcome, seconds=time.monotonic() - started)

    def _ask(self, connection: sqlite3.Connection, sql: str, limits: Limits, started: float) -> Result | Failure:
        deadline = started + limits.timeout
        watch = self._watchdog.start(deadline, lambda _call: connection.interrupt())
        cursor = connection.cursor()
        outcome: Result | Failure
        try:
            cursor.execute(sql)
            names = tuple([column[0] for column in cursor.description or ()])
            outcome = Result(names, *fetch(cursor, len(names), limits, deadline))
        except OutOfTimeError:
            outcome = timed_out(limits.timeout)
        except (sqlite3.Error, ValueError, OverflowError, MemoryError) as error:
            outcome = self._failure(error)
        finally:
            # A statement that stays open holds the file's lock, and keeps an interruption in force for the next one.
            cursor.close()
            late = self._watchdog.stop(watch)
        return timed_out(limits.timeout) if late else outcome

    def schema(self) -> LiveSchema:
        """Tables and views as the catalogue states them, read once. Raises StefError."""
        if self._schema is None:
            try:
                connection = self._pool.take()
                try:
                    self._schema = read_catalogue(connection)
                finally:
                    self._pool.give_back(connection)
            except sqlite3.Error as error:
                raise StefError(f"{self.name}: the catalogue cannot be read: {error}") from error
        return self._schema

    def close(self) -> None:
        """Close all connections; those of running queries as these end."""
        self._pool.close()

    def _connect(self) -> sqlite3.Connection:
        try:
            return self._connect_as("mode=ro")
        except sqlite3.OperationalError:
            # A file in WAL mode wants to write beside itself. Where it cannot, it is taken as one that nobody changes.
            if os.access(self._path.parent, os.W_OK):
                raise
            return self._connect_as("mode=ro&immutable=1")

    def _connect_as(self, options: str) -> sqlite3.Connection:
        uri = f"file:{quote(str(self._path.absolute()))}?{options}"
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None)
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
            connection.set_authorizer(_authorize)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _failure(self, error: Exception) -> Failure:
        message = str(error) or type(error).__name__
        kind = FailureKind.EXECUTION
        near: tuple[str, ...] = ()
        start, _, name = message.partition(" - ")[0].partition(": ")
        if start == "no such table":
            kind, near = FailureKind.UNKNOWN_TABLE, self._near(name, columns=False)
        elif start == "no such column":
            kind, near = FailureKind.UNKNOWN_COLUMN, self._near(name, columns=True)
        elif message.endswith(("syntax error", "incomplete input")) or start == "unrecognized token":
            kind = FailureKind.SYNTAX
        elif "not authorized" in message or "prohibited" in message or "readonly" in message:
            kind, message = FailureKind.NOT_ONE_QUERY, f"{NOT_READING}: {message}"
        elif "disk I/O" in message or "unable to open" in message or "malformed" in message or "locked" in message:
            kind = FailureKind.DATABASE_DOWN
        return Failure(kind, message, near)

    def _near(self, name: str, *, columns: bool) -> tuple[str, ...]:
        try:
            return near_names(name, self.schema(), columns=columns)
        except StefError:
            return ()
