"""The 64 questions: what is in the set, and that every answer is what it says it is."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stef.cli.app import build
from stef.databases import Database
from stef.records.case import Case, CaseKind
from stef.records.result import Result
from stef.runs.gold.job import GoldJob
from stef.runs.gold.run import run_gold
from stef.runs.gold.summary import record_of
from stef.sql import read_sql
from stef.sql.resolve import resolve
from stef.suites import tpch64
from stef.suites.mock_agents import RIGGED
from stef.suites.same import same_answer

CASES = tpch64.cases()
ANSWERED = [case for case in CASES if case.kind is not CaseKind.UNANSWERABLE]

READING_TAKEN = {
    "biggest-buyers": 3,
    "revenue-1996": 4,
    "order-size": 2,
    "open-or-partial-urgent": 2,
    "average-discount": 2,
    "strongest-country": 2,
    "december-lines": 4,
    "medium-parts": 1,
    "by-rail": 2,
    "brand-stock": 3,
}
"""The reading that each right answer to an ambiguous question takes."""


def ran(database: Database, sql: str) -> Result:
    """What a query gives; it must run."""
    result = database.run(sql)
    assert isinstance(result, Result), result
    return result


def test_what_the_set_holds() -> None:
    """46 answerable, 10 ambiguous, 8 unanswerable; seven kinds of answerable ones, six or seven of each."""
    assert Counter(case.kind.value for case in CASES) == {"answerable": 46, "ambiguous": 10, "unanswerable": 8}
    kinds = Counter(case.category for case in CASES if case.kind is CaseKind.ANSWERABLE)
    assert set(kinds) == {"filter", "join", "aggregation", "time", "top_k", "nested", "window"}
    assert set(kinds.values()) == {6, 7}
    assert {case.difficulty for case in CASES} == {"easy", "medium", "hard"}
    assert all(case.tags and case.question[0].isupper() for case in CASES)


def test_slices_of_the_set() -> None:
    """Ten questions are fast and of every kind; some are controls; over twenty come in other words, too."""
    fast = [case for case in CASES if case.fast]
    assert len(fast) == 10
    assert {case.category for case in fast} == {case.category for case in CASES}
    controls = [case for case in CASES if case.control]
    assert len(controls) == 3
    assert all(case.kind is CaseKind.ANSWERABLE for case in controls)
    assert sum(bool(case.paraphrases) for case in CASES) >= 20
    assert RIGGED in {case.id for case in controls}


def test_notes_say_what_is_missing_and_which_reading_is_which() -> None:
    """An unanswerable case says what is missing; an ambiguous one numbers each of its readings, two at least."""
    for case in CASES:
        if case.kind is CaseKind.UNANSWERABLE:
            assert case.notes and not case.gold_sql
        if case.kind is CaseKind.AMBIGUOUS:
            assert len(case.gold_sql) >= 2
            missing = [n for n in range(1, len(case.gold_sql) + 1) if str(n) not in (case.notes or "")]
            assert case.id == "biggest-buyers" or not missing, (case.id, missing)


def test_near_misses_are_named() -> None:
    """Each control names the unanswerable question that it nearly is."""
    unanswerable = {case.id for case in CASES if case.kind is CaseKind.UNANSWERABLE}
    assert all(any(one in (case.notes or "") for one in unanswerable) for case in CASES if case.control)


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case.id)
def test_right_answers_are_written_twice(case: Case, data: Database) -> None:
    """The second query reads otherwise than any gold, and gives the same answer: of the reading that it takes."""
    second = tpch64.right_sql()[case.id]
    assert read_sql(second, "duckdb") not in [read_sql(sql, "duckdb") for sql in case.gold_sql]
    given = ran(data, second)
    same = [
        number
        for number, sql in enumerate(case.gold_sql, 1)
        if same_answer(case, ran(data, sql), given, ordered=is_ordered(sql, data))
    ]
    assert same == [READING_TAKEN.get(case.id, 1)]


def test_every_right_answer_belongs_to_a_case() -> None:
    """There is one for each case that can be answered, and no other."""
    assert set(tpch64.right_sql()) == {case.id for case in ANSWERED}


@pytest.mark.parametrize("case", [case for case in ANSWERED if len(case.gold_sql) > 1], ids=lambda case: case.id)
def test_the_data_tells_readings_apart(case: Case, data: Database) -> None:
    """No two readings of an ambiguous question have the same answer."""
    for one, other in combinations(case.gold_sql, 2):
        assert not same_answer(case, ran(data, one), ran(data, other), ordered=False)


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case.id)
def test_no_answer_is_empty_or_null(case: Case, data: Database) -> None:
    """Every gold gives rows, and no NULL in them."""
    for sql in case.gold_sql:
        result = ran(data, sql)
        assert result.rows
        assert all(value is not None for column in result.columns for value in column)


def test_money_makes_the_same_five_customers(data: Database) -> None:
    """What the notes of biggest-buyers say: by money they are five, however it is counted."""
    ranked = "SELECT o_custkey FROM orders JOIN lineitem ON l_orderkey = o_orderkey GROUP BY 1 ORDER BY {} DESC LIMIT 5"
    money = ("SUM(l_extendedprice)", "SUM(l_extendedprice * (1 - l_discount))")
    found = [set(ran(data, ranked.format(amount)).columns[0]) for amount in money]
    case = next(case for case in CASES if case.id == "biggest-buyers")
    assert found == [set(ran(data, case.gold_sql[0]).columns[0])] * 2


def test_gold_against_gold_is_right(tpch: Path, tmp_path: Path) -> None:
    """In a gold run each gold, given as an answer, is right, and is told as the reading that it is."""
    cases, log = tmp_path / "tpch64.yaml", tmp_path / "log.jsonl"
    cases.write_text(tpch64.cases_text(), encoding="utf-8")
    turns = [
        {"agent": f"reading {number}", "case_id": case.id, "question": case.question, "sql": sql}
        for case in ANSWERED
        for number, sql in enumerate(case.gold_sql)
    ]
    log.write_text("".join(json.dumps(turn) + "\n" for turn in turns), encoding="utf-8")
    run = run_gold(GoldJob((str(cases),), tpch64.database_url(tpch), (f"replay:{log}",), tmp_path / "run")).run
    records = [record_of(run, row) for row in run.rows(("row", "record"))]
    assert len(records) == len(turns)
    assert [one.report.case_id for one in records if one.report.correct is not True or one.report.faults] == []
    assert all(f"reading {one.report.gold_index}" == one.agent for one in records)
    assert all(one.report.scorer_fault is None for one in records)


def test_every_gold_passes_validation(tpch: Path, tmp_path: Path) -> None:
    """`stef gold validate` fails none: no tie, no unordered LIMIT, no day of today, no literal that is not in the data.

    What doubts are left are those of rules that read words, not data.
    """
    cases = tmp_path / "tpch64.yaml"
    cases.write_text(tpch64.cases_text(), encoding="utf-8")
    arguments = ["gold", "validate", str(cases), "--db", tpch64.database_url(tpch), "--fail-on", "fails", "--json"]
    done = CliRunner().invoke(build(), arguments)
    assert done.exit_code == 0, done.stdout
    doubts = {
        remark["check"]
        for case in json.loads(done.stdout)["cases"]
        for remark in case["remarks"]
        if remark["severity"] == "doubts"
    }
    assert doubts <= {"lint", "question", "paraphrases"}


def is_ordered(sql: str, database: Database) -> bool:
    """Whether the outermost query orders."""
    found = resolve(sql, database.dialect, database.schema())
    return found is not None and found.ordered
