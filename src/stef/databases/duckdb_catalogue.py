"""The catalogue of a DuckDB file."""

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from stef.records.live import ForeignKey, LiveColumn, LiveSchema, LiveTable

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_COLUMNS = """
SELECT c.schema_name, c.table_name, c.column_name, c.data_type, c.is_nullable, v.view_name IS NOT NULL
FROM duckdb_columns() AS c
LEFT JOIN duckdb_views() AS v
  ON v.database_oid = c.database_oid AND v.schema_name = c.schema_name AND v.view_name = c.table_name
WHERE c.database_name = current_database() AND NOT c.internal
ORDER BY c.schema_name <> 'main', c.schema_name, c.table_oid, c.column_index
"""
_KEYS = """
SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
FROM duckdb_constraints()
WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
ORDER BY constraint_index
"""
_MAIN = "main"


def read_catalogue(cursor: "DuckDBPyConnection") -> LiveSchema:
    """Tables and views; one outside of the schema `main` is named with its schema where `main` has its namesake."""
    keys: dict[tuple[str, str], list[tuple[Any, ...]]] = defaultdict(list)
    for schema, table, *key in cursor.execute(_KEYS).fetchall():
        keys[schema, table].append(tuple(key))
    columns: dict[tuple[str, str], list[LiveColumn]] = defaultdict(list)
    views: set[tuple[str, str]] = set()
    for schema, table, column, declared, nullable, view in cursor.execute(_COLUMNS).fetchall():
        columns[schema, table].append(LiveColumn(column, declared, nullable))
        if view:
            views.add((schema, table))
    tables: dict[str, LiveTable] = {}
    for place, found in columns.items():
        schema, name = place
        folded = name.lower() if name.lower() not in tables else f"{schema}.{name}".lower()
        tables[folded] = LiveTable(
            name,
            tuple(found),
            next((tuple(key[1]) for key in keys[place] if key[0] == "PRIMARY KEY"), ()),
            tuple(ForeignKey(tuple(key[1]), key[2], tuple(key[3])) for key in keys[place] if key[0] == "FOREIGN KEY"),
            schema if schema != _MAIN else None,
            place in views,
        )
    return LiveSchema("duckdb", tables)
