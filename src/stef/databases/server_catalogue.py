"""The catalogue of a server, as SQLAlchemy's inspector reads it."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from stef.records.live import ForeignKey, LiveColumn, LiveSchema, LiveTable

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine, Inspector

_ALL_SCHEMAS = frozenset({"postgres", "redshift"})
"""Where one database holds several name spaces of the user's; elsewhere another name space is another database."""

_SYSTEM = re.compile(r"information_schema|pg_\w+", re.IGNORECASE)
_COLLATION = re.compile(r" (?:CHARACTER SET|COLLATE) \S+")


def read_catalogue(engine: "Engine", dialect: str) -> LiveSchema:
    """Tables and views; one outside of the default name space is named with it where a namesake came before."""
    from sqlalchemy import inspect  # noqa: PLC0415 - heavy

    inspector = inspect(engine)
    default = inspector.default_schema_name
    schemas: list[str | None] = [None]
    if dialect in _ALL_SCHEMAS:
        schemas += [name for name in inspector.get_schema_names() if name != default and not _SYSTEM.fullmatch(name)]
    tables: dict[str, LiveTable] = {}
    for schema in schemas:
        for table in _tables(inspector, schema, engine.dialect):
            folded = table.name.lower()
            tables[folded if folded not in tables else f"{schema}.{folded}".lower()] = table
    return LiveSchema(dialect, tables)


def _tables(inspector: "Inspector", schema: str | None, dialect: Any) -> Iterator[LiveTable]:
    from sqlalchemy.engine import ObjectKind  # noqa: PLC0415 - heavy

    base = inspector.get_multi_columns(schema=schema, kind=ObjectKind.TABLE)
    views = inspector.get_multi_columns(schema=schema, kind=ObjectKind.ANY_VIEW)
    primary = inspector.get_multi_pk_constraint(schema=schema)
    foreign = inspector.get_multi_foreign_keys(schema=schema)
    for (_schema, name), columns in sorted((base | views).items(), key=lambda item: item[0][1]):
        place = (_schema, name)
        key: Any = primary.get(place) or {}
        yield LiveTable(
            name,
            tuple(LiveColumn(one["name"], _declared(one["type"], dialect), bool(one["nullable"])) for one in columns),
            tuple(key.get("constrained_columns") or ()),
            tuple(
                ForeignKey(tuple(one["constrained_columns"]), one["referred_table"], tuple(one["referred_columns"]))
                for one in foreign.get(place) or ()
            ),
            schema,
            place in views,
        )


def _declared(declared: Any, dialect: Any) -> str:
    """A type as the database writes it; empty where SQLAlchemy does not know it."""
    from sqlalchemy.exc import CompileError  # noqa: PLC0415 - heavy

    try:
        return _COLLATION.sub("", str(declared.compile(dialect=dialect)))
    except CompileError:
        return ""
