"""Hostile golds, odd databases, and real sets."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stef.databases import Databases, Limits
from stef.evaluator import Evaluator
from stef.gold.cases import CaseSet, load_cases
from stef.gold.validate import CHECKS, Check, Means, Needs, Remark, Severity, Validation, validate
from stef.records.case import Case, CaseKind

ODD = """
CREATE TABLE "my table" ("a b" TEXT, "select" INTEGER, "it's" REAL, é TEXT, PRIMARY KEY ("a b", "select"));
CREATE TABLE mixed (x, y ANY, z BLOB);
CREATE TABLE loop (id INTEGER PRIMARY KEY, up INTEGER REFERENCES loop(id), gone INTEGER REFERENCES nowhere(id));
CREATE VIEW broken AS SELECT * FROM not_there;
CREATE VIEW fine AS SELECT id FROM loop;
CREATE VIRTUAL TABLE words USING fts5(text);
INSERT INTO "my table" VALUES ('x''y', 1, 1.5, 'é'), ('%', 2, NULL, 'E'), ('', 3, 9e999, '');
INSERT INTO mixed VALUES (1, 'a', x'00ff'), ('1', NULL, NULL), (2.5, 3, x''), (NULL, NULL, 'text');
INSERT INTO loop VALUES (1, NULL, NULL), (2, 1, 7), (3, 99, NULL);
INSERT INTO words VALUES ('some words');
"""


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("odd") / "odd.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(ODD)
    return f"sqlite:///{path}"


def said_of(url: str, *cases: Case) -> Validation:
    with Databases(url) as databases:
        means = Means(databases, Limits(timeout=5, rows=10_000), "sqlite", Evaluator().assess_sync)
        return validate(CaseSet(cases), CHECKS, means)


PIECES = st.sampled_from(
    [
        *("SELECT", "*", "COUNT(*)", "FROM", '"my table"', "mixed", "loop", "fine", "broken", "words", "WHERE", "x"),
        *('"a b"', '"select"', "'%'", "''", "=", "LIKE", "/", "0", "1", "NULL", "GROUP BY", "ORDER BY", "LIMIT", "up"),
        *(
            "JOIN",
            "ON",
            "loop.id",
            "=",
            "loop.up",
            "UNION",
            "(",
            ")",
            "AND",
            "NOT",
            "IN",
            ",",
            "AS",
            "x'00'",
            "-1",
            "--",
        ),
    ]
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sql=st.one_of(st.lists(PIECES, max_size=14).map(" ".join).map("SELECT ".__add__), st.text(max_size=40)))
def test_no_gold_and_no_database_makes_a_check_raise(odd: str, sql: str) -> None:
    """Queries and data are hostile: what a check cannot say, it leaves unsaid."""
    case = Case(
        id="c",
        question="How many x's are there in 2023?",
        gold_sql=(sql, "SELECT id FROM loop"),
        kind=CaseKind.AMBIGUOUS,
    )
    assert said_of(odd, case).faults == ()


def test_a_check_that_raises_costs_only_itself(odd: str) -> None:
    """It is counted as stef's own fault with its traceback, and the others go on."""

    def of_case(_subject: object) -> list[Remark]:
        raise ZeroDivisionError("a bug")

    bad = Check("bad", "a bug", Needs.NOTHING, of_case=of_case)  # type: ignore[arg-type]
    case = Case(id="c", question="?", gold_sql=("SELECT nme FROM loop",))
    with Databases(odd) as databases:
        found = validate(CaseSet((case,)), [bad, *CHECKS], Means(databases))
    assert [(fault.check, fault.case_id, fault.message) for fault in found.faults] == [
        ("bad", "c", "ZeroDivisionError: a bug")
    ]
    assert "ZeroDivisionError" in found.faults[0].traceback
    assert [remark.check for remark in found.cases[0].remarks] == ["runs"]


@pytest.mark.shared
@pytest.mark.parametrize("name", ["spider", "defog"])
def test_real_golds_on_their_databases(name: str, shared_dir: Path, report: Callable[[str], None]) -> None:
    """Every check goes through whole sets without a fault; stray spaces of the data are named with the value."""
    data = shared_dir / "data"
    found = load_cases(data / "gold" / ("spider.jsonl" if name == "spider" else "defog_rules.jsonl"))
    validation = said_of(f"sqlite:///{data}/databases/{name}/{{database}}.sqlite", *found.cases)
    assert validation.faults == ()
    literals = [
        remark
        for one in validation.cases
        for remark in one.remarks
        if remark.check == "literal" and remark.severity is Severity.FAILS
    ]
    if name == "spider":
        assert any(remark.facts["nearest"][:1] == ["Aberdeen "] for remark in literals)
    counts = Counter(one.worst.value if one.worst else "nothing" for one in validation.cases)
    report(f"validate {name}: {dict(counts)}")


@pytest.mark.shared
def test_reviewed_golds_without_their_databases(shared_dir: Path, report: Callable[[str], None]) -> None:
    """What people called wrong is doubted more than twice as often as what they left alone."""
    found = load_cases(shared_dir / "data/gold/bird_gold_review.jsonl")
    validation = validate(found, CHECKS, Means(dialect="sqlite", assess=Evaluator().assess_sync))
    assert validation.faults == ()
    doubted = {one.case.id for one in validation.cases if one.worst in (Severity.FAILS, Severity.DOUBTS)}
    wrong = {case.id for case in found.cases if {"gold_sql_wrong", "gold_sql_and_text_changed"} & set(case.tags)}
    right = {case.id for case in found.cases} - wrong
    shares = len(doubted & wrong) / len(wrong), len(doubted & right) / len(right)
    report(f"validate reviewed golds: doubts {shares[0]:.2f} of the wrong ones, {shares[1]:.2f} of the others")
    assert shares[0] > 2 * shares[1]
