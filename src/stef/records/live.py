"""The schema of a live database, as its catalogue states it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """Columns of a table that refer to columns of another; both in the same order."""

    columns: tuple[str, ...]
    table: str
    refers_to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LiveColumn:
    """A column: its name as written, its declared type as the database writes it (may be empty), may it be NULL."""

    name: str
    type: str = ""
    nullable: bool = True


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A base table, or a view (`view`). `schema` is the database's own name space, where it has one."""

    name: str
    columns: tuple[LiveColumn, ...]
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    schema: str | None = None
    view: bool = False


@dataclass(frozen=True, slots=True)
class LiveSchema:
    """All tables and views by folded (lower-case) name; `dialect` is sqlglot's name of the SQL spoken there."""

    dialect: str
    tables: Mapping[str, LiveTable] = field(default_factory=dict)
