"""Hostile statements on every engine: each is refused or fails, and what the database holds stays as it was."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from databases_kit import Engines

from stef.databases import Database, Limits
from stef.records.result import Failure, FailureKind, Result

_HERE = Path(__file__).parent
HOSTILE = yaml.safe_load((_HERE / "hostile.yaml").read_text(encoding="utf-8"))
WRITES = yaml.safe_load((_HERE / "writes.yaml").read_text(encoding="utf-8"))


def _statements(groups: dict[str, list[str]], engine: str, tmp: Path) -> list[str]:
    return [one.replace("{tmp}", str(tmp)) for one in (*groups["everywhere"], *groups[engine])]


def _attack(database: Database, statements: list[str]) -> list[Any]:
    return [(one, found) for one in statements if not _stopped(found := database.run(one, Limits(timeout=5)))]


def _stopped(found: Result | Failure) -> bool:
    return isinstance(found, Failure) and found.kind not in (FailureKind.TIMEOUT, FailureKind.DATABASE_DOWN)


def test_no_hostile_statement_gives_anything_or_changes_anything(
    engine: Engines, database: Database, tmp_path: Path
) -> None:
    """Each fails under a name of its own; afterwards the content is the same, and a query is answered."""
    outside = tmp_path / "outside"
    outside.mkdir()
    before = engine.content()
    passed = _attack(database, _statements(HOSTILE, engine.name, outside))
    assert not passed, passed[:5]
    assert engine.content() == before
    assert not list(outside.iterdir())
    answered = database.run("SELECT count(*) FROM customer")
    assert isinstance(answered, Result)
    assert answered.columns == ((3,),)


def test_the_connection_stops_what_the_guard_would_let_through(
    engine: Engines, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the guard taken away, the connection or its transaction still cannot write."""
    module = {"sqlite": "sqlite_file", "duckdb": "duckdb_file"}.get(engine.name, "server")
    monkeypatch.setattr(f"stef.databases.{module}.admit", lambda sql, _dialect: sql)
    monkeypatch.setattr("stef.databases.duckdb_file._objection", lambda _cursor, _sql: None)
    outside = tmp_path / "outside"
    outside.mkdir()
    before = engine.content()
    _attack(database, _statements(WRITES, engine.name, outside))
    assert engine.content() == before
    assert not list(outside.iterdir())


def test_there_are_enough_hostile_statements() -> None:
    """At least seventy on every engine."""
    assert all(len(HOSTILE["everywhere"]) + len(found) >= 70 for name, found in HOSTILE.items() if name != "everywhere")
