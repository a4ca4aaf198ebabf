"""Altered copies of databases."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from stef.databases import Database, open_database
from stef.databases.altering import Alteration
from stef.databases.copies import NoCopiesError, altered_copies
from stef.records.result import Result

DDL = """
CREATE TABLE maker (maker_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
CREATE TABLE car (car_id INTEGER PRIMARY KEY, maker_id INTEGER NOT NULL REFERENCES maker(maker_id),
  price INTEGER, weight REAL, electric INTEGER NOT NULL, plate TEXT UNIQUE);
CREATE TABLE owns (car_id INTEGER REFERENCES car(car_id), person TEXT, PRIMARY KEY (car_id, person));
CREATE TABLE note (words TEXT);
CREATE VIEW cheap AS SELECT car_id, price FROM car WHERE price < 50;
"""


def rows_of(number: int) -> Iterator[str]:
    for n in range(1, 13):
        yield f"INSERT INTO maker VALUES ({n}, 'm{n}', '{'AB'[n % 2]}')"
    for n in range(1, number + 1):
        yield f"INSERT INTO car VALUES ({n}, {n % 12 + 1}, {n * 7 % 90}, {n}.5, {n % 2}, 'p{n}')"
        yield f"INSERT INTO owns VALUES ({n}, 'x{n % 5}')"
        yield f"INSERT INTO note VALUES ('w{n % 3}')"


@pytest.fixture(params=["sqlite", "duckdb"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    path = tmp_path / f"cars.{request.param}"
    connection: Any = sqlite3.connect(path) if request.param == "sqlite" else duckdb.connect(str(path))
    for statement in [*DDL.split(";"), *rows_of(60)]:
        if statement.strip():
            connection.execute(statement)
    if request.param == "sqlite":
        connection.commit()
    connection.close()
    with closing(open_database(f"{request.param}:///{path}")) as opened:
        yield opened


def one(database: Database, sql: str) -> Any:
    executed = database.run(sql)
    assert isinstance(executed, Result), executed
    return executed.columns[0][0]


def table(database: Database, name: str) -> list[tuple[Any, ...]]:
    executed = database.run(f"SELECT * FROM {name} ORDER BY 1, 2")
    assert isinstance(executed, Result), executed
    return list(zip(*executed.columns, strict=True))


def test_each_copy_is_altered_in_one_way_and_the_database_is_not(database: Database) -> None:
    """Copies shift, drop, duplicate and null in turns; what they are made of stays as it was."""
    before = table(database, "car")
    with altered_copies(database, 5) as copies:
        assert [copy.how for copy in copies] == [*Alteration, Alteration.SHIFTED]
        shifted, dropped, duplicated, nulled, again = (copy.database for copy in copies)
        assert one(shifted, "SELECT COUNT(*) FROM car") == 60
        assert table(shifted, "car") != before != table(again, "car") != table(shifted, "car")
        assert one(dropped, "SELECT COUNT(*) FROM car") < 60
        assert one(duplicated, "SELECT COUNT(*) FROM note") > 60
        assert one(nulled, "SELECT COUNT(*) FROM car WHERE price IS NULL") > 0
    assert table(database, "car") == before


def test_copies_keep_the_rules_of_the_data(database: Database) -> None:
    """Keys are unique, links lead somewhere, numbers and texts are of their column, NOT NULL stays, views are there."""
    with altered_copies(database, 8) as copies:
        for copy in copies:
            held = copy.database
            assert one(held, "SELECT COUNT(*) - COUNT(DISTINCT car_id) FROM car") == 0
            assert one(held, "SELECT COUNT(*) FROM car WHERE maker_id NOT IN (SELECT maker_id FROM maker)") == 0
            assert one(held, "SELECT COUNT(*) FROM owns WHERE car_id NOT IN (SELECT car_id FROM car)") == 0
            assert one(held, "SELECT COUNT(*) FROM car WHERE price < 0 OR price > 89 OR electric NOT IN (0, 1)") == 0
            assert one(held, "SELECT COUNT(*) FROM maker WHERE name IS NULL OR country NOT IN ('A', 'B')") == 0
            assert one(held, "SELECT COUNT(*) FROM cheap") == one(held, "SELECT COUNT(*) FROM car WHERE price < 50")


def test_copies_are_the_same_for_a_seed_and_gone_afterwards(database: Database) -> None:
    """A finding can be looked at again, and nothing is left behind."""
    seen = []
    for seed in (3, 3, 4):
        with altered_copies(database, 2, seed=seed) as copies:
            seen.append([table(copy.database, "car") for copy in copies])
            folder = Path(copies[0].database.name.partition("///")[2]).parent
            assert folder.is_dir()
        assert not folder.exists()
    assert seen[0] == seen[1] != seen[2]


def test_rows_get_what_queries_ask_for(database: Database) -> None:
    """A constant of a query, and its neighbours, come to stand in the column, so that > and >= part."""
    sql = "SELECT COUNT(*) FROM car WHERE price BETWEEN 79 AND 81"
    with altered_copies(database, 1) as bare, altered_copies(database, 1, constants={("car", "price"): [80]}) as asked:
        assert one(asked[0].database, sql) > one(bare[0].database, sql)


def test_there_are_no_copies_of_other_databases() -> None:
    """A copy must speak the same SQL, so a server's database has none here, and the reason is told."""

    class Server:
        dialect = "postgres"
        name = "postgresql://host/db"

    with pytest.raises(NoCopiesError, match="SQLite and DuckDB files, not of postgres"), altered_copies(Server(), 1):  # type: ignore[arg-type]
        pass
