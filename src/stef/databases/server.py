"""Databases on a server, through SQLAlchemy: its URLs, drivers, pool and catalogue; queries run on the bare driver."""

import contextlib
import re
import threading
import time
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stef.databases.failures import near_names, one_line, timed_out
from stef.databases.fetching import OutOfTimeError, fetch
from stef.databases.guard import admit
from stef.databases.manners import Manners, Trouble
from stef.databases.mysql import MySQLManners
from stef.databases.other import OtherManners
from stef.databases.postgres import PostgresManners
from stef.databases.protocol import STANDARD_LIMITS, Limits
from stef.databases.server_catalogue import read_catalogue
from stef.databases.urls import parsed_url
from stef.databases.watchdog import Watchdog
from stef.errors import InputError, StefError, UserError
from stef.records.live import LiveSchema
from stef.records.result import Failure, FailureKind, Result
from stef.sql import check_dialect

if TYPE_CHECKING:
    from sqlalchemy.engine import URL, Engine
    from sqlalchemy.pool import PoolProxiedConnection

_MOST_IDLE = 8
_HANG_UP_AT = 3
_CONNECT_SECONDS = 10
_A_DAY = replace(STANDARD_LIMITS, timeout=86_400.0)
_SECRET = re.compile(r"pass|pwd|secret|token|key|credential", re.IGNORECASE)
_EXTRAS = {"psycopg": "postgres", "pymysql": "mysql"}


def open_server(url: str, watchdog: Watchdog | None = None) -> "ServerDatabase":
    """The database at a URL of SQLAlchemy's. Raises UserError (URL, driver, login, name) or StefError (it is down)."""
    database = ServerDatabase(parsed_url(url), watchdog)
    try:
        database.reach()
    except BaseException:
        database.close()
        raise
    return database


class ServerDatabase:
    """A database on a server. Each query runs in a transaction of its own, which is rolled back whatever comes."""

    def __init__(self, url: "URL", watchdog: Watchdog | None = None) -> None:
        """Connects to nothing yet. Raises UserError where there is no such driver."""
        self.dialect = _dialect(url.get_backend_name())
        self.name = _safe_name(url)
        self._hidden = _secrets(url)
        self._user = url.username or ""
        self._watchdog = watchdog or Watchdog()
        self._schema: LiveSchema | None = None
        self._closed = False
        self._engine = _engine(url)
        self._manners = _manners(self._engine, self.dialect)

    def reach(self) -> None:
        """Connect once. Raises UserError where the login or the database's name is wrong, else StefError."""
        try:
            self._engine.raw_connection().close()
        except Exception as error:  # drivers raise what they like, and only their words help
            cause = getattr(error, "orig", None) or error
            trouble = self._manners.trouble(cause)
            kind = UserError if trouble.login else StefError
            raise kind(f"{self.name}: {self._said(trouble.message, login=True)}") from None

    def run(self, sql: str, limits: Limits = STANDARD_LIMITS) -> Result | Failure:
        """What the one query in `sql` gives, or why it gives nothing."""
        admitted = admit(sql, self.dialect)
        if isinstance(admitted, Failure):
            return admitted
        asked = time.monotonic()
        try:
            connection = self._begin(limits)
        except Exception as error:  # whatever the driver says, there is no connection
            message = self._said(self._manners.trouble(getattr(error, "orig", None) or error).message, login=True)
            return Failure(FailureKind.DATABASE_DOWN, message, seconds=time.monotonic() - asked)
        started = time.monotonic()
        outcome = self._in_transaction(connection, admitted, limits)
        seconds = time.monotonic() - started
        # A server may answer an ended query with a value instead of an error (SLEEP, BENCHMARK).
        if seconds >= limits.timeout and not (
            isinstance(outcome, Failure) and outcome.kind is FailureKind.DATABASE_DOWN
        ):
            outcome = timed_out(limits.timeout)
        return replace(outcome, seconds=seconds)

    def stream(self, sql: str) -> Generator[Sequence[Any], None, None]:
        """The names of the columns of the one query in `sql`, then its rows, a batch at a time, however many they are.

        Raises UserError for what is no query, InputError for one that fails, StefError where the database is down.
        """
        admitted = admit(sql, self.dialect)
        if isinstance(admitted, Failure):
            raise UserError(f"{self.name}: no single query that only reads: {admitted.message}")
        connection: PoolProxiedConnection | None = None
        cursor: Any = None
        try:
            connection = self._begin(_A_DAY)
            cursor = self._manners.cursor(connection.dbapi_connection)
            cursor.execute(admitted)
            yield tuple([str(column[0]) for column in cursor.description or ()])
            while rows := cursor.fetchmany(self._manners.chunk):
                yield rows
        except Exception as error:  # drivers raise what they like
            trouble = self._manners.trouble(getattr(error, "orig", None) or error)
            kind = StefError if trouble.kind is FailureKind.DATABASE_DOWN else InputError
            raise kind(f"{self.name}: {self._said(trouble.message, login=connection is None)}") from None
        finally:
            if connection is not None:
                with contextlib.suppress(Exception):
                    self._manners.abandon(cursor)
                connection.invalidate()

    def schema(self) -> LiveSchema:
        """Tables and views as the catalogue states them, read once. Raises StefError."""
        if self._schema is None:
            try:
                self._schema = read_catalogue(self._engine, self.dialect)
            except Exception as error:  # any dialect's inspector, any driver
                message = self._said(self._manners.trouble(getattr(error, "orig", None) or error).message)
                raise StefError(f"{self.name}: the catalogue cannot be read: {message}") from None
        return self._schema

    def close(self) -> None:
        """Close all connections; those of running queries as these end."""
        self._closed = True
        self._engine.dispose()

    def _begin(self, limits: Limits) -> "PoolProxiedConnection":
        """A connection in a transaction that only reads; one that had gone away while it was idle is replaced once."""
        connection = self._engine.raw_connection()
        try:
            self._begin_on(connection, limits)
        except Exception:  # drivers raise what they like
            connection.invalidate()
            connection = self._engine.raw_connection()
            try:
                self._begin_on(connection, limits)
            except Exception:
                connection.invalidate()
                raise
        return connection

    def _begin_on(self, connection: "PoolProxiedConnection", limits: Limits) -> None:
        bare: Any = connection.dbapi_connection
        # A connection whose other end is gone without a word would be waited for until the network gives up.
        watch = self._watchdog.start(time.monotonic() + _CONNECT_SECONDS, lambda _call: self._manners.hang_up(bare))
        try:
            self._manners.begin(bare, limits)
        finally:
            self._watchdog.stop(watch)

    def _in_transaction(self, connection: "PoolProxiedConnection", sql: str, limits: Limits) -> Result | Failure:
        bare: Any = connection.dbapi_connection
        deadline = time.monotonic() + limits.timeout
        watch = self._watchdog.start(deadline, lambda call: self._stop(bare, call))
        cursor: Any = None
        outcome: Result | Failure
        try:
            cursor = self._manners.cursor(bare)
            cursor.execute(sql)
            names = tuple([str(column[0]) for column in cursor.description or ()])
            outcome = Result(names, *fetch(cursor, len(names), limits, deadline, self._manners.chunk))
        except OutOfTimeError:
            outcome = timed_out(limits.timeout)
        except Exception as error:  # drivers raise what they like on hostile SQL and odd values
            outcome = self._failure(error)
        finally:
            late = self._watchdog.stop(watch)
        self._end(connection, cursor, outcome, late=late)
        return timed_out(limits.timeout) if late else outcome

    def _end(self, connection: "PoolProxiedConnection", cursor: Any, outcome: Result | Failure, *, late: bool) -> None:
        """Roll back and keep the connection for the next query; one that may be in disorder is closed.

        Word to end a query that overran may still be under way, and would hit the next one.
        """
        cut = isinstance(outcome, Result) and outcome.cut is not None
        down = isinstance(outcome, Failure) and outcome.kind is FailureKind.DATABASE_DOWN
        if late or down or self._closed or (cut and not self._manners.survives_cut):
            with contextlib.suppress(Exception):
                self._manners.abandon(cursor)
            connection.invalidate()
            with contextlib.suppress(Exception):
                cursor.close()
            return
        try:
            if cursor is not None:
                cursor.close()
            connection.close()  # rolls back
        except Exception:  # what cannot be rolled back is thrown away
            connection.invalidate()

    def _stop(self, bare: Any, call: int) -> None:
        """Ask the server, on a thread of its own as that takes a connection; where that does not help, hang up."""
        stop = self._manners.cancel if call < _HANG_UP_AT else self._manners.hang_up
        threading.Thread(target=stop, args=(bare,), name="stef-stop", daemon=True).start()

    def _failure(self, error: Exception) -> Failure:
        trouble: Trouble = self._manners.trouble(error)
        near: tuple[str, ...] = ()
        if trouble.unknown:
            try:
                near = near_names(trouble.unknown, self.schema(), columns=trouble.kind is FailureKind.UNKNOWN_COLUMN)
            except StefError:
                near = ()
        return Failure(trouble.kind, self._said(trouble.message), near)

    def _said(self, message: str, *, login: bool = False) -> str:
        """A message on one line, without what is secret in the URL; of a `login`, without the user's name, too."""
        for secret in self._hidden:
            message = message.replace(secret, "***")
        if login and self._user:
            message = re.sub(rf"(['\"]){re.escape(self._user)}\1", r"\1***\1", message)
        return one_line(message)


def _engine(url: "URL") -> "Engine":
    from sqlalchemy import create_engine  # noqa: PLC0415 - heavy
    from sqlalchemy.exc import NoSuchModuleError  # noqa: PLC0415

    scheme = f"{url.drivername}://…"
    try:
        if url.get_dialect().is_async:
            raise UserError(f"{scheme}: an asynchronous driver; leave it out, or name one that is not")
        if url.get_driver_name() in _EXTRAS:
            url = url.update_query_dict({"connect_timeout": url.query.get("connect_timeout", str(_CONNECT_SECONDS))})
        return create_engine(url, pool_size=_MOST_IDLE, max_overflow=-1, hide_parameters=True)
    except NoSuchModuleError:
        raise UserError(f"{scheme}: SQLAlchemy knows no such database; is its dialect's package installed?") from None
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get(error.name or "")
        package = f"'stef[{extra}]'" if extra else error.name
        raise UserError(f"{scheme}: the driver {error.name} is not installed: pip install {package}") from None


def _dialect(backend: str) -> str:
    """sqlglot's name of what SQLAlchemy calls `backend`; "" where it has none."""
    try:
        return check_dialect(backend)
    except UserError:
        return ""


def _manners(engine: "Engine", dialect: str) -> Manners:
    from sqlalchemy import event  # noqa: PLC0415 - heavy

    manners: Manners
    if engine.driver == "psycopg":
        manners = PostgresManners()
    elif engine.driver == "pymysql":
        manners = mysql = MySQLManners(lambda: dict(engine.dialect.create_connect_args(engine.url)[1]))
        event.listen(engine, "do_connect", lambda _dialect, _record, _given, named: mysql.connect(named))
    else:
        manners = OtherManners(dialect)
    event.listen(engine, "connect", lambda connection, _record: manners.prepare(connection))
    return manners


def _safe_name(url: "URL") -> str:
    """The URL without user, password and options."""
    port = f":{url.port}" if url.port else ""
    return f"{url.get_backend_name()}://{url.host or ''}{port}/{url.database or ''}"


def _secrets(url: "URL") -> tuple[str, ...]:
    """What no message may repeat, the longest first: the password, and options that are named as secrets are."""
    options = [(name, value) for name, values in url.normalized_query.items() for value in values]
    secrets = {str(url.password or ""), *(value for name, value in options if _SECRET.search(name))}
    return tuple(sorted(secrets - {""}, key=len, reverse=True))
