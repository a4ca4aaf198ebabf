"""On labelled turns, `stef agree` says what the bench beside the project says of the same RUN."""

import json
import random
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stef.runs.run import open_run

COMMAND = [sys.executable, "-c", "from stef.cli.app import main; main()"]
SAME = {
    "auc": ("auc", 1e-4),
    "within_question": ("within_question", 1e-4),
    # Ties are broken by chance there, and counted by their expectation here.
    "wrong_in_lowest_5pct": ("wrong_in_lowest_5pct", 0.02),
    "caught_at_10pct_false_alarms": ("caught_at_10pct_false_alarms", 0.02),
}


def said(*command: object) -> dict[str, Any]:
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True, check=True)
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def mean_error(bench: Path, run: Path, labels: Path) -> float:
    """The bench's calibration error, which leaves the order of ties to chance, over many such orders."""
    calibration_error = runpy.run_path(str(bench))["calibration_error"]
    correct = {one["id"]: one["correct"] for one in map(json.loads, labels.read_text().splitlines())}
    rows = open_run(run).rows(("id", "p_correct"))
    pairs = [(row["p_correct"], correct[row["id"]]) for row in rows if row["p_correct"] is not None]
    source, found = random.Random(0), []
    for _ in range(100):
        source.shuffle(pairs)
        found.append(calibration_error(pairs))
    return sum(found) / len(found)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["nl2sql_bugs", "superhero_agents", "sqlexam_human"])
def test_figures_are_those_of_the_bench(name: str, shared_dir: Path, tmp_path: Path) -> None:
    """Point figures but for ties, and intervals about as wide."""
    turns, labels = (shared_dir / "data" / kind / f"{name}.jsonl" for kind in ("turns", "labels"))
    run = tmp_path / "run"
    subprocess.run([*COMMAND, "score", turns, "-o", run, "--quiet", "--json"], check=True, stdout=subprocess.DEVNULL)
    theirs = said(sys.executable, shared_dir / "bench" / "discriminate.py", run, labels, turns)
    ours = said(*COMMAND, "agree", run, labels, "--json", "--level", 90)
    overall = ours["overall"]
    assert ours["coverage"] == pytest.approx(theirs["coverage"], abs=1e-4)
    assert 1 - overall["figures"]["wrong"]["value"] == pytest.approx(theirs["base_correct"], abs=1e-4)
    assert overall["questions_with_both"] == theirs["questions_with_both"]
    assert overall["figures"]["calibration_error"]["value"] == pytest.approx(
        mean_error(shared_dir / "bench" / "discriminate.py", run, labels), abs=0.004
    )
    for figure, (column, apart) in SAME.items():
        assert overall["figures"][figure]["value"] == pytest.approx(theirs[column], abs=apart), figure
    for figure, column in (("auc", "auc_90"), ("within_question", "within_90")):
        if theirs[column] is None:
            assert overall["figures"][figure]["interval"] is None
            continue
        (low, high), (their_low, their_high) = overall["figures"][figure]["interval"], theirs[column]
        assert high - low == pytest.approx(their_high - their_low, rel=0.3), figure
