"""A calibration: applied to judgements, read from files, refused for other judges."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.errors import InputError, UserError
from stef.evaluator import Evaluator
from stef.judge.calibration import JudgeInForce, calibrated, calibration_text, check_judge, load_calibration
from stef.judge.doubles import ScriptedJudge
from stef.judge.verdicts import make_judgement
from stef.records.assessment import Scored
from stef.records.calibration import Calibration, FittedOn, Isotonic, Platt
from stef.records.judgement import Verdict
from stef.records.serialise import assessment_from_json, assessment_to_json
from stef.records.turn import Turn

FITTED = FittedOn(judge="scripted", labels=100, right=60, questions=50, date="2025-01-31", rules={"default": "abc"})
SOBER = Calibration(map=Isotonic(knots=((0.0, 0.2), (1.0, 0.8))), fitted_on=FITTED)
DOUBTFUL = Calibration(map=Isotonic(knots=((0.0, 0.1), (1.0, 0.4))), fitted_on=FITTED)
SCRIPTED = JudgeInForce("scripted", rules={"default": "abc"})

verdicts = st.sampled_from(Verdict)
shares = st.floats(0.0, 1.0)


@given(verdicts, shares)
def test_gamma_follows_from_the_mapped_probability(verdict: Verdict, confidence: float) -> None:
    """The verdict stays; γ is the mapped probability that this verdict is right; what the judge said is kept."""
    said = make_judgement(verdict, confidence, (), "scripted")
    mapped = calibrated(said, SOBER)
    assert mapped.verdict is verdict
    assert mapped.p_correct == pytest.approx(0.2 + 0.6 * said.p_correct)
    expected = mapped.p_correct if verdict.on_right_side else 1 - mapped.p_correct
    assert mapped.confidence == pytest.approx(expected)
    assert mapped.uncalibrated is not None
    assert (mapped.uncalibrated.p_correct, mapped.uncalibrated.confidence) == (said.p_correct, said.confidence)
    assert mapped.uncalibrated.calibration == SOBER.hash


@given(verdicts, shares)
def test_calibrating_again_starts_from_what_the_judge_said(verdict: Verdict, confidence: float) -> None:
    """A second calibration takes the place of the first, and is not put on top of it."""
    said = make_judgement(verdict, confidence, (), "scripted")
    assert calibrated(calibrated(said, DOUBTFUL), SOBER) == calibrated(said, SOBER)


def test_a_verdict_whose_side_flips_keeps_its_word_with_a_low_confidence() -> None:
    """The judge says correct, labels say that such turns are rather wrong: γ is below one half, and so is p."""
    mapped = calibrated(make_judgement(Verdict.CORRECT, 0.95, (), "scripted"), DOUBTFUL)
    assert mapped.verdict is Verdict.CORRECT
    assert mapped.p_correct == mapped.confidence == pytest.approx(0.385)


def turn() -> Turn:
    return Turn(question="How many orders are there?", sql="SELECT COUNT(*) FROM orders")


def test_the_score_follows() -> None:
    """Φ falls by the multiplier of the lower γ, and the record goes through JSON and back."""
    plain = Evaluator(judge=ScriptedJudge([(Verdict.CORRECT, 0.95)]))
    mapped = Evaluator(judge=ScriptedJudge([(Verdict.CORRECT, 0.95)]), calibration=DOUBTFUL)
    before, after = plain.assess_sync(turn()), mapped.assess_sync(turn())
    assert isinstance(before.outcome, Scored)
    assert isinstance(after.outcome, Scored)
    assert (before.outcome.score, after.outcome.score) == (100.0, 50.0)
    assert after.outcome.verdict_score == before.outcome.verdict_score
    assert assessment_from_json(assessment_to_json(after)) == after


def test_settings_name_the_calibration() -> None:
    """A RUN records which calibration was in force, and none where there is none."""
    assert Evaluator(calibration=SOBER).settings()["calibration"] == {
        "hash": SOBER.hash,
        "method": "isotonic",
        "judge": "scripted",
        "labels": 100,
        "date": "2025-01-31",
    }
    assert Evaluator().settings()["calibration"] is None


def test_the_symbolic_judge_is_calibrated_too() -> None:
    """On the path that awaits nothing."""
    said, mapped = Evaluator().assess_sync(turn()).judgement, Evaluator(calibration=SOBER).assess_sync(turn()).judgement
    assert said is not None
    assert mapped is not None
    assert mapped.p_correct == pytest.approx(0.2 + 0.6 * said.p_correct)


@pytest.mark.parametrize("map_", [SOBER.map, Platt(slope=0.5, intercept=-1.0)])
def test_files_come_back_as_they_were(map_: Any, tmp_path: Path) -> None:
    """What is written is read, with the same hash."""
    calibration = Calibration(map=map_, fitted_on=FITTED)
    (tmp_path / "cal.json").write_text(calibration_text(calibration), encoding="utf-8")
    again = load_calibration(tmp_path / "cal.json")
    assert again == calibration
    assert again.hash == calibration.hash


def test_hashes_differ_with_the_map() -> None:
    """Another map is another calibration."""
    assert SOBER.hash != DOUBTFUL.hash
    assert len(SOBER.hash) == 12


def broken(**change: Any) -> str:
    return json.dumps({**json.loads(calibration_text(SOBER)), **change})


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "not valid JSON"),
        ("{oops", "not valid JSON"),
        ("[" * 10_000, "not valid JSON"),
        ("[1]", "stef calibrate"),
        ('{"scoring": {}}', "stef calibrate"),
        (broken(stef_calibration=2), "stef_calibration"),
        (broken(map={"method": "magic"}), "map"),
        (broken(map={"method": "isotonic", "knots": []}), "knots"),
        (broken(map={"method": "isotonic", "knots": [[0.5, 0.5], [0.5, 0.6]]}), "must rise"),
        (broken(map={"method": "isotonic", "knots": [[0.1, 0.5], [0.5, 0.4]]}), "must rise"),
        (broken(map={"method": "isotonic", "knots": [[0.1, 0.5], [0.5, 1.4]]}), "less than or equal to 1"),
        (broken(map={"method": "platt", "slope": -1, "intercept": 0}), "slope"),
        (broken(map={"method": "platt", "slope": 1, "intercept": float("nan")}), "finite"),
        (broken(extra=1), "extra"),
        (broken(fitted_on={"judge": "x"}), "fitted_on.labels"),
    ],
)
def test_a_broken_file_is_named(content: str, says: str, tmp_path: Path) -> None:
    """File, place and fault."""
    (tmp_path / "cal.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=says) as error:
        load_calibration(tmp_path / "cal.json")
    assert str(error.value).startswith(str(tmp_path / "cal.json"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """Not a traceback."""
    with pytest.raises(InputError, match="No such file"):
        load_calibration(tmp_path / "no.json")


@pytest.mark.parametrize(
    ("judge", "says"),
    [
        (JudgeInForce("symbolic"), "scripted, not symbolic"),
        (JudgeInForce("scripted", "123"), "with prompts none, not 123"),
        (JudgeInForce("scripted", None, {"model": "2"}), "with the model unknown, not 2"),
    ],
)
def test_another_judge_is_refused_unless_forced(judge: JudgeInForce, says: str) -> None:
    """A map of one judge says nothing of another."""
    with pytest.raises(UserError, match=says) as error:
        check_judge(SOBER, judge)
    assert "--force" in str(error.value)
    assert any(says in remark for remark in check_judge(SOBER, judge, force=True))


def test_other_circumstances_are_remarked_on() -> None:
    """Other rules or another version change what the judge sees, not who judges."""
    assert check_judge(SOBER, SCRIPTED) == ()
    assert "other rules" in check_judge(SOBER, JudgeInForce("scripted", rules={"default": "xyz"}))[0]
    assert "other settings" in check_judge(SOBER, JudgeInForce("scripted", settings={"temperature": 0.7}))[0]
    versioned = Calibration(map=SOBER.map, fitted_on=FITTED.model_copy(update={"stef_version": "0.1.0"}))
    assert check_judge(versioned, JudgeInForce("scripted", stef_version="0.1.0")) == ()
    remarks = check_judge(versioned, JudgeInForce("scripted", stef_version="0.2.0"))
    assert "stef 0.1.0, and this is 0.2.0" in remarks[0]
