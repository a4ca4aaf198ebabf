"""Refusals scored both ways, what is right for each kind of case, readings, and the penalised score."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.gold.behaviour import accepts_clarifying, expected_of, expects_answer, outcome_of, right_outcome, runnable_sql
from stef.gold.reading import ReportRow, Tally, behaviour_of, readings_of, reliability_of, tally_of
from stef.records.asking import AgentFault, AgentReply
from stef.records.case import Case, CaseKind, Expected
from stef.records.gold import Bucket, CaseReport, GoldState, Outcome
from stef.records.turn import Turn
from stef.rules import AppRules


def case(**fields: Any) -> Case:
    """A case with a gold, unless it says otherwise."""
    return Case(**{"id": "c", "question": "q", "gold_sql": ("SELECT 1",), **fields})


TABLE = [
    # what the case says; what is expected; right outcomes; outcomes that the answer decides
    ({}, "answer", "", "answered fell_back"),
    ({"expect": "answer"}, "answer", "", "answered fell_back"),
    ({"kind": "ambiguous"}, "answer", "", "answered fell_back"),
    ({"kind": "ambiguous", "expect": "clarify"}, "clarify", "clarified", "answered fell_back"),
    ({"kind": "ambiguous", "expect": "clarify", "gold_sql": ()}, "clarify", "clarified", ""),
    ({"expect": "clarify"}, "clarify", "clarified", ""),
    ({"kind": "unanswerable"}, "decline", "declined fell_back", ""),
    ({"kind": "unanswerable", "expect": "answer"}, "decline", "declined fell_back", ""),
    ({"kind": "unanswerable", "expect": "clarify"}, "decline", "declined fell_back clarified", ""),
    ({"kind": "unanswerable", "expect": "unsupported"}, "unsupported", "declined fell_back small_talk", ""),
    ({"kind": "ambiguous", "expect": "decline"}, "decline", "declined fell_back", ""),
    ({"expect": "unsupported"}, "unsupported", "declined fell_back small_talk", ""),
    ({"expect": {"outcome": "clarify", "plan.kind": "none"}}, "clarify", "clarified", ""),
    ({"expect": {"outcome": "answered", "plan.kind": "none"}}, "answer", "", "answered fell_back"),
    ({"expect": {"plan.kind": "none"}}, "answer", "", "answered fell_back"),
]


@pytest.mark.parametrize(("fields", "expected", "right", "open_"), TABLE)
def test_what_is_right(fields: dict[str, Any], expected: str, right: str, open_: str) -> None:
    """Each outcome is right, wrong, or left to the answer; failing and answering without a query never are right."""
    one = case(**fields)
    found = {outcome.value: right_outcome(one, outcome) for outcome in Outcome}
    assert expected_of(one) is Expected(expected)
    assert {outcome for outcome, verdict in found.items() if verdict} == set(right.split())
    assert {outcome for outcome, verdict in found.items() if verdict is None} == set(open_.split())
    assert expects_answer(one) == bool(open_)
    assert accepts_clarifying(one) == ("clarified" in right)


def test_an_agent_that_broke_failed() -> None:
    """Whatever its turn says; and an application's own phrases decline."""
    reply = AgentReply(Turn(question="q", answer="I cannot answer."), AgentFault.CRASH)
    assert outcome_of(reply, "") is Outcome.FAILED
    own = AgentReply(Turn(question="q", sql="Ask your manager."))
    rules = AppRules(refusal_markers=("ask your manager",))
    assert outcome_of(own, runnable_sql(own, None), rules) is Outcome.DECLINED


def row(outcome: Outcome, expected: str = "answer", correct: bool | None = None, **more: Any) -> ReportRow:
    """A turn that ended so."""
    report = {name: more.pop(name) for name in ("bucket", "gold_index", "golds", "held_out", "case_id") if name in more}
    found = CaseReport(**{"case_id": "c", **report}, outcome=outcome, expected=Expected(expected), correct=correct)
    return ReportRow(found, "bot", **more)


A, D, C, N, F = Outcome.ANSWERED, Outcome.DECLINED, Outcome.CLARIFIED, Outcome.NO_QUERY, Outcome.FAILED
ROWS = [
    *[row(A, correct=True)] * 6,
    *[row(A, correct=False)] * 2,
    row(D, correct=False),
    row(C, correct=False, control=True),
    row(A, correct=True, control=True),
    row(N, correct=False, bucket=Bucket.ANSWERED_WITHOUT_QUERY),
    *[row(D, "decline", correct=True, kind=CaseKind.UNANSWERABLE)] * 3,
    row(A, "decline", correct=False, kind=CaseKind.UNANSWERABLE),
    row(F, "decline", correct=False, kind=CaseKind.UNANSWERABLE),
    row(Outcome.FELL_BACK, "decline", correct=True, kind=CaseKind.UNANSWERABLE),
    row(C, "clarify", correct=True, kind=CaseKind.AMBIGUOUS),
    row(D, "clarify", correct=False, kind=CaseKind.AMBIGUOUS),
    row(D, held_out=True),
    row(D, correct=False, bucket=Bucket.HARNESS_FAULT),
]


def test_refusals_both_ways() -> None:
    """Precision over all that was declined, recall over all that cannot be answered; a crash is no refusal."""
    found = behaviour_of(ROWS)
    assert found is not None
    assert (found.decline.precision.count, found.decline.precision.n) == (4, 6)
    assert (found.decline.recall.count, found.decline.recall.n) == (4, 6)
    assert (found.clarification.precision.count, found.clarification.precision.n) == (1, 2)
    assert (found.clarification.recall.count, found.clarification.recall.n) == (1, 2)


def test_each_direction_has_its_score() -> None:
    """Answering, asking and declining, each where it is right; and the two kinds of needless ones."""
    found = behaviour_of(ROWS)
    assert found is not None
    assert (found.answering.count, found.answering.n) == (9, 12)
    assert (found.asking.count, found.asking.n) == (1, 2)
    assert (found.declining.count, found.declining.n) == (4, 6)
    assert (found.over_refusal.count, found.over_refusal.n) == (1, 12)
    assert (found.needless_clarification.count, found.needless_clarification.n) == (1, 12)
    assert (found.controls_answered.count, found.controls_answered.n) == (1, 2)
    assert (found.controls_over_refusal.count, found.controls_over_refusal.n) == (0, 2)
    assert (found.without_query.count, found.without_query.n) == (1, 20)


def test_a_rate_without_turns_is_undefined() -> None:
    """Neither 0 nor 1, with n 0."""
    found = behaviour_of([row(A, correct=True)])
    assert found is not None
    assert (found.decline.precision.share, found.decline.precision.n, found.decline.recall.low) == (None, 0, None)
    assert behaviour_of([]) is None


def test_every_share_has_its_interval() -> None:
    """Wilson's: of 8 in 9 it runs from .565 to .980."""
    found = behaviour_of([*[row(D, "decline", correct=True)] * 8, row(D, correct=False)])
    assert found is not None
    rate = found.decline.precision
    assert (rate.count, rate.n, round(rate.low or 0, 3), round(rate.high or 0, 3)) == (8, 9, 0.565, 0.980)


def test_reliability() -> None:
    """Right counts 1, abstaining 0, wrong −c; a wrong refusal and a failure abstain, a right refusal is right."""
    tally = tally_of(ROWS)
    assert tally == Tally(right=12, abstained=4, wrong=4)
    assert reliability_of(tally, 0).score == 12 / 20
    assert reliability_of(tally, 1).score == 8 / 20
    assert reliability_of(tally, 10).score == -28 / 20
    assert reliability_of(Tally(0, 0, 0), 1).score is None
    assert reliability_of(Tally(1, 0, 0), 1).low is None
    for penalty in (-1, math.nan, math.inf):
        with pytest.raises(ValueError, match="penalty"):
            reliability_of(tally, penalty)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.floats(0, 100))
def test_reliability_falls_with_the_penalty(right: int, abstained: int, wrong: int, penalty: float) -> None:
    """It lies in [−c, 1] with its interval, and an abstention is never worth less than a wrong answer."""
    found = reliability_of(Tally(right, abstained, wrong), penalty)
    if found.score is not None:
        assert -penalty - 1e-9 <= found.score <= 1
        better = reliability_of(Tally(right, abstained + wrong, 0), penalty).score
        assert better is not None
        assert better >= found.score
    if found.low is not None and found.high is not None and found.score is not None:
        assert found.low - 1e-9 <= found.score <= found.high + 1e-9


TWO = (GoldState("a"), GoldState("b"))


def reading(index: int | None, correct: bool, outcome: Outcome = A, case_id: str = "vague") -> ReportRow:
    """A turn on a question with two readings."""
    return row(outcome, "clarify", correct, case_id=case_id, golds=TWO, gold_index=index, kind=CaseKind.AMBIGUOUS)


def test_which_reading_was_taken() -> None:
    """And how many of the readings several turns cover."""
    found = readings_of(
        [
            reading(0, True),
            reading(0, True),
            reading(1, False),
            reading(1, True, case_id="b"),
            reading(None, True, C, "b"),
        ]
    )
    assert found is not None
    assert (found.first, found.others, found.asked, found.neither) == (2, 1, 1, 1)
    assert [(one.case_id, one.taken, one.covered) for one in found.cases] == [
        ("vague", (2, 0), 0.5),
        ("b", (0, 1), 0.5),
    ]
    assert (found.covered.value, found.covered.n) == (0.5, 2)


def test_without_ambiguous_questions_there_are_no_readings() -> None:
    """A question of one reading is none."""
    assert readings_of(ROWS[:4]) is None
