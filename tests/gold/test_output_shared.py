"""The output family on public gold sets and on cases written from public reports."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from gold_results_kit import result

from stef.databases import Database, Limits, open_database
from stef.gold.cases import load_cases
from stef.gold.output import compare_results
from stef.records.gold import Output
from stef.records.live import LiveColumn, LiveSchema, LiveTable
from stef.records.result import Failure, Result
from stef.sql.resolve import Resolved, matched, resolve

pytestmark = pytest.mark.shared

SETS = {"spider": 640, "bird": 34, "defog_rules": 302}
LIMITS = Limits(timeout=30, rows=200_000)


def golds(shared: Path, name: str) -> Iterator[tuple[str, str, Database]]:
    """Id, SQL and database of all acceptable golds of a set whose database is here."""
    folders = [folder for folder in (shared / "data/databases").iterdir() if folder.is_dir()]
    opened: dict[str, Database] = {}
    for case in load_cases(shared / "data/gold" / f"{name}.jsonl").cases:
        files = [folder / f"{case.database}.sqlite" for folder in folders]
        file = next((file for file in files if file.is_file()), None)
        if file is None or case.database is None:
            continue
        if case.database not in opened:
            opened[case.database] = open_database(f"sqlite:///{file}")
        for sql in case.gold_sql:
            yield case.id, sql, opened[case.database]
    for database in opened.values():
        database.close()


def measured(output: Output) -> list[float | None]:
    """The four numbers."""
    return [output.columns.precision, output.columns.recall, output.cells.precision, output.cells.recall]


@pytest.mark.parametrize("name", SETS)
def test_gold_against_gold_is_perfect_or_undefined(name: str, shared_dir: Path, report: Callable[[str], None]) -> None:
    """Never less than 1.0, whatever the query: nothing is lost in pairing, keys, shelves or tolerance."""
    less, seen = [], Counter[str]()
    for case, sql, database in golds(shared_dir, name):
        found = database.run(sql, LIMITS)
        if isinstance(found, Failure) or found.cut:
            seen["not run"] += 1
            continue
        resolved = resolve(sql, database.dialect, database.schema())
        # A query that cannot be resolved is still the same query as itself: a column is the one in its place.
        origins = resolved.origins if resolved and None not in resolved.origins else range(len(found.names))
        output = compare_results(
            found,
            found,
            reference_origins=origins,
            candidate_origins=origins,
            ordered=bool(resolved and resolved.ordered),
        )
        seen["run"] += 1
        seen.update(one.value for one in output.ceilings)
        verdicts = {output.exact_match, output.exact_match_positional, output.bird_ex, output.spider_ex}
        if not set(measured(output)) <= {1.0, None} or verdicts != {True} or output.scorer_fault:
            less.append((case, sql, output))
    report(f"{name} gold against gold: {dict(seen)}")
    assert less == []
    assert seen["run"] >= SETS[name]


@contextmanager
def engine(tables: dict[str, str]) -> Iterator[tuple[Callable[[str], Result], LiveSchema]]:
    """The tables of a case in memory: how to run a query, and the schema."""
    if tables["engine"] == "sqlite":
        lite = sqlite3.connect(":memory:")
        lite.executescript(tables["ddl"])
        names = [name for (name,) in lite.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {(None, name): [row[1] for row in lite.execute(f'PRAGMA table_info("{name}")')] for name in names}
        execute: Callable[[str], Any] = lite.execute
    else:
        lite = duckdb.connect()  # type: ignore[assignment]
        lite.execute(tables["ddl"])
        columns = {}
        for schema, name, column in lite.execute(
            "SELECT table_schema, table_name, column_name FROM information_schema.columns ORDER BY ordinal_position"
        ).fetchall():
            columns.setdefault((None if schema == "main" else schema, name), []).append(column)
        execute = lite.execute

    def run(sql: str) -> Result:
        cursor = execute(sql)
        rows = cursor.fetchall()
        return result(rows, [column[0] for column in cursor.description])

    live = {
        ".".join(filter(None, (schema, name))).lower(): LiveTable(name, tuple(map(LiveColumn, of_table)), schema=schema)
        for (schema, name), of_table in columns.items()
    }
    with closing(lite):
        yield run, LiveSchema(tables["engine"], live)


def open_cases(shared: Path) -> list[dict[str, Any]]:
    """The cases that have tables and say something of the two results."""
    cases = yaml.safe_load((shared / "cases/open.yaml").read_text("utf-8"))
    return [case for case in cases if "tables" in case and case.get("gold_sql") and case.get("sql")]


def named(output: Output, sides: Sequence[Result]) -> set[tuple[str, str]]:
    """The pairs by name: the candidate's, the reference's."""
    reference, candidate = sides
    return {(bare(candidate.names[one.candidate]), bare(reference.names[one.reference])) for one in output.pairs}


def bare(name: str) -> str:
    """A column's name without case, spaces and brackets: databases write an expression's name as they like."""
    return "".join(one for one in name.lower() if one not in " ()")


def test_pairs_of_the_open_cases(shared_dir: Path, report: Callable[[str], None]) -> None:
    """Columns pair as people say; where all of both sides are paired, cells are theirs too; `rows_equal` holds."""
    count: Counter[str] = Counter()
    for case in open_cases(shared_dir):
        expect = case["expect"]
        if not {"paired_columns", "rows_equal"} & expect.keys():
            continue
        with engine(case["tables"]) as (run, schema):
            try:
                sides = run(case["gold_sql"]), run(case["sql"])
            except (sqlite3.Error, duckdb.Error):
                count["not run"] += 1
                continue
            read: list[Resolved | None] = [resolve(case[name], case["dialect"], schema) for name in ("gold_sql", "sql")]
            if read[0] and read[1]:
                read[1] = matched(read[0], read[1])
            output = compare_results(
                *sides,
                reference_origins=read[0].origins if read[0] else None,
                candidate_origins=read[1].origins if read[1] else None,
            )
        assert output.scorer_fault is None
        if isinstance(expect.get("rows_equal"), bool):
            count["rows_equal"] += 1
            assert output.exact_match is expect["rows_equal"], case["id"]
        if pairs := expect.get("paired_columns", {}).get("pairs"):
            count["pairs"] += 1
            assert named(output, sides) == {(bare(one), bare(other)) for one, other in pairs}, case["id"]
            if len(output.pairs) == len(sides[0].names) == len(sides[1].names):
                count["cells"] += 1
                wanted = expect.get("all_cells", {})
                assert [output.cells.precision, output.cells.recall] == [
                    None if wanted.get(name) is None else pytest.approx(wanted[name], abs=1e-4)
                    for name in ("precision", "recall")
                ], case["id"]
    report(f"open cases: {dict(count)}")
    assert count["pairs"] >= 6
