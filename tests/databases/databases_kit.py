"""One small database, made on each engine that is there, and looked at around stef."""

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import OperationalError

TABLES = (
    "CREATE TABLE customer (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, city VARCHAR(40))",
    "CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, amount DECIMAL(10, 2), bought DATE,"
    " FOREIGN KEY (customer_id) REFERENCES customer (id))",
    "CREATE VIEW big_purchase AS SELECT id, amount FROM purchase WHERE amount > 100",
    "INSERT INTO customer VALUES (1, 'Ada', 'Paris'), (2, 'Bo', NULL), (3, 'Çelik', 'Lyon')",
    "INSERT INTO purchase VALUES (1, 1, 10.50, '2024-01-31'), (2, 1, 250.00, '2024-02-29'), (3, 3, NULL, NULL)",
)


@dataclass(frozen=True, slots=True)
class Engines:
    """An engine with the small database on it: the URL for stef, and all that it holds as seen by its own driver."""

    name: str
    url: str
    content: Callable[[], Any]
    execute: Callable[..., None]


@contextmanager
def sqlite_engine(folder: Path) -> Iterator[Engines]:
    """A file; what it holds are its bytes, and the files beside it."""
    import sqlite3

    path = folder / "small.sqlite"

    def execute(*statements: str) -> None:
        with sqlite3.connect(path) as connection:
            for statement in statements:
                connection.execute(statement)
        connection.close()

    execute(*TABLES)
    yield Engines("sqlite", f"sqlite:///{path}", lambda: _files(folder), execute)


@contextmanager
def duckdb_engine(folder: Path) -> Iterator[Engines]:
    """As for SQLite."""
    import duckdb

    path = folder / "small.duckdb"

    def execute(*statements: str) -> None:
        with duckdb.connect(path) as connection:
            for statement in statements:
                connection.execute(statement)

    execute(*TABLES)
    yield Engines("duckdb", f"duckdb:///{path}", lambda: _files(folder), execute)


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@contextmanager
def postgres_engine(_folder: Path) -> Iterator[Engines]:
    """A name space of its own, dropped afterwards."""
    server = make_url(os.environ.get("STEF_TEST_POSTGRES_URL", "postgresql+psycopg://127.0.0.1:5432/test"))
    admin = _reach(server, "STEF_TEST_POSTGRES_URL")
    name = f"stef_{uuid.uuid4().hex[:12]}"
    url = server.update_query_dict({"options": f"-csearch_path={name}"})
    _run(admin, f"CREATE SCHEMA {name}")
    own = create_engine(url)
    try:
        _run(own, *TABLES)
        yield Engines("postgres", _text(url), lambda: _tables(own, name), lambda *sql: _run(own, *sql))
    finally:
        own.dispose()
        _run(admin, f"DROP SCHEMA {name} CASCADE")
        admin.dispose()


@contextmanager
def mysql_engine(_folder: Path) -> Iterator[Engines]:
    """A database of its own, dropped afterwards."""
    server = make_url(os.environ.get("STEF_TEST_MYSQL_URL", "mysql+pymysql://root@127.0.0.1:3306/test"))
    admin = _reach(server, "STEF_TEST_MYSQL_URL")
    name = f"stef_{uuid.uuid4().hex[:12]}"
    _run(admin, f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
    url = server.set(database=name)
    own = create_engine(url)
    try:
        _run(own, *TABLES)
        yield Engines("mysql", _text(url), lambda: _tables(own, name), lambda *sql: _run(own, *sql))
    finally:
        own.dispose()
        _run(admin, f"DROP DATABASE {name}")
        admin.dispose()


MAKERS = {"sqlite": sqlite_engine, "duckdb": duckdb_engine, "postgres": postgres_engine, "mysql": mysql_engine}


def _reach(url: URL, variable: str) -> Engine:
    engine = create_engine(url)
    try:
        engine.connect().close()
    except OperationalError:
        engine.dispose()
        shown = url.set(password=None).render_as_string()
        pytest.skip(f"no server answers at {shown} (set {variable} to use another)")
    return engine


def _run(engine: Engine, *statements: str) -> None:
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def _tables(engine: Engine, name: str) -> dict[str, Any]:
    """Every table with its rows, and what else a hostile statement could leave behind."""
    found: dict[str, Any] = {}
    with engine.connect() as connection:
        inspector = inspect(connection)
        for table in (*inspector.get_table_names(), *inspector.get_view_names()):
            found[table] = sorted(map(repr, connection.exec_driver_sql(f"SELECT * FROM {table}")))
        if engine.dialect.name == "postgresql":
            found["sequences"] = inspector.get_sequence_names()
            found["large objects"] = connection.exec_driver_sql(
                "SELECT count(*) FROM pg_largeobject_metadata"
            ).scalar_one()
            found["roles"] = connection.exec_driver_sql("SELECT count(*) FROM pg_roles").scalar_one()
            found["locks"] = connection.exec_driver_sql(
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = "
                "(SELECT oid FROM pg_database WHERE datname = current_database())"
            ).scalar_one()
        else:
            found["databases"] = [one for one in inspector.get_schema_names() if one == name]
            found["routines"] = connection.exec_driver_sql(
                f"SELECT count(*) FROM information_schema.routines WHERE routine_schema = '{name}'"
            ).scalar_one()
    return found


def _text(url: URL) -> str:
    return url.render_as_string(hide_password=False)
