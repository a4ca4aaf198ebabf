"""The rows of one query of the user's own, streamed: for logs that lie in a database."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Final

from stef.databases.failures import one_line
from stef.databases.urls import parsed_url
from stef.errors import InputError, UserError

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

_BATCH: Final = 1_000
_READ_ONLY: Final = {
    "postgresql": "SET TRANSACTION READ ONLY",
    "mysql": "SET SESSION TRANSACTION READ ONLY",
    "mariadb": "SET SESSION TRANSACTION READ ONLY",
    "sqlite": "PRAGMA query_only = 1",
}


def stream_rows(url: str, sql: str) -> Iterator[dict[str, Any]]:
    """Every row that `sql` gives at `url` (`sqlite:///file`, `duckdb:///file`, any URL of SQLAlchemy's), by column.

    Rows are fetched by the thousand, so memory does not grow with them; the transaction is read-only where the database
    knows that, and rolled back. Raises UserError for a URL or a driver, InputError for a query or a login that fails;
    no message holds the password.
    """
    scheme, mark, rest = url.partition("://")
    if not mark:
        raise UserError("--from takes a database's URL: sqlite:///file, duckdb:///file, postgresql://host/name …")
    if scheme == "duckdb":
        yield from _of_duckdb(rest.removeprefix("/"), sql)
    else:
        yield from _of_sqlalchemy(_url(url), sql)


def _of_duckdb(path: str, sql: str) -> Iterator[dict[str, Any]]:
    import duckdb  # noqa: PLC0415  heavy

    try:
        with duckdb.connect(path, read_only=True) as connection:
            answer = connection.execute(sql)
            names = [column[0] for column in answer.description or ()]
            while batch := answer.fetchmany(_BATCH):
                yield from (dict(zip(names, row, strict=True)) for row in batch)
    except duckdb.Error as error:
        raise InputError(f"--from duckdb:///{path}: {one_line(str(error))}") from error


def _of_sqlalchemy(url: "URL", sql: str) -> Iterator[dict[str, Any]]:
    from sqlalchemy import create_engine, text  # noqa: PLC0415  heavy
    from sqlalchemy.pool import NullPool  # noqa: PLC0415

    with _told(url):
        engine = create_engine(url, poolclass=NullPool, hide_parameters=True)
        with engine.connect() as connection, closing(_begun(connection, engine.dialect.name)):
            # A colon in the query is a colon: the text has no parameters.
            query = text(sql.replace(":", "\\:"))
            answer = connection.execution_options(stream_results=True, yield_per=_BATCH).execute(query)
            for row in answer.mappings():
                yield dict(row)


class _begun:  # noqa: N801  it reads as a state
    """A read-only transaction, rolled back at its end."""

    def __init__(self, connection: Any, kind: str) -> None:
        self._connection = connection
        if kind in _READ_ONLY:
            connection.exec_driver_sql(_READ_ONLY[kind])

    def close(self) -> None:
        """Roll back."""
        self._connection.rollback()


def _url(text: str) -> "URL":
    url = parsed_url(text)
    if url.get_backend_name() == "sqlite" and url.database:
        # A file that is not there is not made.
        return url.set(database=f"file:{url.database}", query={**url.query, "mode": "ro", "uri": "true"})
    return url


@contextmanager
def _told(url: "URL") -> Iterator[None]:
    """What goes wrong, in words without the password."""
    from sqlalchemy.exc import NoSuchModuleError, SQLAlchemyError  # noqa: PLC0415  heavy

    shown = url.set(username=None, password=None, query={}).render_as_string()
    try:
        yield
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise UserError(f"--from {shown}: the driver is not installed: {one_line(str(error))}") from error
    except SQLAlchemyError as error:
        said = one_line(str(getattr(error, "orig", None) or error))
        if url.password:
            said = said.replace(str(url.password), "***")
        raise InputError(f"--from {shown}: {said}") from error
