"""`stef rescore`: other weights, a new RUN, the old one as it was."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Done, parquet_rows


@pytest.fixture
def run(log: Path, tmp_path: Path, stef: Callable[..., Done]) -> Path:
    """A RUN of the small log, in two parts and more."""
    assert stef("score", log, "-o", tmp_path / "run", "--part-rows", 3).code == 0
    return tmp_path / "run"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Rules under which a fully applied filter is worth less."""
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"scoring": {"filter": {"fully_applied": 3, "fully_applied_with_extras": 2}}}))
    return path


def test_default_weights_change_nothing(run: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """The same weights give the same rows."""
    done = stef("rescore", run)
    assert done.code == 0, done.err
    assert parquet_rows(tmp_path / "run-rescored") == parquet_rows(run)


def test_other_weights_change_scores_and_nothing_else(
    run: Path, rules: Path, tmp_path: Path, stef: Callable[..., Done]
) -> None:
    """Verdicts, filters and unscored turns stay; score, band and their parts follow the weights."""
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    done = stef("rescore", run, "--rules", rules, "-o", tmp_path / "new")
    assert done.code == 0, done.err
    assert "before" in done.out
    assert "after" in done.out
    old, new = parquet_rows(run), parquet_rows(tmp_path / "new")
    moved = {"score", "band", "filter_score", "base", "laxity", "assessment"}
    assert [{k: v for k, v in row.items() if k not in moved} for row in new] == [
        {k: v for k, v in row.items() if k not in moved} for row in old
    ]
    for one, other in zip(old, new, strict=True):
        if one["filter_alignment"] == "fully_applied":
            assert other["filter_score"] == 3
            assert other["score"] < one["score"]
        if one["status"] == "unscored":
            assert other == one
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_json_holds_both(run: Path, rules: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """One document, before and after."""
    document = json.loads(stef("rescore", run, "--rules", rules, "-o", tmp_path / "new", "--json").out)
    assert document["before"]["total"]["mean"] > document["after"]["total"]["mean"]


def test_nothing_is_overwritten(run: Path, rules: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Neither the RUN itself, nor another one, nor a folder of something else."""
    assert stef("rescore", run, "--rules", rules, "-o", run).code == 2
    assert stef("rescore", run, "--rules", rules, "-o", tmp_path / "new").code == 0
    again = stef("rescore", run, "--rules", rules, "-o", tmp_path / "new")
    assert again.code == 0
    assert "already complete" in again.err
    assert stef("rescore", run, "-o", tmp_path / "new").code == 2
    assert stef("rescore", tmp_path / "nowhere").code == 2
    assert stef("rescore", run, "--rules", tmp_path / "no.json").code == 2
