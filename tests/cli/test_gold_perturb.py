"""`--perturb` on whole runs: right turns once more, on altered copies of their database."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Done

Stef = Callable[..., Done]


@pytest.fixture
def example(repo: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shipped gold set with its database and log."""
    monkeypatch.chdir(repo / "examples/gold")
    return repo / "examples/gold"


RUN = ("gold", "run", "cases.yaml", "--db", "sqlite:///music.sqlite", "--agent", "replay:turns.jsonl", "--quiet")


def test_a_run_counts_what_is_right_by_coincidence(stef: Stef, example: Path, tmp_path: Path) -> None:
    """Every right turn with a gold is looked at; the RUN keeps what was seen, and rescoring keeps it too."""
    done = stef(*RUN, "-o", tmp_path / "run", "--perturb", "8", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)["coincidences"]
    assert found
    for one in found:
        assert 0 < one["told_apart"] < one["looked_at"]
        assert one["not_available"] == 0
    again = stef("gold", "rescore", tmp_path / "run", "-o", tmp_path / "again", "--json")
    assert json.loads(again.out)["coincidences"] == found


def test_a_run_is_shown_with_it_and_without(stef: Stef, example: Path, tmp_path: Path) -> None:
    """The table stands only where copies were asked for, and such a run is another run."""
    assert "Right by coincidence" in stef(*RUN, "-o", tmp_path / "run", "--perturb", "2").out
    assert "Right by coincidence" not in stef(*RUN, "-o", tmp_path / "plain").out
    assert stef(*RUN, "-o", tmp_path / "plain", "--perturb", "2").code == 2
