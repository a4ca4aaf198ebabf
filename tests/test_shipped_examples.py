"""The examples do what their README says."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from stef import Evaluator, Turn
from stef.records.assessment import Assessment, Scored, Unscored
from stef.rules import RuleBook

DIRTY = 3
VERSIONS = ("1.3", "1.4")


@pytest.fixture(scope="module")
def sales(repo: Path) -> Path:
    return repo / "examples" / "sales"


@pytest.fixture(scope="module")
def rows(sales: Path) -> list[dict[str, Any]]:
    """The turns of the log, its dirty lines left out."""
    found = []
    for line in (sales / "log.jsonl").read_text("utf-8").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if "question" in row:
            found.append(row)
    return found


@pytest.fixture(scope="module")
def assessed(sales: Path, rows: list[dict[str, Any]]) -> dict[str, Assessment]:
    evaluator = Evaluator(RuleBook.load(sales / "rules.json"))
    known = Turn.model_fields.keys()
    turns = [Turn.model_validate({key: value for key, value in row.items() if key in known}) for row in rows]
    return {turn.id or "": evaluator.assess_sync(turn) for turn in turns}


@pytest.fixture(scope="module")
def labels(sales: Path) -> dict[str, bool]:
    lines = (sales / "labels.jsonl").read_text("utf-8").splitlines()
    return {row["id"]: row["correct"] for row in map(json.loads, lines)}


def mean(assessed: dict[str, Assessment], ids: list[str]) -> float:
    scores = [one.outcome.score for id_ in ids if isinstance((one := assessed[id_]).outcome, Scored)]
    return sum(scores) / len(scores)


def test_log_is_what_its_readme_says(sales: Path, rows: list[dict[str, Any]]) -> None:
    """Two versions on the same questions, and three dirty lines."""
    lines = (sales / "log.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == len(rows) + DIRTY
    assert len({row["id"] for row in rows}) == len(rows)
    per_version = {v: [row["question"] for row in rows if row["agent_version"] == v] for v in VERSIONS}
    assert per_version["1.3"] == per_version["1.4"]


def test_readme_agrees_with_the_labels(sales: Path, labels: dict[str, bool]) -> None:
    """Each mark in the table is the label of its turn."""
    table = [
        line.split("|") for line in (sales / "README.md").read_text("utf-8").splitlines() if line.startswith("| q")
    ]
    marks = {f"{v}-{cells[1].strip()}": cells[3 + i].strip()[0] for cells in table for i, v in enumerate(VERSIONS)}
    assert {id_: mark == "✓" for id_, mark in marks.items() if mark != "·"} == labels


def test_only_what_is_no_query_has_no_score(assessed: dict[str, Assessment]) -> None:
    """Two refusals, one question back, one DELETE."""
    reasons = Counter(one.outcome.reason.value for one in assessed.values() if isinstance(one.outcome, Unscored))
    assert reasons == {"declined": 2, "clarified": 1, "not_a_query": 1}


def test_better_version_scores_better(assessed: dict[str, Assessment], labels: dict[str, bool]) -> None:
    """Right turns score above wrong ones, and version 1.4 above 1.3."""
    right = mean(assessed, [id_ for id_, correct in labels.items() if correct])
    wrong = mean(assessed, [id_ for id_, correct in labels.items() if not correct])
    assert right > wrong + 20
    old, new = (mean(assessed, [id_ for id_ in assessed if id_.startswith(v)]) for v in VERSIONS)
    assert new > old + 5


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("1.3-q02", "not_applied"),
        ("1.4-q01", "fully_applied_with_extras"),
        ("1.4-q17", "fully_applied_with_extras"),
        ("1.4-q28", "fully_applied"),
    ],
)
def test_rules_matter(turn: str, expected: str, assessed: dict[str, Assessment]) -> None:
    """What the README says of the rules holds."""
    alignment = assessed[turn].alignment
    assert alignment is not None
    assert alignment.filters.alignment.value == expected, alignment.filters


@pytest.mark.parametrize("script", ["three_lines.py", "notebook.py"])
def test_scripts_run(script: str, repo: Path) -> None:
    """The scripts of the Python API print something and end well."""
    done = subprocess.run([sys.executable, repo / "examples" / script], capture_output=True, text=True, check=True)
    assert done.stdout.strip()


@pytest.mark.shared
@pytest.mark.parametrize("log", ["intercode_gpt35_react", "intercode_gpt4_10turns", "intercode_human"])
def test_raw_traces_score_after_preparation(log: str, repo: Path, shared_dir: Path, tmp_path: Path) -> None:
    """The ten-line preparation makes a scoreable log of raw agent traces."""
    script, raw = repo / "examples" / "intercode" / "prepare.py", shared_dir / "data" / "logs" / f"{log}.jsonl"
    done = subprocess.run([sys.executable, script, raw], capture_output=True, text=True, check=True)
    evaluator = Evaluator()
    turns = [Turn.model_validate_json(line) for line in done.stdout.splitlines()]
    outcomes = [evaluator.assess_sync(turn).outcome for turn in turns]
    assert sum(isinstance(one, Scored) for one in outcomes) >= 0.97 * len(outcomes)
