"""Every check, on small databases."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from stef.databases import Databases
from stef.gold.cases import CaseSet
from stef.gold.validate import CHECKS, Means, Remark, Validation, chosen_checks, validate
from stef.records.case import Case

GROUPS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "validate_cases.yaml").read_text("utf-8"))
WITHOUT_JUDGE = [check for check in CHECKS if check.name not in ("lint", "question")]


def database(folder: Path, ddl: str) -> str:
    """The URL of a new database."""
    connection = sqlite3.connect(folder / "small.sqlite")
    connection.executescript(ddl)
    connection.close()
    return f"sqlite:///{folder}/small.sqlite"


def case_of(entry: dict[str, Any]) -> Case:
    """The case that an entry of the file speaks of."""
    return Case.model_validate(
        {
            "id": "c",
            "question": entry.get("question", "?"),
            "paraphrases": tuple(entry.get("paraphrases", ())),
            "kind": entry.get("kind", "answerable"),
            "gold_sql": tuple(entry.get("golds", [entry["gold"]] if "gold" in entry else [])),
            "expect_empty": entry.get("expect_empty", False),
            "recorded_answer": entry.get("recorded"),
        }
    )


def validated(url: str, cases: tuple[Case, ...], only: str | None = None) -> Validation:
    """What is said of cases."""
    checks = chosen_checks([only]) if only else WITHOUT_JUDGE
    with Databases(url) as databases:
        return validate(CaseSet(cases), checks, Means(databases))


def entries() -> Iterator[Any]:
    for group in GROUPS:
        for entry in group["cases"]:
            name = entry.get("about") or entry.get("gold") or entry["golds"][0]
            yield pytest.param(group, entry, id=name[:70])


def agrees(remark: Remark, expected: dict[str, Any]) -> None:
    """The remark says what is expected of it."""
    assert (remark.check, remark.severity.value) == (expected["check"], expected["severity"]), remark
    for words in expected.get("has", ()):
        assert words in remark.message
    if "sql" in expected:
        assert remark.sql == expected["sql"]


@pytest.mark.parametrize(("group", "entry"), list(entries()))
def test_a_case_is_told_what_is_wrong_with_it_and_nothing_else(
    group: dict[str, Any], entry: dict[str, Any], tmp_path: Path
) -> None:
    """What the checks say of a case is what the file says, the worst first."""
    found = validated(database(tmp_path, group["ddl"]), (case_of(entry),), entry.get("only"))
    assert not found.faults
    said = found.cases[0].remarks
    assert [(one.check, one.severity.value) for one in said] == [
        (one["check"], one["severity"]) for one in entry["said"]
    ]
    for remark, expected in zip(said, entry["said"], strict=True):
        agrees(remark, expected)


@pytest.mark.parametrize("group", [pytest.param(one, id=one["about"][:60]) for one in GROUPS])
def test_a_database_is_told_what_is_wrong_with_it(group: dict[str, Any], tmp_path: Path) -> None:
    """Remarks on a database stand by themselves, once, not at each of its cases."""
    found = validated(database(tmp_path, group["ddl"]), tuple(map(case_of, group["cases"][:1])))
    said = [one for one in found.databases.get("", ()) if one.severity.value != "fails"]
    assert len(said) == len(group.get("database", ()))
    for remark, expected in zip(said, group.get("database", ()), strict=True):
        agrees(remark, expected)


def test_every_proposed_query_runs_and_is_told_nothing_of_its_check(tmp_path: Path) -> None:
    """A proposal mends what it is proposed for."""
    url = database(tmp_path, GROUPS[0]["ddl"])
    found = validated(url, tuple(map(case_of, GROUPS[0]["cases"])))
    proposed = [(one.check, one.sql) for case in found.cases for one in case.remarks if one.sql]
    assert len(proposed) >= 8
    for check, sql in proposed:
        again = validated(url, (Case(id="p", question="?", gold_sql=(sql or "",)),))
        assert check not in [one.check for one in again.cases[0].remarks], sql
        assert "runs" not in [one.check for one in again.cases[0].remarks], sql


TWINS = [
    ("How many films?", (), "SELECT COUNT(*) FROM film"),
    ("how many films", (), "SELECT COUNT(film_id) FROM film"),
    ("Count the films.", ("How many films?",), "SELECT COUNT(*) FROM actor"),
    ("What are the titles of all films longer than 100 minutes?", (), "SELECT title FROM film WHERE length > 100"),
    ("What are the titles of films longer than 100 minutes?", (), "SELECT title FROM film WHERE length > 130"),
    ("What are the titles of all films longer than 90 minutes?", (), "SELECT title FROM film WHERE length > 90"),
    ("What are the titles of all films shorter than 100 minutes?", (), "SELECT title FROM film WHERE length < 100"),
]


def test_one_question_with_two_golds_is_told_of_the_later_case(tmp_path: Path) -> None:
    """The same words with another answer fail, nearly the same are in doubt; other numbers are other questions."""
    cases = tuple(
        Case(id=f"c{number}", question=question, paraphrases=phrasings, gold_sql=(sql,))
        for number, (question, phrasings, sql) in enumerate(TWINS)
    )
    found = validated(database(tmp_path, GROUPS[0]["ddl"]), cases, "twins")
    said = {one.case.id: [(remark.severity.value, remark.message) for remark in one.remarks] for one in found.cases}
    assert said["c1"] == [("notes", "is the question of c0, with the same answer")]
    assert said["c2"] == [("fails", "shares a phrasing with c0, and their golds disagree")]
    assert [(severity, "nearly the question" in words) for severity, words in said["c4"]] == [("doubts", True)]
    assert said["c0"] == said["c3"] == said["c5"] == said["c6"] == []
