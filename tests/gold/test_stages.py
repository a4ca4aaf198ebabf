"""What the stages of an agent should have produced, against the turn's trace."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.gold.reading import ReportRow, overview_of, stage_rates
from stef.gold.stages import expectations, grade_stages, stage_of
from stef.records.case import Case
from stef.records.gold import CaseReport, Outcome, StageState
from stef.records.turn import Turn

CASES = yaml.safe_load((Path(__file__).parent / "stages.yaml").read_text("utf-8"))


def case(expect: dict[str, Any]) -> Case:
    """A case with expectations."""
    return Case(id="c", question="q", gold_sql=("SELECT 1",), expect=expect)


@pytest.mark.parametrize("one", CASES, ids=lambda one: f"{one['path']}-{one['expect']}")
def test_a_path_finds_its_stage(one: dict[str, Any]) -> None:
    """By the entry's own name, by a key, or by number; what the turn does not have is neither right nor wrong."""
    fields = {name: value for name, value in one.items() if name not in {"path", "expect", "state"}}
    turn = Turn(question="q", **{"answer": "a", **fields})
    (grade,) = grade_stages(case({one["path"]: one["expect"]}), turn)
    assert (grade.path, grade.state) == (one["path"], StageState(one["state"]))


def test_nested_expectations_are_paths() -> None:
    """A tree of stages reads as its dotted paths; a test of a value is no stage, and the outcome is none either."""
    nested = {"semantic": {"status": "ok", "entities": {"any_of": ["a"]}}, "plan.kind": "count", "outcome": "clarify"}
    assert [path for path, _ in expectations(case(nested))] == ["semantic.status", "semantic.entities", "plan.kind"]
    assert not list(expectations(Case(id="c", question="q", expect="decline")))


TREES = st.recursive(
    st.one_of(st.none(), st.integers(), st.text(max_size=3), st.floats(allow_nan=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("ab."), inner, max_size=2)),
    max_leaves=6,
)


@given(TREES, TREES, st.text("ab.01-", max_size=5))
def test_no_trace_makes_grading_raise(wanted: Any, held: Any, path: str) -> None:
    """Whatever stands in the trace, and whatever is expected."""
    turn = Turn(question="q", answer="a", trace=({"name": "a", "b": held}, {"a": held}))
    for grade in grade_stages(case({path: wanted}), turn):
        assert isinstance(grade.state, StageState)


def row(agent: str, trace: tuple[dict[str, Any], ...] | None, expect: dict[str, Any], correct: bool) -> ReportRow:
    """A turn with its grades."""
    grades = grade_stages(case(expect), Turn(question="q", answer="a", trace=trace))
    return ReportRow(CaseReport("c", Outcome.ANSWERED, correct=correct, stages=grades), agent)


EXPECT = {"semantic.status": "ok", "plan.kind": "count", "plan.rows": 3}
ROWS = [
    row("bot", ({"name": "semantic", "status": "ok"}, {"name": "plan", "kind": "count", "rows": 3}), EXPECT, True),
    row("bot", ({"name": "semantic", "status": "ok"}, {"name": "plan", "kind": "list", "rows": 3}), EXPECT, False),
    row("bot", ({"name": "semantic", "status": "failed"},), EXPECT, False),
    row("bot", None, EXPECT, True),
]


def test_each_stage_has_its_own_rate() -> None:
    """With its n: turns that do not have the stage are counted beside it."""
    stages, paths = stage_rates(ROWS)
    found = [(one.name, one.as_expected.count, one.as_expected.n, one.absent) for one in stages]
    assert found == [("semantic", 2, 3, 1), ("plan", 1, 2, 2)]
    assert [(one.name, one.as_expected.count, one.as_expected.n) for one in paths] == [
        ("semantic.status", 2, 3),
        ("plan.kind", 1, 2),
        ("plan.rows", 2, 2),
    ]


def test_turns_are_sliced_by_the_stage_that_went_wrong_first() -> None:
    """So that it shows how often a right plan still gave a wrong answer."""
    assert [stage_of(one.report.stages) for one in ROWS] == ["as expected", "plan", "semantic", None]
    (agent,) = overview_of(ROWS).agents
    assert [(one.value, one.figures.correct.count, one.figures.turns) for one in agent.slices["stage"]] == [
        ("as expected", 1, 1),
        ("plan", 0, 1),
        ("semantic", 0, 1),
        (None, 1, 1),
    ]


def test_a_stage_that_no_turn_has_is_named() -> None:
    """Most likely the trace is read from another place; it explains no wrong answer."""
    blind = [row("bot", None, {"plan.kind": "count"}, correct) for correct in (True, False, False)]
    found = overview_of(blind)
    assert [(one.field, one.turns, one.failures) for one in found.empty_extractors] == [("plan.kind", 3, 0)]
    assert found.empty_extractor_failures == 0
