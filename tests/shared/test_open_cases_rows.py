"""`open.yaml`: which answers are the gold's rows, on tables that are built as the cases say."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
import yaml
from open_cases_kit import sql_of

from stef.gold.exact import exact_match
from stef.gold.ranked import ranked_by
from stef.gold.shapes import Known, answer
from stef.records.case import Case, Tolerance
from stef.records.result import Executed, Failure, FailureKind, Result

pytestmark = pytest.mark.shared


class Tables:
    """The tables of one case, in the engine that it names."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case = case
        self.sqlite = case["tables"]["engine"] == "sqlite"
        self.connection: Any = sqlite3.connect(":memory:") if self.sqlite else duckdb.connect()
        if self.sqlite:
            self.connection.executescript(case["tables"]["ddl"])
        else:
            self.connection.execute(case["tables"]["ddl"])

    def run(self, sql: str) -> Executed:
        """What a query gives here."""
        try:
            cursor = self.connection.execute(sql)
            rows = cursor.fetchall()
        except (sqlite3.Error, duckdb.Error) as error:
            return Failure(FailureKind.EXECUTION, str(error))
        names = tuple(str(one[0]) for one in cursor.description)
        columns = tuple(zip(*rows, strict=True)) if rows else tuple(() for _ in names)
        return Result(names, columns, len(rows))


def expectations(case: dict[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """Name, SQL, and whether its rows are the gold's."""
    expect = case["expect"]
    if "rows_equal" in expect and "sql" in case:
        yield "main", case["sql"], expect["rows_equal"]
    for part in ("equivalents", "near_misses", "also_right", "variants"):
        for place, other in enumerate(expect.get(part, ())):
            if "rows_equal" in other:
                yield f"{part}[{place}]", other["sql"], other["rows_equal"]


@pytest.fixture(scope="module")
def cases(shared_dir: Any) -> list[dict[str, Any]]:
    """The cases that have tables and a gold."""
    loaded = yaml.safe_load((shared_dir / "cases/open.yaml").read_text("utf-8"))
    return [case for case in loaded if "tables" in case and case.get("gold_sql")]


def test_rows_are_the_golds_where_the_case_says_so(cases: list[dict[str, Any]], report: Any) -> None:
    """Main statements, equivalents, near misses and other right answers, each against the case's gold."""
    wrong, count, unread = [], 0, []
    for case in cases:
        tables = Tables(case)
        gold = tables.run(case["gold_sql"])
        for name, sql, equal in expectations(case):
            found = tables.run(sql)
            if isinstance(gold, Failure) or isinstance(found, Failure):
                unread.append((case["id"], name))
                continue
            count += 1
            if exact_match(gold, found) is not equal:
                wrong.append((case["id"], name, gold, found))
    report(f"open.yaml: rows_equal holds in {count - len(wrong)} of {count}; {len(unread)} do not run")
    assert not wrong
    assert count > 40


def test_a_case_that_rounds_can_set_its_tolerance(cases: list[dict[str, Any]]) -> None:
    """Half of the gold's last digit makes the unrounded answer right, and whole minutes not."""
    case = next(case for case in cases if "rows_equal_by_tolerance" in case["expect"])
    tables, half = Tables(case), Tolerance(relative=0, absolute=0.005)
    gold, found = tables.run(case["gold_sql"]), tables.run(sql_of(case))
    missed = tables.run(case["expect"]["near_misses"][0]["sql"])
    assert isinstance(gold, Result)
    assert isinstance(found, Result)
    assert isinstance(missed, Result)
    assert exact_match(gold, found, tolerance=half) is True
    assert exact_match(gold, found) is False
    assert exact_match(gold, missed, tolerance=half) is False


def test_every_gold_is_right_against_itself(cases: list[dict[str, Any]]) -> None:
    """Also where ties are looked at."""
    for case in cases:
        tables = Tables(case)
        gold = tables.run(case["gold_sql"])
        if isinstance(gold, Result):
            known = Known(ranked=lambda: ranked_by(case["gold_sql"], case["tables"]["engine"], tables.run))  # noqa: B023
            assert answer(gold, gold, Case(id=case["id"], question="?"), known).correct is True


def test_two_tied_winners_are_both_right(cases: list[dict[str, Any]]) -> None:
    """Where the gold leaves the tie open; what the gold itself breaks is broken."""
    case = next(case for case in cases if case["expect"].get("also_right", [{}])[0].get("verdict") == "correct")
    tables, other = Tables(case), case["expect"]["also_right"][0]["sql"]
    open_gold = case["gold_sql"].replace(", yr DESC", "")
    gold, found = tables.run(open_gold), tables.run(other)
    assert isinstance(gold, Result)
    known = Known(ranked=lambda: ranked_by(open_gold, case["tables"]["engine"], tables.run))
    assert answer(gold, found, Case(id="c", question="?"), known).correct is True
