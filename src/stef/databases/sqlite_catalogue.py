"""The catalogue of a SQLite file."""

import sqlite3
from collections import defaultdict

from stef.records.live import ForeignKey, LiveColumn, LiveSchema, LiveTable


def read_catalogue(connection: sqlite3.Connection) -> LiveSchema:
    """Tables and views of the main database; without system tables and the tables in which virtual ones keep theirs."""
    tables: dict[str, LiveTable] = {}
    shadows = _shadows(connection)
    query = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_'"
    for name, kind in connection.execute(query).fetchall():
        if name in shadows:
            continue
        try:
            columns = connection.execute(
                'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1', (name,)
            ).fetchall()
        except sqlite3.Error:
            # A view over something that is gone, or a module that is not loaded.
            columns = []
        keys = sorted((place, column) for column, _type, _not_null, place in columns if place)
        tables[name.lower()] = LiveTable(
            name,
            tuple(
                LiveColumn(column, declared, not (not_null or place)) for column, declared, not_null, place in columns
            ),
            tuple(column for _place, column in keys),
            _foreign_keys(connection, name),
            view=kind == "view",
        )
    return LiveSchema("sqlite", _with_implied_keys(tables))


def _shadows(connection: sqlite3.Connection) -> frozenset[str]:
    try:
        found = connection.execute("SELECT name FROM pragma_table_list WHERE type = 'shadow'").fetchall()
    except sqlite3.Error:  # before SQLite 3.37
        return frozenset()
    return frozenset(name for (name,) in found)


def _foreign_keys(connection: sqlite3.Connection, table: str) -> tuple[ForeignKey, ...]:
    query = 'SELECT id, seq, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq'
    parts: dict[int, list[tuple[str, str, str | None]]] = defaultdict(list)
    for number, _seq, target, source, referred in connection.execute(query, (table,)).fetchall():
        parts[number].append((target, source, referred))
    return tuple(
        ForeignKey(tuple(part[1] for part in key), key[0][0], tuple(part[2] or "" for part in key))
        for key in parts.values()
    )


def _with_implied_keys(tables: dict[str, LiveTable]) -> dict[str, LiveTable]:
    """A foreign key that names no column of the other table means that table's primary key."""
    whole: dict[str, LiveTable] = {}
    for folded, table in tables.items():
        keys = []
        for key in table.foreign_keys:
            target = tables.get(key.table.lower())
            implied = target.primary_key if target and not any(key.refers_to) else key.refers_to
            keys.append(ForeignKey(key.columns, target.name if target else key.table, implied))
        whole[folded] = LiveTable(table.name, table.columns, table.primary_key, tuple(keys), table.schema, table.view)
    return whole
