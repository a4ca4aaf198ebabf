"""What a run gives: values, names, failures, cuts; on every engine."""

import datetime as dt
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from databases_kit import Engines

from stef.databases import Database, Limits, open_database
from stef.records.result import Cut, Failure, FailureKind, Result

_HERE = Path(__file__).parent
FAILURES = yaml.safe_load((_HERE / "failures.yaml").read_text(encoding="utf-8"))
ENDLESS = yaml.safe_load((_HERE / "endless.yaml").read_text(encoding="utf-8"))


STANDARD = Limits()


def _result(database: Database, sql: str, limits: Limits = STANDARD) -> Result:
    found = database.run(sql, limits)
    assert isinstance(found, Result), found
    assert all(len(list(column)) == found.rows for column in found.columns)
    return found


def _row(database: Database, sql: str) -> tuple[Any, ...]:
    return tuple(column[0] for column in _result(database, sql).columns)


def test_rows_come_as_columns_of_python_values(engine: Engines, database: Database) -> None:
    """Text with accents, NULLs, decimals and dates, each of the type that the engine stores."""
    found = _result(database, "SELECT id, name, city FROM customer ORDER BY id")
    assert found.names == ("id", "name", "city")
    assert [tuple(column) for column in found.columns] == [(1, 2, 3), ("Ada", "Bo", "Çelik"), ("Paris", None, "Lyon")]
    amount, bought = _row(database, "SELECT amount, bought FROM purchase WHERE id = 2")
    if engine.name == "sqlite":
        assert (amount, bought) == (250, "2024-02-29")
    else:
        assert (amount, bought) == (Decimal("250.00"), dt.date(2024, 2, 29))
        assert isinstance(amount, Decimal)


def test_duplicate_and_odd_names_are_kept(engine: Engines, database: Database) -> None:
    """Two columns of one name stay two, and a percent sign is a percent sign."""
    found = _result(database, "SELECT 1 AS a, 'x%sy%' AS a, 'b' LIKE '%b' AS c")
    assert found.names == ("a", "a", "c")
    assert [column[0] for column in found.columns[:2]] == [1, "x%sy%"]


def test_an_empty_result_has_its_columns(engine: Engines, database: Database) -> None:
    """No rows is a result like any other."""
    found = _result(database, "SELECT id, name FROM customer WHERE id < 0")
    assert (found.names, found.columns, found.rows, found.cut) == (("id", "name"), ((), ()), 0, None)


def test_whole_numbers_beyond_2_to_the_53_are_exact(engine: Engines, database: Database) -> None:
    """9007199254740993 is no float."""
    value = _row(database, "SELECT 9007199254740993")[0]
    assert value == 9007199254740993
    assert isinstance(value, int)


VALUES: dict[str, list[tuple[str, Any]]] = {
    "sqlite": [
        ("1.5", 1.5),
        ("1 = 1", 1),
        ("x'00ff'", b"\x00\xff"),
        ("NULL", None),
        ("9e999", float("inf")),
        ("-9223372036854775808", -(2**63)),
    ],
    "duckdb": [
        ("1.50::DECIMAL(10, 2)", Decimal("1.50")),
        ("170141183460469231731687303715884105727::HUGEINT", 2**127 - 1),
        ("true", True),
        ("NULL::INTEGER", None),
        ("TIMESTAMP '2024-01-31 12:30:00.123456'", dt.datetime(2024, 1, 31, 12, 30, 0, 123456)),
        ("TIMESTAMPTZ '2024-01-31 12:00:00+02'", dt.datetime(2024, 1, 31, 10, tzinfo=dt.UTC)),
        ("TIME '12:30:00'", dt.time(12, 30)),
        ("INTERVAL 3 DAYS", dt.timedelta(days=3)),
        ("[1, NULL, 3]", [1, None, 3]),
        ("{'a': 1, 'b': [DATE '2024-01-31']}", {"a": 1, "b": [dt.date(2024, 1, 31)]}),
        ("MAP {'k': 1}", {"k": 1}),
        ("'\\x00'::BLOB", b"\x00"),
        ("'x'::ENUM ('x', 'y')", "x"),
    ],
    "postgres": [
        ("1.50::numeric", Decimal("1.50")),
        ("1.5::float8", 1.5),
        ("true", True),
        ("NULL::int", None),
        ("timestamp '2024-01-31 12:30:00.123456'", dt.datetime(2024, 1, 31, 12, 30, 0, 123456)),
        ("timestamptz '2024-01-31 12:00:00+02'", dt.datetime(2024, 1, 31, 10, tzinfo=dt.UTC)),
        ("time '12:30:00'", dt.time(12, 30)),
        ("interval '3 days'", dt.timedelta(days=3)),
        ("ARRAY[1, NULL, 3]", [1, None, 3]),
        ("'{\"a\": [1]}'::jsonb", {"a": [1]}),
        ("'\\x00ff'::bytea", b"\x00\xff"),
        ("date 'infinity'", "infinity"),
        ("date '0044-03-15 BC'", "0044-03-15 BC"),
        ("timestamp 'infinity'", "infinity"),
        ("12345678901234567890.5", Decimal("12345678901234567890.5")),
    ],
    "mysql": [
        ("1.50", Decimal("1.50")),
        ("1.5e0", 1.5),
        ("TRUE", 1),
        ("NULL", None),
        ("TIMESTAMP('2024-01-31 12:30:00')", dt.datetime(2024, 1, 31, 12, 30)),
        ("CAST('12:30:00' AS TIME)", dt.timedelta(hours=12, minutes=30)),
        ("x'00ff'", b"\x00\xff"),
        ("18446744073709551615", 2**64 - 1),
        ("CAST('0000-00-00' AS DATE)", "0000-00-00"),
    ],
}


def test_values_are_exact_and_typed(engine: Engines, database: Database) -> None:
    """Each engine's types come out as Python's, NULL as None, and what Python's calendar lacks as text."""
    for expression, expected in VALUES[engine.name]:
        value = _row(database, f"SELECT {expression}")[0]
        assert value == expected, expression
        assert type(value) is type(expected), expression


def test_a_failure_has_a_kind_and_near_names(engine: Engines, database: Database) -> None:
    """The database's words, sorted by what went wrong; wrong names come with the names that are there."""
    for case in (*FAILURES["everywhere"], *FAILURES[engine.name]):
        found = database.run(case["sql"], Limits(timeout=10))
        assert isinstance(found, Failure), case
        assert found.kind == case["kind"], (case, found)
        assert found.message
        assert "\n" not in found.message
        if "near" in case:
            assert list(found.near[:1]) == case["near"], (case, found)


def test_an_endless_query_is_ended_and_the_next_one_answered(engine: Engines, database: Database) -> None:
    """Whatever the engine is busy with, the limit ends it; the query after it is not hit by the word to stop."""
    if engine.name == "mysql":
        values = ", ".join(f"({number})" for number in range(1, 1001))
        engine.execute("CREATE TABLE long_one (id INTEGER)", f"INSERT INTO long_one VALUES {values}")
    for sql in ENDLESS[engine.name]:
        found = database.run(sql, Limits(timeout=0.1, rows=10**9, cells=10**9))
        assert isinstance(found, Failure), (sql, found.rows)
        assert found.kind is FailureKind.TIMEOUT, (sql, found)
        assert found.seconds < 30, sql
        for _ in range(3):
            assert _row(database, "SELECT count(*) FROM customer") == (3,)


_STILL_RUNNING = {
    "postgres": "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()"
    " AND query LIKE '%stef_query%' AND query LIKE '%100000003%'",
    "mysql": "SELECT count(*) FROM information_schema.processlist WHERE db = DATABASE() AND info IS NOT NULL"
    " AND id <> CONNECTION_ID()",
}


def test_a_server_ends_the_query_too(engine: Engines, database: Database) -> None:
    """A query that overran does not go on behind a connection that was closed."""
    if engine.name not in _STILL_RUNNING:
        pytest.skip("has no server")
    values = ", ".join(f"({number})" for number in range(1, 1001))
    engine.execute("CREATE TABLE long_one (id INTEGER)", f"INSERT INTO long_one VALUES {values}")
    sql = "SELECT sum(a.id * b.id) FROM long_one AS a, long_one AS b, long_one AS c WHERE a.id + c.id <> 100000003"
    failed = database.run(sql, Limits(timeout=0.1))
    assert isinstance(failed, Failure)
    assert failed.kind is FailureKind.TIMEOUT
    for _ in range(100):
        if _row(database, _STILL_RUNNING[engine.name]) == (0,):
            return
        time.sleep(0.05)
    pytest.fail("it still runs on the server")


MANY = "SELECT a.id AS x, b.name AS y FROM customer AS a, customer AS b, customer AS c, customer AS d"


@pytest.mark.parametrize(
    ("limits", "rows", "cut"),
    [
        (Limits(), 81, None),
        (Limits(rows=81), 81, None),
        (Limits(rows=80), 80, Cut.ROW_LIMIT),
        (Limits(cells=162), 81, None),
        (Limits(cells=161), 80, Cut.CELL_BUDGET),
        (Limits(cells=10, rows=5), 5, Cut.ROW_LIMIT),
        (Limits(rows=0), 0, Cut.ROW_LIMIT),
        (Limits(cells=1), 0, Cut.CELL_BUDGET),
    ],
)
def test_a_result_is_cut_at_the_limit_that_it_meets_first(
    engine: Engines, database: Database, limits: Limits, rows: int, cut: Cut | None
) -> None:
    """A result that just fits is whole; one row more, and it is cut and says by what."""
    found = _result(database, MANY, limits)
    assert (found.rows, found.cut, len(found.columns)) == (rows, cut, 2)
    assert _row(database, "SELECT count(*) FROM customer") == (3,)


def test_a_long_result_comes_whole_and_in_order(engine: Engines, database: Database) -> None:
    """Rows that come in many parts are put together as they came."""
    digits = "(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4)"
    places = ", ".join(f"{digits} AS t{place}" for place in range(6))
    value = " + ".join(f"t{place}.d * {5**place}" for place in range(6))
    found = _result(database, f"SELECT {value} AS n, 'x' AS x FROM {places} ORDER BY 1")
    assert list(found.columns[0]) == list(range(5**6))
    assert set(found.columns[1]) == {"x"}


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_text_that_is_not_utf_8_is_read(engine: Engines) -> None:
    """An old file's odd bytes come as escapes, and differ from one another."""
    engine.execute("INSERT INTO customer VALUES (4, CAST(x'4aff' AS TEXT), 'Köln'), (5, CAST(x'4afe' AS TEXT), NULL)")
    database = open_database(engine.url)
    for _ in range(2):
        found = _result(database, "SELECT name, city FROM customer WHERE id > 3 ORDER BY id")
        assert [list(column) for column in found.columns] == [["J\\xff", "J\\xfe"], ["Köln", None]]
    database.close()


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_virtual_tables_are_read(engine: Engines) -> None:
    """Full text and R-trees work behind the authorizer."""
    engine.execute(
        "CREATE VIRTUAL TABLE notes USING fts5(body)",
        "INSERT INTO notes VALUES ('a word'), ('no match')",
        "CREATE VIRTUAL TABLE boxes USING rtree(id, low, high)",
        "INSERT INTO boxes VALUES (1, 0, 2)",
    )
    database = open_database(engine.url)
    assert _row(database, "SELECT count(*) FROM notes WHERE notes MATCH 'word'") == (1,)
    assert _row(database, "SELECT count(*) FROM boxes WHERE low < 1") == (1,)
    database.close()


def test_no_text_makes_a_run_raise(database: Database) -> None:
    """Zero bytes, lone surrogates, quotes left open, deep nesting: each is a failure or a result."""
    for sql in (
        "SELECT '\x00'",
        "SELECT '\ud800'",
        "SELECT \ud800",
        'SELECT "open',
        "SELECT /* open",
        "SELECT `open",
        "SELECT $$open",
        f"SELECT {'(' * 20_000}1{')' * 20_000}",
        f"SELECT {' AND '.join(['1 = 1'] * 5_000)}",
        "SELECT " + ", ".join(["1"] * 3_000),
        "SELECT 1 --",
        "\ufeffSELECT 1",
    ):
        assert isinstance(database.run(sql, Limits(timeout=20)), (Result, Failure)), sql[:40]
    assert _row(database, "SELECT count(*) FROM customer") == (3,)
