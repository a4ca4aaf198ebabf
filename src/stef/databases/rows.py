"""The rows of one query of the user's own, streamed: for logs that lie in a database."""

import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import quote

from stef.databases.failures import one_line
from stef.databases.guard import admit
from stef.databases.server import open_server
from stef.errors import InputError, StefError, UserError
from stef.records.result import Failure

_BATCH: Final = 1_000


_Batches = Generator[Sequence[Any], None, None]
"""The names of the columns, then rows, some at a time."""


class _Cursor(Protocol):
    @property
    def description(self) -> Any: ...

    def fetchmany(self, size: int, /) -> Sequence[Sequence[Any]]: ...


def stream_rows(url: str, sql: str) -> Iterator[dict[str, Any]]:
    """Every row that `sql` gives at `url` (`sqlite:///file`, `duckdb:///file`, any URL of SQLAlchemy's), by column.

    The order is the query's. Rows are fetched a few thousand at a time, so memory does not grow with them; nothing but
    one query is sent, in a transaction that only reads where the database knows that, and rolled back. Raises UserError
    for a URL, a driver, a login, or what is no query, InputError for a query that fails, StefError for a server that is
    down; no message holds a password.
    """
    scheme, mark, rest = url.partition("://")
    if not mark:
        raise UserError("--from takes a database's URL: sqlite:///file, duckdb:///file, postgresql://host/name …")
    file = rest.removeprefix("/").partition("?")[0]
    match scheme:
        case "duckdb":
            batches = _of_duckdb(file, sql)
        case "sqlite":
            batches = _of_sqlite(file, sql)
        case _:
            batches = _of_server(url, sql)
    with closing(batches):
        names = tuple(next(batches))
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InputError(f"--query gives {', '.join(map(repr, twice))} twice; name one otherwise, with AS")
        for batch in batches:
            yield from (dict(zip(names, row, strict=True)) for row in batch)


def _of_duckdb(path: str, sql: str) -> _Batches:
    import duckdb  # noqa: PLC0415  heavy

    query = _one_query(sql, "duckdb")
    try:
        with duckdb.connect(path, read_only=True) as connection:
            yield from _batches(connection.execute(query))
    except duckdb.Error as error:
        raise InputError(f"--from duckdb:///{path}: {one_line(str(error))}") from error


def _of_sqlite(path: str, sql: str) -> _Batches:
    query = _one_query(sql, "sqlite")
    if not Path(path).is_file():
        raise UserError(f"--from sqlite:///{path}: no such file")
    try:
        # A file that only reads may still have a journal of somebody's who writes: `immutable` would not see that.
        with closing(sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True)) as connection:
            connection.text_factory = lambda text: text.decode("utf-8", "replace")
            yield from _batches(connection.execute(query))
    except sqlite3.Error as error:
        raise InputError(f"--from sqlite:///{path}: {one_line(str(error))}") from error


def _of_server(url: str, sql: str) -> _Batches:
    try:
        with closing(open_server(url)) as database, closing(database.stream(sql)) as found:
            yield from found
    except StefError as error:
        raise type(error)(f"--from {error}") from None


def _one_query(sql: str, dialect: str) -> str:
    admitted = admit(sql, dialect)
    if isinstance(admitted, Failure):
        raise UserError(f"--query: no single query that only reads: {admitted.message}")
    return admitted


def _batches(cursor: _Cursor) -> _Batches:
    yield tuple(str(column[0]) for column in cursor.description or ())
    while rows := cursor.fetchmany(_BATCH):
        yield rows
