"""DuckDB files, opened read-only and without a way out of them."""

import re
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from stef.databases.duckdb_catalogue import read_catalogue
from stef.databases.failures import NOT_READING, near_names, one_line, timed_out
from stef.databases.fetching import OutOfTimeError, fetch
from stef.databases.guard import admit
from stef.databases.pool import Pool
from stef.databases.protocol import STANDARD_LIMITS, Limits
from stef.databases.watchdog import Watchdog
from stef.errors import StefError, UserError
from stef.records.live import LiveSchema
from stef.records.result import Failure, FailureKind, Result

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_NAMED_TABLE = re.compile(r"Table with name (\S+) does not exist")
_NAMED_COLUMN = re.compile(
    r'(?:Referenced column|Values list "[^"]*" does not have a column named|column named) "([^"]+)"'
)


class DuckDBDatabase:
    """One DuckDB file. Each query has a cursor to itself.

    Nothing outside of the file can be read or written: no other file, no network, no extension that is not there
    already, and no statement can change that. What a query spills goes to the system's folder for temporary files.
    """

    dialect = "duckdb"

    def __init__(self, path: Path, watchdog: Watchdog | None = None) -> None:
        """Raises UserError where there is no such file or no database in it, StefError where a process holds it."""
        import duckdb  # noqa: PLC0415 - heavy

        if not path.is_file():
            raise UserError(
                f"{path}: no such file, and none is created; a URL is duckdb:///relative/path or duckdb:////absolute/path"
            )
        self.name = f"duckdb:///{path}"
        self._watchdog = watchdog or Watchdog()
        self._schema: LiveSchema | None = None
        try:
            self._connection = duckdb.connect(str(path), read_only=True, config=_settings())
        except duckdb.Error as error:
            kind = StefError if "lock" in str(error) else UserError
            raise kind(f"{path}: cannot be opened as a DuckDB database ({one_line(str(error))})") from error
        self._pool: Pool[DuckDBPyConnection] = Pool(self._connection.cursor, _close)

    def run(self, sql: str, limits: Limits = STANDARD_LIMITS) -> Result | Failure:
        """What the one query in `sql` gives, or why it gives nothing."""
        import duckdb  # noqa: PLC0415 - heavy

        admitted = admit(sql, "duckdb")
        if isinstance(admitted, Failure):
            return admitted
        started = time.monotonic()
        try:
            cursor = self._pool.take()
        except duckdb.Error as error:
            return Failure(FailureKind.DATABASE_DOWN, f"{self.name}: {one_line(str(error))}")
        outcome, keep = self._ask(cursor, admitted, limits, started + limits.timeout)
        (self._pool.give_back if keep else self._pool.drop)(cursor)
        return replace(outcome, seconds=time.monotonic() - started)

    def _ask(
        self, cursor: "DuckDBPyConnection", sql: str, limits: Limits, deadline: float
    ) -> tuple[Result | Failure, bool]:
        """What the query gives, and is the cursor free again: one with rows to come goes on holding its query."""
        import duckdb  # noqa: PLC0415 - heavy

        watch = self._watchdog.start(deadline, lambda _call: cursor.interrupt())
        outcome: Result | Failure
        try:
            if objection := _objection(cursor, sql):
                return objection, True
            cursor.execute(sql)
            names = tuple([column[0] for column in cursor.description or ()])
            outcome = Result(names, *fetch(cursor, len(names), limits, deadline))
        except OutOfTimeError:
            outcome = timed_out(limits.timeout)
        except (duckdb.Error, ValueError, TypeError, OverflowError, RuntimeError, MemoryError) as error:
            outcome = self._failure(error)
        finally:
            late = self._watchdog.stop(watch)
        return (timed_out(limits.timeout) if late else outcome), isinstance(outcome, Result) and not outcome.cut

    def schema(self) -> LiveSchema:
        """Tables and views as the catalogue states them, read once. Raises StefError."""
        import duckdb  # noqa: PLC0415 - heavy

        if self._schema is None:
            try:
                cursor = self._pool.take()
                try:
                    self._schema = read_catalogue(cursor)
                finally:
                    self._pool.give_back(cursor)
            except duckdb.Error as error:
                raise StefError(f"{self.name}: the catalogue cannot be read: {one_line(str(error))}") from error
        return self._schema

    def close(self) -> None:
        """Close all connections; those of running queries as these end."""
        self._pool.close()
        self._connection.close()

    def _failure(self, error: Exception) -> Failure:
        import duckdb  # noqa: PLC0415 - heavy

        message = one_line(str(error).split("\n\nLINE ")[0])
        if isinstance(error, duckdb.ParserException):
            return Failure(FailureKind.SYNTAX, message)
        if found := _NAMED_TABLE.search(message):
            return Failure(FailureKind.UNKNOWN_TABLE, message, self._near(found[1], columns=False))
        if isinstance(error, duckdb.BinderException) and (found := _NAMED_COLUMN.search(message)):
            return Failure(FailureKind.UNKNOWN_COLUMN, message, self._near(found[1], columns=True))
        if isinstance(error, duckdb.PermissionException) or "read-only mode" in message:
            return Failure(FailureKind.NOT_ONE_QUERY, f"{NOT_READING}: {message}")
        if isinstance(error, (duckdb.IOException, duckdb.FatalException, duckdb.ConnectionException)):
            return Failure(FailureKind.DATABASE_DOWN, message)
        return Failure(FailureKind.EXECUTION, message)

    def _near(self, name: str, *, columns: bool) -> tuple[str, ...]:
        try:
            return near_names(name, self.schema(), columns=columns)
        except StefError:
            return ()


def _settings() -> dict[str, str | bool | int | float | list[str]]:
    return {
        "enable_external_access": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "allow_persistent_secrets": "false",
        "temp_directory": str(Path(tempfile.gettempdir()) / "stef-duckdb"),
        "lock_configuration": "true",
    }


def _objection(cursor: "DuckDBPyConnection", sql: str) -> Failure | None:
    """What DuckDB's own parser says against a statement; text that it cannot parse is left to fail as such."""
    import duckdb  # noqa: PLC0415 - heavy

    try:
        statements = cursor.extract_statements(sql)
    except (duckdb.Error, TypeError):  # TypeError: a lone surrogate
        return None
    if len(statements) != 1:
        return Failure(FailureKind.NOT_ONE_QUERY, f"{len(statements)} statements")
    kind = statements[0].type
    # MULTI is a PIVOT that asks the data for its columns first.
    if kind in (duckdb.StatementType.SELECT, duckdb.StatementType.MULTI):
        return None
    return Failure(FailureKind.NOT_ONE_QUERY, f"{kind.name} is no query")


def _close(cursor: "DuckDBPyConnection") -> None:
    cursor.close()
