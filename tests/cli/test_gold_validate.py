"""`stef gold validate`, as a user drives it."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Done

CASES = """\
# two good ones, one bad
- id: all
  question: How many films are there?
  gold_sql: SELECT COUNT(*) FROM film

- id: spain
  question: Which films are from Spain?
  gold_sql: SELECT title FROM film WHERE country = 'Espana'

- id: how-long
  question: How long is Agua?
  gold_sql: SELECT length FROM film WHERE title = 'Agua'
"""
Stef = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with cases and their database, which the command runs in."""
    connection = sqlite3.connect(tmp_path / "films.sqlite")
    connection.executescript(
        "CREATE TABLE film (film_id INTEGER PRIMARY KEY, title TEXT, country TEXT, length INTEGER);"
        "INSERT INTO film VALUES (1, 'Agua', 'España', 90), (2, 'Brot', 'Deutschland', 120);"
    )
    connection.close()
    (tmp_path / "cases.yaml").write_text(CASES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


DB = ("--db", "sqlite:///films.sqlite")


def test_what_is_wrong_stands_by_case_with_file_and_line(stef: Stef, folder: Path) -> None:
    """Each remark has its severity, its check, the way out and the query that is proposed."""
    done = stef("gold", "validate", "cases.yaml", *DB, "--only", "literal", "--only", "empty")
    assert done.code == 0
    assert done.out.startswith("cases.yaml:6: spain")
    assert "fails   literal: no film.country is 'Espana'; nearest: 'España'" in done.out
    assert "proposed: SELECT title FROM film WHERE country = 'España'" in done.out
    assert "3 cases: 1 fails, 0 doubts, 0 notes, 2 without a remark" in done.out


def test_only_a_gate_that_was_set_fails(stef: Stef, folder: Path) -> None:
    """Nothing decides unless the user asks: --fail-on ends with 1 where a case is as bad or worse."""
    assert stef("gold", "validate", "cases.yaml", *DB).code == 0
    failed = stef("gold", "validate", "cases.yaml", *DB, "--fail-on", "fails")
    assert (failed.code, "--fail-on: 1 case" in failed.err) == (1, True)
    assert stef("gold", "validate", "cases.yaml", *DB, "--fail-on", "doubts", "--only", "moved").code == 0


def test_json_is_one_document(stef: Stef, folder: Path) -> None:
    """Everything that is printed is there as data, and nothing else stands on standard output."""
    document = json.loads(stef("gold", "validate", "cases.yaml", *DB, "--json").out)
    spain = document["cases"][1]
    assert (spain["where"], spain["worst"]) == ("cases.yaml:6", "fails")
    assert {remark["check"] for remark in spain["remarks"]} >= {"empty", "literal"}
    literal = next(remark for remark in spain["remarks"] if remark["check"] == "literal")
    assert literal["facts"]["nearest"] == ["España"]
    assert document["worst"]["fails"] == 1
    assert document["faults"] == []
    assert document["left_out"] == {}


def test_without_a_database_the_text_is_checked(stef: Stef, folder: Path) -> None:
    """Checks that need one are named, not made up for."""
    done = stef("gold", "validate", "cases.yaml")
    assert done.code == 0
    assert "not made (needs a database (--db)): runs, empty, moved" in done.out


def test_record_writes_answers_and_nothing_else(stef: Stef, folder: Path) -> None:
    """The file keeps every other line; what cannot be recorded is said; a second time nothing changes."""
    done = stef("gold", "validate", "cases.yaml", *DB, "--record", "--only", "moved")
    assert "recorded 2 answers in cases.yaml" in done.out
    assert "not recorded: spain: it returns no row" in done.out
    text = (folder / "cases.yaml").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if "recorded_answer" not in line] == CASES.splitlines()
    assert "recorded_answer: {value: 90, recorded: " in text
    again = stef("gold", "validate", "cases.yaml", *DB, "--record", "--only", "moved")
    assert "still as recorded: 2 answers" in again.out
    assert (folder / "cases.yaml").read_text(encoding="utf-8") == text


def test_a_moved_answer_fails_until_it_is_recorded_anew(stef: Stef, folder: Path) -> None:
    """What moved is said, with the day of the old answer; --record takes the new one."""
    stef("gold", "validate", "cases.yaml", *DB, "--record")
    connection = sqlite3.connect(folder / "films.sqlite")
    connection.execute("INSERT INTO film VALUES (3, 'Ciel', 'France', 100)")
    connection.commit()
    connection.close()
    done = stef("gold", "validate", "cases.yaml", *DB, "--only", "moved", "--fail-on", "fails")
    assert (done.code, "2 was recorded, now it is 3" in done.out) == (1, True)
    assert "moved: all: " in stef("gold", "validate", "cases.yaml", *DB, "--only", "moved", "--record").out
    assert stef("gold", "validate", "cases.yaml", *DB, "--only", "moved", "--fail-on", "fails").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--only", "orphan"), "did you mean 'orphans'?"),
        (("--fail-on", "warning"), "there are fails, doubts, notes"),
        (("--record",), "give it with --db"),
        (("--db", "sqlite:///gone.sqlite"), "no such file"),
        (("--dialect", "sqlit"), "sqlite"),
    ],
)
def test_a_mistake_ends_with_the_way_out(arguments: tuple[str, ...], words: str, stef: Stef, folder: Path) -> None:
    """A user's mistake ends with 2 and says how to go on; no traceback."""
    done = stef("gold", "validate", "cases.yaml", *arguments)
    assert done.code == 2
    assert words in done.err
    assert "Traceback" not in done.err


def test_broken_and_hostile_entries_cost_no_other_case(stef: Stef, folder: Path) -> None:
    """Golds that write or are no SQL, cases without any, control characters: told, and the rest is looked at."""
    (folder / "bad.yaml").write_text(
        "- {id: w, question: Clean up., gold_sql: DELETE FROM film}\n"
        "- {id: n, question: Nothing?, gold_sql: this is no SQL}\n"
        '- {id: c, question: "\\e[31mRed?", gold_sql: "SELECT 1 FROM film WHERE title = \'\\e[2J\'"}\n'
        "- {id: u, question: Ratings?, kind: unanswerable}\n"
        "- {id: d, question: How many films?, gold_sql: SELECT COUNT(*) FROM film, database: elsewhere}\n"
    )
    done = stef("gold", "validate", "bad.yaml", *DB, "--fail-on", "fails")
    assert done.code == 1
    assert "bad.yaml:1: gold_sql: is no query: writes data: DELETE" in done.out
    assert "\x1b" not in done.out
    assert "STEF'S OWN FAULT" not in done.out


def test_altered_copies_tell_readings_apart(stef: Stef, folder: Path) -> None:
    """--perturb says whether two acceptable queries with one answer ever part."""
    connection = sqlite3.connect(folder / "films.sqlite")
    connection.executemany(
        "INSERT INTO film VALUES (?, ?, 'USA', ?)", [(n, f"t{n}", 100 + n * n) for n in range(5, 30)]
    )
    connection.commit()
    connection.close()
    (folder / "two.yaml").write_text(
        "- id: t\n  question: Best film?\n  kind: ambiguous\n  gold_sql:\n"
        "    - SELECT title FROM film ORDER BY length DESC LIMIT 1\n"
        "    - SELECT title FROM film ORDER BY film_id DESC LIMIT 1\n"
    )
    done = stef("gold", "validate", "two.yaml", *DB, "--perturb", "8", "--only", "alike")
    assert "queries 1 and 2 are two readings with one answer on this data" in done.out
    assert "test on data where they differ, as on copy" in done.out


def test_diff_tells_equal_results_from_equal_queries(stef: Stef, folder: Path) -> None:
    """`stef gold diff --perturb` runs both queries on altered copies, too."""
    same = ("--gold", "SELECT COUNT(*) FROM film", "--sql", "SELECT 2", *DB)
    done = stef("gold", "diff", *same, "--perturb", "4")
    assert "Altered copies: different queries" in done.out
    document = json.loads(stef("gold", "diff", *same, "--perturb", "4", "--json").out)
    assert document["coincidence"]["apart"] == "told_apart"
    assert document["correct"] is True
