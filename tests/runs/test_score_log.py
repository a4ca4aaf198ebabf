"""Scoring a log with a judge that waits, fails, or stops: what stands in the RUN afterwards."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stef.errors import JudgeReplyError, JudgeSetupError, JudgeUnavailableError, StefError
from stef.evaluator import Evaluator
from stef.judge.doubles import ScriptedJudge, Step
from stef.records.judgement import Verdict
from stef.records.request import JudgeRequest
from stef.runs.calls import CallLog
from stef.runs.run import open_run
from stef.runs.score import ScoreJob, score_log

Script = Callable[[JudgeRequest], Step]


def job(folder: Path, turns: int = 30, **options: Any) -> ScoreJob:
    """A log whose questions are numbered, and where it is scored to."""
    log = folder / "log.jsonl"
    log.write_text(
        "".join(
            json.dumps({"question": f"How many orders did customer {i} place?", "sql": "SELECT 1"}) + "\n"
            for i in range(turns)
        )
    )
    return ScoreJob((str(log),), folder / "run", part_rows=10, **options)


def score(what: ScoreJob, script: Script) -> list[dict[str, Any]]:
    """The rows of the RUN, scored by a judge that follows `script`."""
    return list(score_log(what, Evaluator(judge=ScriptedJudge(script)), CallLog()).run.rows())


def number_in(request: JudgeRequest) -> int:
    return int(request.question.removeprefix("How many orders did customer ").removesuffix(" place?"))


def correct(_request: JudgeRequest) -> Step:
    return Verdict.CORRECT


def failing(error: StefError, when: Callable[[int], bool]) -> Script:
    return lambda request: error if when(number_in(request)) else Verdict.CORRECT


def test_rows_stand_in_the_order_of_the_input(tmp_path: Path) -> None:
    """Whatever order the judge's answers come in."""
    rows = score(job(tmp_path), correct)
    assert [row["row"] for row in rows] == list(range(30))
    assert {row["judge"] for row in rows} == {"scripted"}


def test_a_turn_without_an_answer_has_a_reason(tmp_path: Path) -> None:
    """An outage on some turns, and a reply off the scale, are stef's own reasons; the others are scored."""

    def script(request: JudgeRequest) -> Step:
        if number_in(request) == 3:
            return JudgeReplyError("off the scale", "so-so")
        return JudgeUnavailableError("no answer") if number_in(request) == 5 else Verdict.CORRECT

    rows = score(job(tmp_path), script)
    unscored = {
        row["row"]: (row["unscored_reason"], row["unscored_kind"]) for row in rows if row["status"] == "unscored"
    }
    assert unscored == {3: ("judge_reply_invalid", "stef"), 5: ("judge_unavailable", "stef")}
    assert json.loads(rows[3]["assessment"])["outcome"]["reply"] == "so-so"


@pytest.mark.parametrize("turns", [3, 30, 300])
def test_a_judge_that_answers_nobody_stops_the_run(turns: int, tmp_path: Path) -> None:
    """No turn is written as unscored for an outage of all; the same command asks again."""
    what = job(tmp_path, turns)
    with pytest.raises(JudgeUnavailableError, match="the judge answered none of"):
        score(what, failing(JudgeUnavailableError("connection refused"), lambda _: True))
    assert open_run(what.out).parts() == []
    assert len(score(what, correct)) == turns


def test_a_judge_that_stops_in_the_middle_keeps_what_is_finished(tmp_path: Path) -> None:
    """A bad key ends the run at once; later only what is left is asked."""
    what = job(tmp_path)
    with pytest.raises(JudgeSetupError, match="bad key"):
        score(what, failing(JudgeSetupError("bad key"), lambda number: number >= 15))
    assert [path.name for path in open_run(what.out).parts()] == ["part-00000.parquet"]
    assert not open_run(what.out).complete
    judge = ScriptedJudge(correct)
    finished = score_log(what, Evaluator(judge=judge), CallLog())
    assert finished.run.complete
    assert sorted(number_in(request) for request in judge.requests) == list(range(15, 30))


def test_the_number_of_calls_at_once_is_bounded(tmp_path: Path) -> None:
    """No more than `concurrency` turns are with the judge at a time."""
    import asyncio

    class Counting(ScriptedJudge):
        now = most = 0

        async def judge(self, request: JudgeRequest) -> Any:
            self.now += 1
            self.most = max(self.most, self.now)
            await asyncio.sleep(0.05)
            self.now -= 1
            return await super().judge(request)

    judge = Counting(correct)
    score_log(job(tmp_path, concurrency=4), Evaluator(judge=judge), CallLog())
    assert judge.most == 4
