"""The judge without a model."""

import pytest

from stef import Evaluator, Turn, Unscored, Verdict
from stef.judge.symbolic import Model, SymbolicJudge, load_model, verdict_of
from stef.records.reasons import UnscoredReason


@pytest.mark.parametrize(
    ("p", "verdict"),
    [
        (1.0, Verdict.CORRECT),
        (0.75, Verdict.CORRECT),
        (0.74, Verdict.LIKELY_CORRECT),
        (0.5, Verdict.LIKELY_CORRECT),
        (0.49, Verdict.POTENTIALLY_INCORRECT),
        (0.25, Verdict.POTENTIALLY_INCORRECT),
        (0.24, Verdict.INCORRECT),
        (0.0, Verdict.INCORRECT),
    ],
)
def test_verdicts(p: float, verdict: Verdict) -> None:
    """A quarter of the scale each; the lower bound belongs to the verdict."""
    assert verdict_of(p) is verdict


def test_confidence_is_that_of_the_side() -> None:
    """γ is the probability of the verdict's side, so it is never below a half."""
    judged = Evaluator().assess_sync(Turn(question="How many cats are there?", sql="SELECT name FROM dogs LIMIT 3"))
    assert judged.judgement is not None
    sure = judged.judgement
    assert sure.confidence >= 0.5
    expected = sure.confidence if sure.verdict.on_right_side else 1 - sure.confidence
    assert sure.p_correct == pytest.approx(expected)
    assert sure.judge == "symbolic"


def test_reasons_name_what_weighed() -> None:
    """Every reason is a name of the evidence with its part of the log-odds."""
    judged = Evaluator().assess_sync(Turn(question="Which cats are older than 9?", sql="SELECT name FROM cats"))
    assert judged.judgement is not None
    assert any(reason.startswith("filter absent (-") for reason in judged.judgement.reasons)


def test_the_model_is_data() -> None:
    """Other coefficients give another verdict; a name without a weight counts nothing."""
    turn = Turn(question="How many cats are there?", sql="SELECT COUNT(*) FROM cats")
    sure = Evaluator(judge=SymbolicJudge(Model(9.0, {}, "test"))).assess_sync(turn)
    unsure = Evaluator(judge=SymbolicJudge(Model(-9.0, {}, "test"))).assess_sync(turn)
    assert sure.judgement is not None
    assert unsure.judgement is not None
    assert (sure.judgement.verdict, unsure.judgement.verdict) == (Verdict.CORRECT, Verdict.INCORRECT)
    assert load_model().version


def test_it_abstains_from_strangers() -> None:
    """A question and SQL without a word in common: no guess, and no number."""
    turn = Turn(question="What did the mayor's cousin whisper to the baker?", sql="SELECT a1, b2 FROM t9 WHERE c3 > d4")
    outcome = Evaluator().assess_sync(turn).outcome
    assert isinstance(outcome, Unscored)
    assert outcome.reason is UnscoredReason.QUESTION_NOT_READABLE
