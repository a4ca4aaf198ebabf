"""A live database's schema as the reader of SQL takes it: tables are read when a query first names them."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from sqlglot import exp
from sqlglot.errors import SqlglotError

from stef.records.live import LiveSchema, LiveTable
from stef.sql.literals import fold_name
from stef.sql.schema import ColumnType, Schema, TableSchema, type_of_node


class _Tables(Mapping[str, TableSchema]):
    """The tables of a live schema by folded name. A schema has hundreds, a query names a few: the rest is not read."""

    __slots__ = ("_dialect", "_live", "_read")

    def __init__(self, live: LiveSchema) -> None:
        tables = live.tables
        # Names of other scripts fold to more than their lower case.
        self._live = tables if all(map(str.isascii, tables)) else {fold_name(name): tables[name] for name in tables}
        self._dialect = live.dialect
        self._read: dict[str, TableSchema] = {}

    def __getitem__(self, name: str) -> TableSchema:
        found = self._read.get(name)
        if found is None:
            found = self._read[name] = _table(self._live[name], self._dialect)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._live)

    def __len__(self) -> int:
        return len(self._live)

    def __contains__(self, name: object) -> bool:
        return name in self._live


def schema_of(live: LiveSchema) -> Schema:
    """What is known of the tables of `live`, with columns in the database's own order."""
    return Schema(_Tables(live))


def _table(table: LiveTable, dialect: str) -> TableSchema:
    keys = {fold_name(name) for name in table.primary_key}
    columns = {fold_name(column.name): _type(column.type, dialect) for column in table.columns}
    required = {fold_name(column.name) for column in table.columns if not column.nullable}
    return TableSchema(columns, frozenset(keys | required))


@lru_cache(maxsize=4096)
def _type(text: str, dialect: str) -> ColumnType:
    if not text:
        return ColumnType.OTHER
    try:
        return type_of_node(exp.DataType.build(text, dialect=dialect or None))
    except (SqlglotError, RecursionError, ValueError):
        return ColumnType.OTHER
