"""Turns of real systems, scored with the default judge: nothing raises, and little stays without a score.

Every tenth turn, and all of them where STEF_ALL_TURNS is set.
"""

import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from stef import Evaluator, Turn
from stef.records.assessment import Assessment, Scored, Unscored
from stef.records.reasons import UnscoredKind, UnscoredReason

pytestmark = pytest.mark.shared

STEP = 1 if os.environ.get("STEF_ALL_TURNS") else 10
FILES = (
    "bird_agents",
    "blind_agents",
    "flex_human",
    "nl2sql_bugs",
    "spider_agents",
    "sqlexam_human",
    "superhero_agents",
)
SCORED = 0.99
WRONGLY_UNREADABLE = 1 / 500


def read(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def assessed(shared_dir: Path) -> dict[str, list[tuple[str, Assessment]]]:
    """File to the Assessments of its turns, by their ids."""
    evaluator = Evaluator()
    return {
        name: [
            (str(row["id"]), evaluator.assess_sync(Turn.model_validate(row)))
            for row in read(shared_dir / "data" / "turns" / f"{name}.jsonl")[::STEP]
        ]
        for name in FILES
    }


def unscored(assessment: Assessment, kind: UnscoredKind) -> bool:
    return isinstance(assessment.outcome, Unscored) and assessment.outcome.kind is kind


@pytest.mark.xdist_group("turn_files")
@pytest.mark.parametrize("name", FILES)
def test_readable_turns_are_scored(
    name: str, assessed: dict[str, list[tuple[str, Assessment]]], report: Callable[[str], None]
) -> None:
    """At least 99 % of the turns whose SQL can be read have a score, and the rest have a reason in words."""
    found = [one for _, one in assessed[name]]
    readable = [
        one for one in found if not unscored(one, UnscoredKind.AGENT) and not unscored(one, UnscoredKind.BEHAVIOUR)
    ]
    scored = [one for one in readable if isinstance(one.outcome, Scored)]
    reasons = Counter(one.outcome.reason for one in found if isinstance(one.outcome, Unscored))
    report(f"{name}: {len(found)} turns, {len(readable)} readable, {len(scored)} scored, {dict(reasons)}")
    assert reasons[UnscoredReason.HARNESS_FAULT] == 0
    assert all(one.outcome.detail for one in found if isinstance(one.outcome, Unscored))
    assert len(scored) >= SCORED * len(readable)


@pytest.mark.xdist_group("turn_files")
def test_right_turns_are_readable(assessed: dict[str, list[tuple[str, Assessment]]], shared_dir: Path) -> None:
    """No more than 1 in 500 turns that are labelled correct is called unreadable."""
    right, unreadable = 0, []
    for name in FILES:
        labels = {row["id"] for row in read(shared_dir / "data" / "labels" / f"{name}.jsonl") if row["correct"]}
        ours = [(id_, one) for id_, one in assessed[name] if id_ in labels]
        right += len(ours)
        unreadable += [(id_, one.outcome) for id_, one in ours if not isinstance(one.outcome, Scored)]
    assert len(unreadable) <= right * WRONGLY_UNREADABLE, unreadable
