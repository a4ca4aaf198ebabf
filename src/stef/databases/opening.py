"""From a URL to a database, and from a URL with `{database}` in it to many."""

import re
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self
from urllib.parse import unquote

from stef.databases.duckdb_file import DuckDBDatabase
from stef.databases.protocol import Database
from stef.databases.server import open_server
from stef.databases.sqlite_file import SqliteDatabase
from stef.databases.watchdog import Watchdog
from stef.errors import UserError

_EMBEDDED: dict[str, Callable[[Path, Watchdog | None], Database]] = {
    "sqlite": SqliteDatabase,
    "duckdb": DuckDBDatabase,
}
_PLACE = "{database}"
_MOST_OPEN = 64


def open_database(url: str, watchdog: Watchdog | None = None) -> Database:
    """The database at `url`; it is reached once, so that what is wrong with it shows here.

    `sqlite:///file` and `duckdb:///file` are embedded (three slashes before a relative path, four before an absolute
    one); any other URL is SQLAlchemy's. Raises UserError where the URL, the file, the login or the driver is wrong,
    StefError where the database is down. No message holds a password.
    """
    scheme, mark, rest = url.partition("://")
    embedded = _EMBEDDED.get(scheme.partition("+")[0])
    if not mark or not scheme:
        raise UserError(
            "a database's URL begins with its kind: sqlite:///file, duckdb:///file, postgresql://host/name …"
        )
    if embedded:
        return embedded(_path(rest, scheme), watchdog)
    return open_server(url, watchdog)


def _path(rest: str, scheme: str) -> Path:
    path = unquote(rest.removeprefix("/").partition("?")[0])
    if not rest.startswith("/") or path in ("", ":memory:"):
        raise UserError(f"a {scheme} URL names a file: {scheme}:///relative/path or {scheme}:////absolute/path")
    return Path(path)


class Databases:
    """Databases by name, from one URL such as `sqlite:///dir/{database}.sqlite`; kept open until closed.

    A URL without `{database}` means the same database for every name. At most `most_open` stay open; where a further
    one is asked for, the one that was asked for least recently is closed.
    """

    def __init__(self, url: str, most_open: int = _MOST_OPEN) -> None:
        self._url = url
        self._most_open = most_open
        self._open: dict[str, Database] = {}
        self._lock = Lock()
        self._watchdog = Watchdog()

    def get(self, name: str | None = None) -> Database:
        """The database of that name. Raises as `open_database`; UserError where a name is needed and None is given."""
        key = ""
        if _PLACE in self._url:
            if not name:
                raise UserError(f"the database's URL has {_PLACE} in it, and the case names no database")
            if not re.fullmatch(r"[\w][\w .-]*", name):
                raise UserError(f"{name!r} is no name of a database: letters, digits, space, '_', '.' and '-' only")
            key = name
        with self._lock:
            database = self._open.pop(key, None) or open_database(self._url.replace(_PLACE, key), self._watchdog)
            self._open[key] = database
            if len(self._open) > self._most_open:
                self._open.pop(next(iter(self._open))).close()
            return database

    def close(self) -> None:
        """Close all."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
