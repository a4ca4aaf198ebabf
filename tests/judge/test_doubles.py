"""The public doubles: scripted, recording, recorded."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from stef.errors import JudgeReplyError, JudgeSetupError, JudgeUnavailableError
from stef.judge import Judge, RecordedJudge, RecordingJudge, ScriptedJudge, make_judge, request_key
from stef.judge.verdicts import make_judgement
from stef.records.judgement import Judgement, Usage, Verdict
from stef.records.request import JudgeRequest

Make = Callable[..., JudgeRequest]


async def test_a_script_is_said_in_order(make_request: Make) -> None:
    """Verdicts, pairs and judgements are said, errors are raised, requests are remembered."""
    own = make_judgement(Verdict.LIKELY_CORRECT, 0.6, ("why",), "somebody")
    judge = ScriptedJudge([Verdict.CORRECT, (Verdict.INCORRECT, 0.8), own, JudgeUnavailableError("out")])
    first, second = await judge.judge(make_request("a")), await judge.judge(make_request("b"))
    assert (first.verdict, first.confidence, first.judge) == (Verdict.CORRECT, 0.9, "scripted")
    assert (second.verdict, second.p_correct) == (Verdict.INCORRECT, pytest.approx(0.2))
    assert await judge.judge(make_request()) is own
    with pytest.raises(JudgeUnavailableError, match="out"):
        await judge.judge(make_request())
    assert [request.question for request in judge.requests[:2]] == ["a", "b"]


async def test_a_script_that_has_ended_says_so(make_request: Make) -> None:
    """One request too many is a fault of the test, and no verdict."""
    judge = ScriptedJudge([])
    with pytest.raises(JudgeSetupError, match="ended before request 1"):
        await judge.judge(make_request())


async def test_a_function_decides(make_request: Make) -> None:
    """A script can look at the request."""
    judge = ScriptedJudge(lambda request: Verdict.CORRECT if "COUNT" in request.sql else Verdict.INCORRECT)
    assert (await judge.judge(make_request())).verdict is Verdict.CORRECT
    assert (await judge.judge(make_request(sql="SELECT 1"))).verdict is Verdict.INCORRECT


async def test_what_is_recorded_is_replayed(make_request: Make, tmp_path: Path) -> None:
    """A judgement comes back whole, a reply off the scale with its text; an outage is not recorded."""
    path = tmp_path / "judgements.jsonl"
    full = Judgement(Verdict.CORRECT, 0.9, 0.9, ("é",), "m:x", "abc", Usage(1, 2, 0.5))
    recorder = RecordingJudge(
        ScriptedJudge([full, JudgeReplyError("off", "maybe"), JudgeUnavailableError("out")], name="m:x"), path
    )
    one, two, three = make_request("1"), make_request("2"), make_request("3")
    assert await recorder.judge(one) == full
    for request, failure in ((two, JudgeReplyError), (three, JudgeUnavailableError)):
        with pytest.raises(failure):
            await recorder.judge(request)
    judge = make_judge(f"recorded:{path}")
    assert judge.name == "m:x"
    assert await judge.judge(one) == full
    with pytest.raises(JudgeReplyError, match="off") as caught:
        await judge.judge(two)
    assert caught.value.reply == "maybe"
    with pytest.raises(JudgeUnavailableError, match="holds no judgement of m:x on this turn"):
        await judge.judge(three)


async def test_of_several_judges_one_is_named(make_request: Make, tmp_path: Path) -> None:
    """A file of two judges is replayed for one of them."""
    path = tmp_path / "judgements.jsonl"
    for name, verdict in (("a", Verdict.CORRECT), ("b", Verdict.INCORRECT)):
        await RecordingJudge(ScriptedJudge([verdict], name=name), path).judge(make_request())
    with pytest.raises(JudgeSetupError, match=r"several judges \(a, b\)"):
        RecordedJudge(path)
    with pytest.raises(JudgeSetupError, match="holds a, b, not c"):
        RecordedJudge(path, "c")
    assert (await RecordedJudge(path, "b").judge(make_request())).verdict is Verdict.INCORRECT


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "cannot read"),
        ("", "no judgement"),
        ("{", ":1: not a recorded judgement"),
        ("\n[]", ":2: not a recorded judgement"),
        ("null", ":1: not a recorded judgement"),
        ('{"key": "k", "judge": "j"}', ":1: not a recorded judgement"),
        ('{"key": "k", "judge": "j", "verdict": "fine"}', ":1: not a recorded judgement"),
    ],
)
def test_a_broken_file_is_named(text: str | None, says: str, tmp_path: Path) -> None:
    """The message holds the file and the line."""
    path = tmp_path / "judgements.jsonl"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(JudgeSetupError, match=says) as caught:
        RecordedJudge(path)
    assert str(path) in str(caught.value)


def test_a_key_is_of_all_that_the_judge_sees(make_request: Make) -> None:
    """Same request, judge and prompts: same key. Any difference: another key."""
    request = make_request()
    key = request_key(request, "j", "p")
    assert key == request_key(make_request(), "j", "p")
    others = [
        request_key(request, "other", "p"),
        request_key(request, "j", None),
        request_key(make_request("another?"), "j", "p"),
        request_key(make_request(history=("before",)), "j", "p"),
        request_key(make_request(app_notes=("net",)), "j", "p"),
        request_key(make_request(enriched_question=""), "j", "p"),
    ]
    assert len({key, *others}) == 1 + len(others)
    assert json.loads(json.dumps(key)) == key


def test_doubles_are_judges(tmp_path: Path) -> None:
    """They fit the protocol."""
    assert isinstance(ScriptedJudge([]), Judge)
    assert isinstance(RecordingJudge(ScriptedJudge([]), tmp_path / "x"), Judge)
