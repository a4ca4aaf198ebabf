"""An optional schema: tables, their columns and types, as DDL states them. It sharpens a reading; none needs it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from stef.sql.literals import fold_name


class ColumnType(StrEnum):
    """As much of a type as a reading needs."""

    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"
    DATE = "date"
    TIMESTAMP = "timestamp"
    BOOLEAN = "boolean"
    OTHER = "other"


_T = exp.DType
_TYPES: Mapping[exp.DType, ColumnType] = {
    **dict.fromkeys((_T.DATE, _T.DATE32), ColumnType.DATE),
    **dict.fromkeys(
        (
            _T.TIMESTAMP,
            _T.TIMESTAMPTZ,
            _T.TIMESTAMPLTZ,
            _T.TIMESTAMPNTZ,
            _T.DATETIME,
            _T.DATETIME2,
            _T.DATETIME64,
            _T.SMALLDATETIME,
            _T.TIMESTAMP_S,
            _T.TIMESTAMP_MS,
            _T.TIMESTAMP_NS,
        ),
        ColumnType.TIMESTAMP,
    ),
    **dict.fromkeys(
        (
            _T.INT,
            _T.BIGINT,
            _T.SMALLINT,
            _T.TINYINT,
            _T.MEDIUMINT,
            _T.INT128,
            _T.INT256,
            _T.UINT,
            _T.UBIGINT,
            _T.USMALLINT,
            _T.UTINYINT,
            _T.SERIAL,
            _T.BIGSERIAL,
            _T.SMALLSERIAL,
        ),
        ColumnType.INTEGER,
    ),
    **dict.fromkeys((_T.DECIMAL, _T.DOUBLE, _T.FLOAT, _T.MONEY, _T.BIGDECIMAL, _T.UDECIMAL), ColumnType.NUMBER),
    **dict.fromkeys((_T.TEXT, _T.VARCHAR, _T.CHAR, _T.NVARCHAR, _T.NCHAR, _T.NAME), ColumnType.TEXT),
    _T.BOOLEAN: ColumnType.BOOLEAN,
}


@dataclass(frozen=True, slots=True)
class TableSchema:
    """One table: the types of its columns by folded name, and those that cannot be NULL."""

    columns: Mapping[str, ColumnType]
    required: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Schema:
    """What is known of a database: whole tables by folded name (last part and, where it was written, the full one).

    `types` are types of single columns, by folded `column` or `table.column`, of tables that are otherwise unknown.
    """

    tables: Mapping[str, TableSchema] = field(default_factory=dict)
    types: Mapping[str, ColumnType] = field(default_factory=dict)

    @classmethod
    def from_ddl(cls, statements: Sequence[str], dialect: str | None = None) -> "Schema":
        """The schema that CREATE TABLE statements state; what cannot be read is left out."""
        tables: dict[str, TableSchema] = {}
        for text in statements:
            for tree in _parse(text, dialect):
                if isinstance(tree, exp.Create) and isinstance(tree.this, exp.Schema):
                    _add(tables, tree.this)
        return cls(tables)

    @classmethod
    def from_types(cls, types: Mapping[str, str], dialect: str | None = None) -> "Schema":
        """The types of single columns, as rules state them (`column` or `table.column` → SQL type)."""
        found: dict[str, ColumnType] = {}
        for name, kind in types.items():
            for tree in _parse(f"CREATE TABLE t (c {kind})", dialect):
                defined = tree.find(exp.ColumnDef)
                if defined is not None:
                    parts = (fold_name(part) for part in name.split(".")[-2:])
                    found[".".join(parts)] = type_of_node(defined.args.get("kind"))
        return cls(types=found)

    def type_of(self, table: str, column: str) -> ColumnType | None:
        """The type of a column of a table (both folded), None where it is unknown."""
        described = self.tables.get(table)
        if described is not None:
            return described.columns.get(column)
        return self.types.get(f"{table}.{column}") or self.types.get(column)

    def table(self, name: str, full: str) -> TableSchema | None:
        """The table `full` (or, where that is unknown, of the bare `name`), folded; None where it is not described."""
        return self.tables.get(full) or self.tables.get(name)


def _parse(text: str, dialect: str | None) -> list[exp.Expr]:
    try:
        return [tree for tree in sqlglot.parse(text, dialect=dialect) if tree is not None]
    except (SqlglotError, RecursionError, ValueError):
        return []


def _add(tables: dict[str, TableSchema], schema: exp.Schema) -> None:
    table = schema.this
    if not isinstance(table, exp.Table):
        return
    columns: dict[str, ColumnType] = {}
    required: set[str] = set()
    for item in schema.expressions:
        if isinstance(item, exp.ColumnDef):
            name = fold_name(item.name)
            columns[name] = type_of_node(item.args.get("kind"))
            if any(_forbids_null(constraint) for constraint in item.args.get("constraints") or ()):
                required.add(name)
        elif isinstance(item, exp.PrimaryKey):
            required.update(fold_name(key.name) for key in item.expressions)
    described = TableSchema(columns, frozenset(required))
    parts = [fold_name(part.name) for part in table.parts]
    tables[parts[-1]] = described
    tables[".".join(parts)] = described


def _forbids_null(constraint: exp.Expr) -> bool:
    kind = constraint.args.get("kind")
    if isinstance(kind, exp.NotNullColumnConstraint):
        return not kind.args.get("allow_null")
    return isinstance(kind, exp.PrimaryKeyColumnConstraint)


def type_of_node(kind: exp.Expr | None) -> ColumnType:
    """What a type as sqlglot reads it is."""
    if isinstance(kind, exp.DataType) and isinstance(kind.this, exp.DType):
        return _TYPES.get(kind.this, ColumnType.OTHER)
    return ColumnType.OTHER
