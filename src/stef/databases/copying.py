"""A database file made anew of a catalogue and rows."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stef.databases.altering import Row, Tables
from stef.databases.protocol import Database
from stef.errors import StefError
from stef.records.live import LiveSchema, LiveTable
from stef.records.result import Failure

_DEFINITIONS = (
    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND type IN ('table', 'index', 'view') "
    "AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY type <> 'table', type = 'view'"
)
_VIEWS = "SELECT sql FROM duckdb_views() WHERE NOT internal"


def fill(path: Path, database: Database, schema: LiveSchema, tables: Tables) -> None:
    """Write a database of `database`'s kind to `path`, with its tables, and `tables` as their rows.

    What cannot be made is left out: a view over something that is gone, a row that breaks a rule of its table.
    """
    if database.dialect == "sqlite":
        _fill_sqlite(path, database, schema, tables)
    else:
        _fill_duckdb(path, database, schema, tables)


def _fill_sqlite(path: Path, database: Database, schema: LiveSchema, tables: Tables) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        for sql in _definitions(database, _DEFINITIONS):
            try:
                connection.execute(sql)
            except sqlite3.Error:
                continue
        for name, rows in tables.items():
            _insert_sqlite(connection, schema.tables[name], rows)
        connection.execute("COMMIT")
    finally:
        connection.close()


def _insert_sqlite(connection: sqlite3.Connection, table: LiveTable, rows: Sequence[Row]) -> None:
    names = ", ".join(_quoted(column.name) for column in table.columns)
    marks = ", ".join("?" * len(table.columns))
    # The copy was created a moment ago, and its names are quoted.
    statement = f"INSERT OR IGNORE INTO {_quoted(table.name)} ({names}) VALUES ({marks})"  # noqa: S608
    try:
        connection.executemany(statement, rows)
    except sqlite3.Error:
        # A generated column, or a table that another module keeps: its rows are the module's own.
        return


def _fill_duckdb(path: Path, database: Database, schema: LiveSchema, tables: Tables) -> None:
    import duckdb  # noqa: PLC0415  heavy

    connection = duckdb.connect(str(path))
    try:
        for name, rows in tables.items():
            table = schema.tables[name]
            columns = ", ".join(f"{_quoted(column.name)} {column.type}" for column in table.columns)
            if table.schema and table.schema != "main":
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_quoted(table.schema)}")
            connection.execute(f"CREATE TABLE {_full(table)} ({columns})")
            if rows:
                _insert_duckdb(connection, table, rows)
        for sql in _definitions(database, _VIEWS):
            try:
                connection.execute(sql)
            except duckdb.Error:
                continue
    except duckdb.Error as error:
        raise StefError(f"{database.name}: no copy can be made: {str(error).splitlines()[0]}") from error
    finally:
        connection.close()


def _insert_duckdb(connection: Any, table: LiveTable, rows: Sequence[Row]) -> None:
    """By way of Arrow: row by row it would take a hundred times as long."""
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

    types = connection.sql(f"SELECT * FROM {_full(table)} LIMIT 0").to_arrow_table().schema  # noqa: S608
    try:
        columns = [
            pa.array([row[place] for row in rows], type=field.type, from_pandas=True)
            for place, field in enumerate(types)
        ]
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError, TypeError) as error:
        raise StefError(f"{table.name}: no copy can be made of its values: {str(error).splitlines()[0]}") from error
    held = pa.table(columns, names=[f"c{place}" for place in range(len(columns))])
    connection.register("stef_rows", held)
    try:
        connection.execute(f"INSERT INTO {_full(table)} SELECT * FROM stef_rows")  # noqa: S608
    finally:
        connection.unregister("stef_rows")


def _definitions(database: Database, query: str) -> list[str]:
    executed = database.run(query)
    if isinstance(executed, Failure):
        return []
    return [sql for sql in executed.columns[0] if isinstance(sql, str)]


def _full(table: LiveTable) -> str:
    return f"{_quoted(table.schema)}.{_quoted(table.name)}" if table.schema else _quoted(table.name)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
