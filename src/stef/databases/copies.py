"""Altered copies of a database, in a folder that goes with them.

They are made of what the database itself gives, so that it is only read; SQLite and DuckDB only, as a copy must speak
the same SQL.
"""

import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from stef.databases.altering import Alteration, Constants, Tables, alter
from stef.databases.copying import fill
from stef.databases.opening import open_database
from stef.databases.protocol import Database, Limits
from stef.errors import StefError
from stef.records.live import LiveSchema
from stef.records.result import Failure

MOST_ROWS = 20_000
"""Rows of a table that a copy is made of."""

_MOST_CELLS = 5_000_000
_KINDS = ("sqlite", "duckdb")


@dataclass(frozen=True, slots=True)
class Copy:
    """One altered copy, which of them it is (from 1), and what was done to it."""

    database: Database
    number: int
    how: Alteration

    def __str__(self) -> str:
        return f"copy {self.number} ({self.how})"


class NoCopiesError(StefError):
    """A database of which no copies can be made, and why."""


@contextmanager
def altered_copies(
    database: Database, count: int, *, seed: int = 0, constants: Constants | None = None
) -> Iterator[tuple[Copy, ...]]:
    """`count` altered copies of `database`, each altered in one way, in turns; the same for the same seed.

    Raises NoCopiesError where there can be none: another kind of database, a catalogue that cannot be read, too much
    data. A table that cannot be read is empty in the copies.
    """
    if database.dialect not in _KINDS:
        raise NoCopiesError(f"altered copies are made of SQLite and DuckDB files, not of {database.dialect} databases")
    tables = read_tables(database)
    schema = database.schema()
    folder = Path(tempfile.mkdtemp(prefix="stef-copies-"))
    made: list[Copy] = []
    try:
        for number in range(1, count + 1):
            how = list(Alteration)[(number - 1) % len(Alteration)]
            # Text, so that the copies are the same in every process.
            rows = alter(tables, schema, how, random.Random(f"{seed} {number}"), constants or {})  # noqa: S311
            path = folder / f"copy-{number}.{database.dialect}"
            fill(path, database, schema, rows)
            made.append(Copy(open_database(f"{database.dialect}:///{path}"), number, how))
        yield tuple(made)
    finally:
        for one in made:
            one.database.close()
        shutil.rmtree(folder, ignore_errors=True)


def read_tables(database: Database) -> Tables:
    """The rows of all base tables, as far as they can be read. Raises NoCopiesError."""
    schema = _schema(database)
    limits = Limits(rows=MOST_ROWS)
    tables: Tables = {}
    cells = 0
    for folded, table in schema.tables.items():
        if table.view or not table.columns:
            continue
        columns = ", ".join(_quoted(column.name) for column in table.columns)
        query = f"SELECT {columns} FROM {_from(table.schema, table.name)}"  # noqa: S608  names of the catalogue, quoted
        executed = database.run(query, limits)
        if isinstance(executed, Failure):
            tables[folded] = []
            continue
        cells += executed.rows * len(executed.columns)
        if cells > _MOST_CELLS:
            raise NoCopiesError(f"{database.name}: more than {_MOST_CELLS:,} cells; too many for copies in memory")
        tables[folded] = [list(row) for row in zip(*executed.columns, strict=True)]
    return tables


def _schema(database: Database) -> LiveSchema:
    try:
        return database.schema()
    except StefError as error:
        raise NoCopiesError(f"no copies without the catalogue: {error}") from error


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _from(schema: str | None, name: str) -> str:
    return f"{_quoted(schema)}.{_quoted(name)}" if schema else _quoted(name)
