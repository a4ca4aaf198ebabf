"""Equal results or equal queries."""

import sqlite3
from collections.abc import Iterator

import pytest

from stef.databases import Database, open_database
from stef.databases.copies import Copy, altered_copies
from stef.gold.coincidence import coincidence, constants_of
from stef.gold.perturbing import Perturbing
from stef.records.case import Case
from stef.records.gold import Apart

CASE = Case(id="c", question="?", gold_sql=("SELECT 1",))
DDL = """
CREATE TABLE maker (maker_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE car (car_id INTEGER PRIMARY KEY, maker_id INTEGER REFERENCES maker, name TEXT, price INTEGER);
CREATE TABLE hollow (x INTEGER);
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("cars") / "cars.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(DDL)
    connection.executemany("INSERT INTO maker VALUES (?, ?)", [(n, f"m{n}") for n in range(1, 9)])
    connection.executemany(
        "INSERT INTO car VALUES (?, ?, ?, ?)", [(n, n % 8 + 1, f"c{n}", n * 3) for n in range(1, 41)]
    )
    connection.commit()
    connection.close()
    opened = open_database(f"sqlite:///{path}")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def copies(database: Database) -> Iterator[tuple[Copy, ...]]:
    queries = ["SELECT * FROM car WHERE price > 60"]
    with altered_copies(database, 8, constants=constants_of(queries, database.schema())) as made:
        yield made


@pytest.mark.parametrize(
    ("gold", "candidate"),
    [
        ("SELECT COUNT(*) FROM car", "SELECT COUNT(name) FROM car"),
        ("SELECT COUNT(*) FROM car", "SELECT 40"),
        ("SELECT name FROM car WHERE price > 60", "SELECT name FROM car WHERE price >= 60"),
        ("SELECT name FROM car", "SELECT DISTINCT name FROM car"),
        ("SELECT m.name FROM maker m", "SELECT DISTINCT m.name FROM maker m JOIN car c ON c.maker_id = m.maker_id"),
        ("SELECT COUNT(*) FROM car", "SELECT COUNT(*) FROM nowhere"),
    ],
)
def test_copies_tell_different_queries_apart(gold: str, candidate: str, copies: tuple[Copy, ...]) -> None:
    """Two queries that give one answer by what the data happens to be part on some copy, and it is told which."""
    found = coincidence(CASE, gold, candidate, copies)
    assert found.apart is Apart.TOLD_APART
    assert found.on
    assert found.first is not None
    assert found.copies == 8


@pytest.mark.parametrize(
    ("gold", "candidate"),
    [
        (
            "SELECT name, price FROM car WHERE price > 60",
            "SELECT c.price, c.name FROM car AS c WHERE NOT c.price <= 60",
        ),
        ("SELECT COUNT(*) FROM maker", "SELECT COUNT(name) FROM maker"),
        ("SELECT MAX(price) FROM car", "SELECT price FROM car ORDER BY price DESC LIMIT 1"),
        (
            "SELECT name FROM car ORDER BY maker_id LIMIT 1",
            "SELECT name FROM car ORDER BY maker_id, car_id DESC LIMIT 1",
        ),
    ],
)
def test_copies_do_not_part_what_is_one(gold: str, candidate: str, copies: tuple[Copy, ...]) -> None:
    """Equal queries are equal on every copy; which of the rows that tie is kept is no difference."""
    found = coincidence(CASE, gold, candidate, copies)
    assert found.apart is Apart.SAME
    assert found.looked_at > 0


def test_copies_without_an_answer_say_nothing(copies: tuple[Copy, ...]) -> None:
    """Where the gold is empty or fails on every copy, it stays open whether two queries are one."""
    for gold in ("SELECT x FROM hollow", "SELECT x FROM nowhere"):
        found = coincidence(CASE, gold, "SELECT x FROM hollow WHERE x > 1", copies)
        assert (found.apart, found.looked_at) == (Apart.OPEN, 0)


def test_copies_that_cannot_be_made_are_a_reason_not_a_number(database: Database) -> None:
    """A database without copies is counted as such; no query is said to be the same or another one."""

    class Server:
        dialect = "mysql"
        name = "mysql://host/db"

        def schema(self) -> object:
            return database.schema()

    with Perturbing(2) as perturbing:
        assert "mysql" in str(perturbing.copies(Server(), []))  # type: ignore[arg-type]
