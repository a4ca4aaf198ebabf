"""The question set against what is known of TPC-H: DuckDB's own data, and the benchmark's 22 queries."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from stef.databases import Database, open_database
from stef.records.case import CaseKind
from stef.records.result import Result
from stef.sql import read_sql
from stef.suites import tpch64
from stef.suites.generated import TABLES
from stef.suites.same import same_answer

pytestmark = pytest.mark.shared

ANSWERED = [case for case in tpch64.cases() if case.kind is not CaseKind.UNANSWERABLE]
FREE_TEXT = ("_comment", "_address")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data as the generator makes it."""
    return tpch64.database(tmp_path_factory.mktemp("tpch64") / "tpch64.duckdb")


@pytest.fixture(scope="module")
def dbgen(shared_dir: Path) -> Iterator[Database]:
    """TPC-H as DuckDB's own extension made it."""
    path = shared_dir / "data" / "databases" / "samples" / "tpch_sf001.duckdb"
    with closing(open_database(tpch64.database_url(path))) as opened:
        yield opened


@pytest.mark.parametrize("table", TABLES)
def test_data_is_that_of_duckdb(table: str, made: Path, shared_dir: Path) -> None:
    """Every row is the same but for addresses and comments, which DuckDB draws in its own way."""
    other = shared_dir / "data" / "databases" / "samples" / "tpch_sf001.duckdb"
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{made}' AS ours (READ_ONLY)")
        connection.execute(f"ATTACH '{other}' AS theirs (READ_ONLY)")
        described = connection.execute(f"DESCRIBE ours.{table}").fetchall()
        columns = ", ".join(name for name, *_ in described if not name.endswith(FREE_TEXT))
        for one, two in (("ours", "theirs"), ("theirs", "ours")):
            left = f"SELECT {columns} FROM {one}.{table} EXCEPT ALL SELECT {columns} FROM {two}.{table}"
            assert connection.execute(f"SELECT COUNT(*) FROM ({left})").fetchall() == [(0,)]
        assert connection.execute(f"DESCRIBE theirs.{table}").fetchall()[0][:2] == described[0][:2]


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case.id)
def test_answers_hold_on_duckdbs_data_too(case, made: Path, dbgen: Database) -> None:
    """No gold depends on who made the data."""
    with closing(open_database(tpch64.database_url(made))) as ours:
        for sql in case.gold_sql:
            one, two = ours.run(sql), dbgen.run(sql)
            assert isinstance(one, Result)
            assert same_answer(case, one, two, ordered=False)


def test_no_question_is_one_of_the_benchmarks(dbgen: Database, shared_dir: Path) -> None:
    """No gold says or gives what one of the 22 queries does."""
    queries = json.loads((shared_dir / "data" / "sql" / "tpch_queries.json").read_text("utf-8"))
    known = [query["sql"].strip().rstrip(";") for query in queries]
    read = [read_sql(sql, "duckdb") for sql in known]
    results = [dbgen.run(sql) for sql in known]
    for case in ANSWERED:
        for sql in case.gold_sql:
            assert read_sql(sql, "duckdb") not in read, case.id
            gold = dbgen.run(sql)
            assert isinstance(gold, Result)
            plain = case.model_copy(update={"compare_on": None})
            small = [one for one in results if isinstance(one, Result) and len(one.columns) == len(gold.columns) <= 4]
            assert not any(same_answer(plain, gold, one, ordered=False) for one in small), case.id
