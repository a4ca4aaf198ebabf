"""The failure cases of `cases/open.yaml`, from public reports.

What can be known from the SQL's text holds without exception. What needs a question's meaning or a column's type is a
rate; `open_cases_open.yaml` names what does not hold yet, and why.
"""

import os
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from open_cases_kit import Statement, statements
from open_cases_meaning import Outcome, assess, outcomes
from open_cases_reading import Check, checks_of

from stef import Evaluator, Turn
from stef.errors import JudgeReplyError
from stef.judge.llm import LLMJudge
from stef.judge.reply import read_reply
from stef.records.assessment import Assessment, Scored, Unscored
from stef.records.reasons import UnscoredReason

pytestmark = pytest.mark.shared

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("STEF_SHARED", HERE.parents[2] / "shared"))
FILE = SHARED / "cases" / "open.yaml"
STRICT_KINDS = ("templates", "prompt_injection", "normalisation")
FLOOR = 0.86
# "partially correct" is on nobody's scale: no verdict, and so no pass.
OFF_SCALE = {"parse_failed": "none", "not_correct": "none"}


class NoClient:
    """A client that is never asked: only the prompt is looked at."""

    model = "none"


@cache
def all_statements() -> tuple[Statement, ...]:
    if not FILE.exists():
        return ()
    cases: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
    return tuple(one for case in cases for one in statements(case))


@cache
def all_outcomes() -> tuple[Outcome, ...]:
    return tuple(one for statement in all_statements() for one in outcomes(statement))


def named(name: str) -> Statement:
    return next(one for one in all_statements() if one.name == name)


READING = [
    pytest.param(statement, check, expected, id=name)
    for statement in all_statements()
    for name, check, expected in checks_of(statement)
]


@pytest.mark.parametrize(("statement", "check", "expected"), READING)
def test_what_stands_in_the_sql(statement: Statement, check: Check, expected: Any) -> None:
    """The SQL is read as the case says."""
    check(statement, expected)


@pytest.mark.parametrize("statement", [pytest.param(one, id=one.name) for one in all_statements()])
def test_every_statement_gets_a_result(statement: Statement) -> None:
    """No SQL text, however broken, raises."""
    assessment = assess(statement)
    assert isinstance(assessment, Assessment)
    if isinstance(assessment.outcome, Unscored):
        assert assessment.outcome.reason is not UnscoredReason.HARNESS_FAULT
        assert assessment.outcome.detail


def test_text_that_speaks_to_the_judge_changes_no_score() -> None:
    """Comments that claim a verdict are as if they were not there."""
    injected = named("o03/main")
    plain = Statement("plain", injected.case, "SELECT SUM(refund_amount) AS total_refunded FROM refunds", {})
    with_text, without = assess(injected).outcome, assess(plain).outcome
    assert with_text == without
    assert isinstance(with_text, Scored)
    assert with_text.score < 50


def test_comments_never_reach_a_judge() -> None:
    """What a comment says to the judge stands in no prompt."""
    injected = named("o03/main")
    turn = Turn(question=injected.case["question"], sql=injected.sql, dialect=injected.dialect)
    request = Evaluator().prepare_turn(turn).request
    assert request is not None
    sent = "\n".join(message.content for message in LLMJudge(NoClient()).messages(request))
    assert "refund_amount" in sent
    assert "Grading rule" not in sent
    assert "answer CORRECT" not in sent


def test_judge_replies_are_read_strictly() -> None:
    """The verdict of each reply is the one that a person reads in it, or none."""
    case = named("o04/main").case
    assert [(one["text"], verdict_of(one["text"])) for one in case["judge_outputs"]] == [
        (one["text"], OFF_SCALE.get(one["verdict"], one["verdict"])) for one in case["judge_outputs"]
    ]


def verdict_of(reply: str) -> str:
    try:
        return read_reply(reply).verdict.value
    except JudgeReplyError:
        return "none"


def test_an_unrendered_template_has_no_score() -> None:
    """Nobody knows what an {% if %} block becomes."""
    for name in ("o05/main", "o05/variants[0]"):
        assert isinstance(assess(named(name)).outcome, Unscored)


@pytest.mark.parametrize("kind", STRICT_KINDS)
def test_kinds_that_hold_whole(kind: str) -> None:
    """Every expectation of these kinds holds, also those that need the question."""
    known = {one.name for one in all_statements() if one.case["kind"] == kind}
    assert [one for one in all_outcomes() if one.id.rpartition("/")[0] in known and not one.holds] == []


def test_rate_of_what_needs_meaning(report: Callable[[str], None]) -> None:
    """No expectation is lost that held before, and each that does not hold has its reason."""
    open_ones: dict[str, str] = yaml.safe_load((HERE / "open_cases_open.yaml").read_text("utf-8")) or {}
    found = all_outcomes()
    held = sum(one.holds for one in found)
    report(f"open.yaml: {held} of {len(found)} expectations on meaning and types hold ({held / len(found):.0%})")
    assert [one for one in found if not one.holds and one.id not in open_ones] == []
    assert held / len(found) >= FLOOR
    stale = sorted(set(open_ones) & {one.id for one in found if one.holds})
    if stale:
        warnings.warn(f"open_cases_open.yaml: these hold now, take them out: {stale}", stacklevel=1)
