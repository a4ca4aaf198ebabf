"""SQLite files, opened read-only."""

import sqlite3
import time
from pathlib import Path
from urllib.parse import quote

from stef.databases.failures import near_names
from stef.databases.fetching import OutOfTimeError, fetch
from stef.databases.guard import admit
from stef.databases.pool import Pool
from stef.databases.protocol import STANDARD_LIMITS, Limits
from stef.databases.sqlite_catalogue import read_catalogue
from stef.databases.watchdog import Watchdog
from stef.errors import StefError, UserError
from stef.records.live import LiveSchema
from stef.records.result import Failure, FailureKind, Result

_LONGEST_VALUE = 64 * 1024 * 1024


class SqliteDatabase:
    """One SQLite file. Every connection is opened `mode=ro` and refuses what an authorizer does not know as reading."""

    dialect = "sqlite"

    def __init__(self, path: Path, watchdog: Watchdog | None = None) -> None:
        """Raises UserError where there is no such file, or no database in it."""
        if not path.is_file():
            raise UserError(
                f"{path}: no such file; nothing is created. A SQLite URL is sqlite:///relative or sqlite:////absolute"
            )
        self.name = f"sqlite:///{path}"
        self._path = path
        self._watchdog = watchdog or Watchdog()
        self._pool: Pool[sqlite3.Connection] = Pool(self._connect, sqlite3.Connection.close)
        self._schema: LiveSchema | None = None
        try:
            connection = self._connect()
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error as error:
            raise UserError(f"{path}: no SQLite database ({error})") from error
        self._pool.give_back(connection)

    def run(self, sql: str, limits: Limits = STANDARD_LIMITS) -> Result | Failure:
        """What the one query in `sql` gives, or why it gives nothing."""
        admitted = admit(sql, self.dialect)
        if isinstance(admitted, Failure):
            return admitted
        started = time.monotonic()
        try:
            connection = self._pool.take()
        except sqlite3.Error as error:
            return Failure(FailureKind.DATABASE_DOWN, f"{self.name}: {error}")
        watch = self._watchdog.start(limits.timeout, connection.interrupt)
        failure: Failure | None = None
        try:
            cursor = connection.execute(admitted)
            names = tuple([column[0] for column in cursor.description or ()])
            columns, rows, cut = fetch(cursor, len(names), limits, started + limits.timeout)
            cursor.close()
        except (sqlite3.Error, OutOfTimeError, UnicodeDecodeError, OverflowError) as error:
            failure = self._failed(error, limits)
        finally:
            late = self._watchdog.stop(watch)
            self._pool.give_back(connection)
        seconds = time.monotonic() - started
        if late:
            return Failure(FailureKind.TIMEOUT, f"ended after {limits.timeout:g} s", seconds=seconds)
        if failure is not None:
            return failure
        return Result(names, columns, rows, cut, seconds)

    def schema(self) -> LiveSchema:
        """Tables and views as the catalogue states them, read once."""
        if self._schema is None:
            connection = self._pool.take()
            try:
                self._schema = read_catalogue(connection)
            except sqlite3.Error as error:
                raise StefError(f"{self.name}: the catalogue cannot be read: {error}") from error
            finally:
                self._pool.give_back(connection)
        return self._schema

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    def _connect(self) -> sqlite3.Connection:
        uri = f"file:{quote(str(self._path.absolute()))}?mode=ro"
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None)
        connection.execute("PRAGMA query_only = ON")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
        return connection

    def _failed(self, error: Exception, limits: Limits) -> Failure:
        message = str(error)
        if isinstance(error, OutOfTimeError):
            return Failure(FailureKind.TIMEOUT, f"ended after {limits.timeout:g} s")
        if message.startswith("no such table: "):
            near = near_names(message.removeprefix("no such table: "), self.schema(), columns=False)
            return Failure(FailureKind.UNKNOWN_TABLE, message, near)
        if message.startswith("no such column: "):
            near = near_names(message.removeprefix("no such column: "), self.schema(), columns=True)
            return Failure(FailureKind.UNKNOWN_COLUMN, message, near)
        if "syntax error" in message:
            return Failure(FailureKind.SYNTAX, message)
        return Failure(FailureKind.EXECUTION, message)
