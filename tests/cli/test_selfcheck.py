"""`stef selfcheck`: what it prints, its JSON, and how it ends."""

import json
from pathlib import Path

import pytest

from stef.suites import tpch64


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place for the data, made by the first command that needs it."""
    return tmp_path_factory.mktemp("data") / "tpch64.duckdb"


def test_the_ruler_is_straight(stef, db: Path) -> None:
    """63 of 64, 8 of 9, 8 of 8, every mistake by its name; it says what it does not prove, and ends with 0."""
    done = stef("selfcheck", "--db", db)
    assert done.code == 0, done.out + done.err
    assert "63/64 = 98.4 %" in done.out
    assert "8/9 = 88.9 %" in done.out
    assert done.out.endswith("The ruler is straight. This proves the ruler straight, and no model good.\n")


def test_json_has_each_figure_with_its_n(stef, db: Path) -> None:
    """One document, and nothing else."""
    done = stef("selfcheck", "--db", db, "--json")
    found = json.loads(done.out)
    assert done.code == 0
    assert found["accuracy"] == {"value": 0.984375, "count": 63, "n": 64}
    assert found["decline_precision"] == {"value": 8 / 9, "count": 8, "n": 9}
    assert found["decline_recall"] == {"value": 1.0, "count": 8, "n": 8}
    assert found["straight"] is True
    kinds = ["dropped_filter", "fan_out", "wrong_column", "early_limit"]
    assert [one["agent"] for one in found["mutants"]] == kinds
    assert all(one["changed"] == one["fell_right"] > 0 for one in found["mutants"])
    assert [one["agent"] for one in found["agents"]] == ["right", "refuse_all", "answer_all"]


def test_a_bent_ruler_ends_with_3(stef, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read otherwise is listed, by agent and case."""
    spoilt = {**tpch64.right_sql(), "jumbo-parts": "SELECT 28"}
    monkeypatch.setattr(tpch64, "right_sql", lambda: spoilt)
    done = stef("selfcheck", "--db", db)
    assert done.code == 3
    assert "BENT: right: accuracy 62/64 = 96.9 %, must be 63/64 = 98.4 %" in done.out
    assert "BENT: right, jumbo-parts: " in done.out
    assert "The ruler is bent." in done.out
    assert "please report it" in done.err


def test_everything_can_be_kept(stef, db: Path, tmp_path: Path) -> None:
    """Cases, log and RUN stay where `-o` says, and `stef gold explain` reads the RUN."""
    out = tmp_path / "check"
    assert stef("selfcheck", "--db", db, "-o", out).code == 0
    assert sorted(path.name for path in out.iterdir()) == ["log.jsonl", "run", "tpch64.yaml"]
    assert "weekend-orders" in stef("gold", "explain", out / "run", "weekend-orders::right").out
    again = stef("selfcheck", "--db", db, "-o", out)
    assert again.code == 2
    assert "is not empty; name a new folder" in again.err


def test_other_data_is_the_users_mistake(stef, tmp_path: Path) -> None:
    """It is said what the file lacks."""
    (tmp_path / "other.duckdb").write_text("no database")
    done = stef("selfcheck", "--db", tmp_path / "other.duckdb")
    assert done.code == 2
    assert "cannot be opened as a DuckDB database" in done.err
