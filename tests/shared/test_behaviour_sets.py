"""Public typed questions as cases, and how replies to them ended. Floors lie a little below what was measured."""

import sys
from pathlib import Path
from typing import Any

import pytest

from stef.gold.cases import load_cases
from stef.gold.reading import Rate, behaviour_of
from stef.records.case import CaseKind, Expected
from stef.records.gold import Bucket, Outcome

pytestmark = pytest.mark.shared
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))


@pytest.fixture(scope="module")
def measuring() -> Any:
    """The tool that measures behaviour."""
    import measure_behaviour

    return measure_behaviour


KINDS = {
    "triagesql_test": {CaseKind.ANSWERABLE: 295, CaseKind.AMBIGUOUS: 298, CaseKind.UNANSWERABLE: 881},
    "cosql_dev_turn_types": {CaseKind.ANSWERABLE: 625, CaseKind.AMBIGUOUS: 49, CaseKind.UNANSWERABLE: 187},
    "ehrsql_valid": {CaseKind.ANSWERABLE: 934, CaseKind.UNANSWERABLE: 385},
    "defog_idk_unanswerable": {CaseKind.UNANSWERABLE: 66},
    "ambiqt_two_acceptable": {CaseKind.ANSWERABLE: 241},
}


@pytest.mark.parametrize("name", KINDS)
def test_typed_questions_are_cases(shared_dir: Path, name: str) -> None:
    """All of them, with what is right for each; an answerable one without a query is a control."""
    found = load_cases(shared_dir / "data" / "behaviour" / f"{name}.jsonl")
    assert not found.faults
    assert {kind: sum(case.kind is kind for case in found.cases) for kind in KINDS[name]} == KINDS[name]
    for case in found.cases:
        assert case.gold_sql or case.control or case.kind is not CaseKind.ANSWERABLE
        assert case.kind is not CaseKind.AMBIGUOUS or case.expect is Expected.CLARIFY


def test_an_entry_without_a_type_is_told(shared_dir: Path) -> None:
    """It costs no other one."""
    found = load_cases(shared_dir / "data" / "behaviour" / "cosql_dev_gpt5_predictions.jsonl")
    assert len(found.cases) == 616
    assert len(found.faults) == 1


FLOORS = {
    "GPT-5 on CoSQL, its own types": {
        Outcome.ANSWERED: (0.99, 0.99),
        Outcome.CLARIFIED: (0.82, 0.96),
        Outcome.DECLINED: (0.93, 0.93),
        Outcome.SMALL_TALK: (0.97, 0.88),
    },
    "people on CoSQL": {
        Outcome.CLARIFIED: (0.9, 0.95),
        Outcome.DECLINED: (0.85, 0.7),
        Outcome.SMALL_TALK: (0.97, 0.95),
    },
    "defog's refusals in SQL": {Outcome.DECLINED: (1.0, 1.0)},
    "the same, apostrophes not doubled": {Outcome.DECLINED: (1.0, 0.98)},
    "all logged SQL": {Outcome.ANSWERED: (1.0, 0.995)},
}


def test_how_replies_ended(shared_dir: Path, measuring: Any) -> None:
    """Precision and recall of each outcome, against what the sets say of the replies."""
    for read in measuring.outcomes(shared_dir / "data"):
        for outcome, (precision, recall) in FLOORS[read.name].items():
            assert share(read.precision(outcome)) >= precision, (read.name, outcome)
            assert share(read.recall(outcome)) >= recall, (read.name, outcome)


def test_gpt5s_refusals(shared_dir: Path, measuring: Any, tmp_path: Path) -> None:
    """The replies go through a whole run: each turn that is not right has one cause, none of them stef's own."""
    rows = measuring.run_cosql(shared_dir / "data", tmp_path)
    assert len(rows) == 616
    for row in rows:
        # Of a control without gold only this is known, that it was answered.
        assert (row.report.bucket is None) == (row.report.correct is True) or row.control, row.report.case_id
    assert not any(row.report.bucket in {Bucket.HARNESS_FAULT, Bucket.UNEXPLAINED} for row in rows)
    asked = behaviour_of([row for row in rows if row.category != "improper"])
    assert asked is not None
    assert (asked.decline.precision.count, asked.decline.precision.n) == (3, 15)
    assert (asked.decline.recall.count, asked.decline.recall.n) == (3, 10)
    assert (asked.clarification.precision.count, asked.clarification.recall.n) == (11, 34)


def test_readings_of_five_models(shared_dir: Path, measuring: Any) -> None:
    """Each takes both readings of some questions; who samples widely covers more."""
    covered = {}
    for model in ("chatgpt", "codex"):
        turns = [row for row in measuring.ambiguous_rows(shared_dir / "data") if row.agent == model]
        covered[model] = behaviour_of(turns).readings.covered.value
    assert 0.25 < covered["chatgpt"] < covered["codex"] < 0.7


def share(rate: Rate) -> float:
    """The share, which must be defined."""
    assert rate.share is not None
    return rate.share
