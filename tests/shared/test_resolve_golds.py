"""Real golds and answers resolved: gold against gold is perfect or undefined, columns are those the engine gives."""

import json
import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from stef.gold.components import compare_components
from stef.records.gold import Components, Share
from stef.records.live import LiveColumn, LiveSchema, LiveTable
from stef.sql.resolve import resolve

pytestmark = pytest.mark.shared

SETS = ("tables", "joins", "projections", "filters", "filters_without_values", "aggregations", "grouping")


@cache
def _schema(path: Path) -> LiveSchema:
    tables = {}
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        for name, kind in connection.execute("SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')"):
            try:
                rows = connection.execute("SELECT name, type FROM pragma_table_info(?)", (name,)).fetchall()
            except sqlite3.Error:
                continue
            tables[name.lower()] = LiveTable(name, tuple(LiveColumn(*row) for row in rows), view=kind == "view")
    connection.close()
    return LiveSchema("sqlite", tables)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def _golds(data: Path, name: str) -> Iterator[tuple[str, Path, str]]:
    folder = {"spider": "spider", "bird": "bird", "defog_rules": "defog"}[name]
    for row in _rows(data / "gold" / f"{name}.jsonl"):
        path = data / "databases" / folder / f"{row['db_id']}.sqlite"
        if path.exists():
            for sql in row.get("acceptable_sqls") or [row["gold_sql"]]:
                yield row["id"], path, sql


def _perfect(found: Components) -> bool:
    shares: list[Share] = [getattr(found, name) for name in SETS]
    numbers = [number for share in shares for number in (share.precision, share.recall)]
    return all(number in (1, None) for number in numbers) and False not in (found.order_equal, found.limit_equal)


@pytest.mark.parametrize("name", ["spider", "bird", "defog_rules"])
def test_gold_against_gold(shared_dir: Path, name: str) -> None:
    """Every gold is equal to itself in every component, has an origin for all columns, and tables that exist."""
    unread = []
    for case, path, sql in _golds(shared_dir / "data", name):
        schema = _schema(path)
        first, second = resolve(sql, "sqlite", schema), resolve(sql, "sqlite", schema)
        if first is None or second is None:
            unread.append(case)
            continue
        assert first == second, case
        assert _perfect(compare_components(first, second)), case
        assert first.tables <= schema.tables.keys(), case
        assert None not in first.origins or "RECURSIVE" in sql, case
    # LIMIT with an expression after %: the parser takes the sign for a percentage.
    assert unread in ([], ["defog-questions_gen-203"])


def test_answers_have_as_many_columns_as_the_database_gives(shared_dir: Path) -> None:
    """Where an agent's SQL runs, stars are written out as the engine does it, and every column has an origin."""
    data = shared_dir / "data"
    unread = ran = 0
    seen = set()
    for row in _rows(data / "turns" / "spider_agents.jsonl"):
        key = (row["database"], row["sql"])
        if key in seen:
            continue
        seen.add(key)
        path = data / "databases" / "spider" / f"{row['database']}.sqlite"
        found = resolve(row["sql"], "sqlite", _schema(path))
        if found is None:
            unread += 1
            continue
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            names = [item[0].lower() for item in connection.execute(row["sql"]).description]
        except (sqlite3.Error, sqlite3.Warning, TypeError):
            continue
        finally:
            connection.close()
        ran += 1
        assert len(found.origins) == len(names), row["sql"]
        assert None not in found.origins, row["sql"]
        known = zip(found.names, names, strict=True)
        assert all(ours is None or "." in theirs or ours == theirs for ours, theirs in known), row["sql"]
    assert ran > 2500
    assert unread < 10


def test_tpch(shared_dir: Path) -> None:
    """All 22 TPC-H queries are equal to themselves, with an origin for every column that DuckDB gives."""
    duckdb = pytest.importorskip("duckdb")
    data = shared_dir / "data"
    with duckdb.connect(str(data / "databases" / "samples" / "tpch_sf001.duckdb"), read_only=True) as connection:
        columns: dict[str, list[LiveColumn]] = {}
        query = "SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY ordinal_position"
        for table, name, kind in connection.execute(query).fetchall():
            columns.setdefault(table, []).append(LiveColumn(name, kind))
        schema = LiveSchema("duckdb", {name: LiveTable(name, tuple(items)) for name, items in columns.items()})
        queries = json.loads((data / "sql" / "tpch_queries.json").read_text(encoding="utf-8"))
        assert len(queries) == 22
        for item in queries:
            found, again = resolve(item["sql"], "duckdb", schema), resolve(item["sql"], "duckdb", schema)
            assert found is not None
            assert again is not None
            assert _perfect(compare_components(found, again)), item["query_nr"]
            assert None not in found.origins
            assert len(found.origins) == len(connection.execute(item["sql"]).description)
            assert "'?'" not in repr(found)


def _components(shared_dir: Path) -> list[dict[str, Any]]:
    cases = yaml.safe_load((shared_dir / "cases" / "open.yaml").read_text(encoding="utf-8"))
    return [case for case in cases if "components" in case.get("expect", {})]


def test_components_of_the_failure_cases(shared_dir: Path) -> None:
    """The failure cases say which components of the SQL and of its gold are equal."""
    names = {
        "tables_equal": "tables",
        "joins_equal": "joins",
        "filters_equal": "filters_without_values",
        "filters_equal_with_values": "filters",
        "aggregations_equal": "aggregations",
        "group_by_equal": "grouping",
    }
    checked = 0
    for case in _components(shared_dir):
        tables = {}
        with sqlite3.connect(":memory:") as connection:
            connection.executescript(case["tables"]["ddl"].replace("TIMESTAMP '", "'").replace("DATE '", "'"))
            for (name,) in connection.execute("SELECT name FROM sqlite_schema").fetchall():
                rows = connection.execute("SELECT name, type FROM pragma_table_info(?)", (name,)).fetchall()
                tables[name.lower()] = LiveTable(name, tuple(LiveColumn(*row) for row in rows))
        schema = LiveSchema(case["dialect"], tables)
        gold, done = resolve(case["gold_sql"], None, schema), resolve(case["sql"], None, schema)
        assert gold is not None
        assert done is not None
        found = compare_components(gold, done)
        for key, expected in case["expect"]["components"].items():
            if key in names:
                share: Share = getattr(found, names[key])
                assert ((share.precision, share.recall) in ((1, 1), (None, None))) is expected, (case["id"], key)
                checked += 1
            elif key in ("order_by_equal", "limit_equal"):
                assert getattr(found, key.replace("_by", "")) is expected, (case["id"], key)
                checked += 1
    assert checked >= 10
