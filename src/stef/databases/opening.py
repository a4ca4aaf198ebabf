"""From a URL to a database, and from a URL with `{database}` in it to many."""

import re
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self
from urllib.parse import unquote

from stef.databases.protocol import Database
from stef.databases.sqlite_file import SqliteDatabase
from stef.databases.watchdog import Watchdog
from stef.errors import UserError

_PLACE = "{database}"
_MOST_OPEN = 64


def open_database(url: str, watchdog: Watchdog | None = None) -> Database:
    """The database at `url`. Raises UserError where the URL, the file or the driver is missing."""
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite":
        return SqliteDatabase(Path(unquote(rest.removeprefix("/").partition("?")[0])), watchdog)
    raise UserError(f"no way to open {scheme}://…")


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
