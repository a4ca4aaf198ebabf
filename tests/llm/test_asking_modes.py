"""Samples, refutation, log-probabilities, and what a judge sees: against a real server, through both SDKs."""

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from math import log
from typing import TYPE_CHECKING, Any

import pytest
from server import USAGE, Responder, error, raw, reply, serving

from stef.errors import JudgeReplyError, JudgeSetupError
from stef.judge import make_judge
from stef.judge.protocol import ModelJudge
from stef.records.assessment import Finding
from stef.records.judgement import Judgement, Verdict
from stef.records.request import JudgeRequest

if TYPE_CHECKING:
    from stef.judge.options import JudgeKeywords

Make = Callable[..., JudgeRequest]
SDKS = ("openai", "litellm")
pytestmark = [pytest.mark.xdist_group("litellm"), pytest.mark.filterwarnings("ignore:.*ReadOnly:UserWarning")]


def verdict(name: str, confidence: float = 0.9, **more: Any) -> Responder:
    return reply(json.dumps({"reasons": [f"because {name}"], **more, "verdict": name, "confidence": confidence}))


def objection(
    fault: str, question: str = "", sql: str = "", name: str = "incorrect", confidence: float = 0.8
) -> Responder:
    said = {"question_words": question, "sql_words": sql, "fault": fault, "verdict": name, "confidence": confidence}
    return reply(json.dumps(said))


async def judged(
    steps: list[Responder], request: JudgeRequest, sdk: str = "openai", **options: Any
) -> tuple[Judgement, list[dict[str, Any]]]:
    """The judgement, and the requests that the server saw."""
    given: JudgeKeywords = {"max_retries": 0, **options}  # type: ignore[typeddict-item]
    with serving(steps) as server:
        judge = make_judge("openai:m" if sdk == "openai" else "litellm:openai/m", base_url=server.url, **given)
        try:
            return await judge.judge(request), server.seen
        finally:
            await judge.close()


@pytest.mark.parametrize("sdk", SDKS)
async def test_samples_are_blind_and_drawn_together(sdk: str, make_request: Make) -> None:
    """p is the mean, the verdict the lower of the middle two, and no sample is told of another."""
    steps = [
        verdict("correct", 0.9),
        verdict("likely_correct", 0.7),
        verdict("incorrect", 0.6),
        verdict("incorrect", 1),
    ]
    found, seen = await judged(steps, make_request(), sdk, samples=4)
    assert found.verdict is Verdict.INCORRECT
    assert found.p_correct == pytest.approx((0.9 + 0.7 + 0.4 + 0.0) / 4)
    assert found.confidence == pytest.approx(1 - found.p_correct)
    assert sorted((one.verdict, one.p_correct) for one in found.samples) == sorted(
        [("correct", 0.9), ("likely_correct", 0.7), ("incorrect", 0.4), ("incorrect", 0.0)]
    )
    assert found.spread == pytest.approx(0.3391, abs=1e-4)
    assert found.judge.endswith("m, 4 samples")
    assert found.usage is not None
    assert found.usage.input_tokens == 4 * USAGE["prompt_tokens"]
    assert len({json.dumps(asked["messages"]) for asked in seen}) == 1
    assert {asked["temperature"] for asked in seen} == {0.7}


async def test_agreement_of_samples_is_a_confidence(make_request: Make) -> None:
    """With --confidence samples p is the share of samples on the right side, whatever they state."""
    steps = [
        verdict("correct", 1.0),
        verdict("likely_correct", 1.0),
        verdict("incorrect", 1.0),
        verdict("correct", 0.5),
    ]
    found, _ = await judged(steps, make_request(), samples=4, confidence="samples")
    assert (found.verdict, found.p_correct) == (Verdict.LIKELY_CORRECT, 0.75)
    assert found.confidence_from == "samples"


async def test_a_sample_may_fail_but_not_half_of_them(make_request: Make) -> None:
    """What could not be read is told; a majority must be left."""
    asked: list[int] = []

    def one_bad(handler: BaseHTTPRequestHandler, request: dict[str, Any]) -> None:
        again = len(request["messages"]) > 2
        asked.extend([] if again else [1])
        bad = again or len(asked) == 1
        (reply("hm") if bad else verdict("correct"))(handler, request)

    found, _ = await judged([one_bad], make_request(), samples=3)
    assert len(found.samples) == 2
    assert any("1 of 3 samples failed" in reason for reason in found.reasons)
    asked.clear()
    with pytest.raises(JudgeReplyError):
        await judged([one_bad], make_request(), samples=2)


@pytest.mark.parametrize("sdk", SDKS)
async def test_a_concrete_reason_refutes(sdk: str, make_request: Make) -> None:
    """It lowers the verdict, p to the lesser of both, and comes first among the reasons."""
    steps = [verdict("correct", 0.95), objection("it counts all loans", question="are overdue", confidence=0.8)]
    found, seen = await judged(steps, make_request(), sdk, refute=True)
    assert (found.verdict, found.refuted) == (Verdict.INCORRECT, True)
    assert found.p_correct == pytest.approx(0.2)
    assert found.confidence == pytest.approx(0.8)
    assert found.reasons[0] == "Refuted: it counts all loans"
    assert found.refutation == "it counts all loans"
    assert found.judge.endswith("m, refuted")
    assert found.usage is not None
    assert found.usage.input_tokens == 2 * USAGE["prompt_tokens"]
    # The second question does not tell what was answered to the first.
    assert "because" not in json.dumps(seen[1])


@pytest.mark.parametrize(
    ("second", "verdict_after", "refuted", "told"),
    [
        (objection("", name="correct", confidence=0.9), Verdict.CORRECT, False, None),
        (objection("it might be wrong"), Verdict.CORRECT, False, "it might be wrong"),
        (objection("wrong table", sql="FROM elsewhere"), Verdict.CORRECT, False, "wrong table"),
        (objection("no filter", sql="count(*)  from LOAN"), Verdict.INCORRECT, True, None),
        (objection("no filter", "overdue?", name="potentially_incorrect"), Verdict.POTENTIALLY_INCORRECT, True, None),
        (objection("", "overdue", "loan"), Verdict.CORRECT, False, None),
    ],
)
async def test_what_refutes(
    second: Responder, verdict_after: Verdict, refuted: bool, told: str | None, make_request: Make
) -> None:
    """An objection counts where it says what is wrong, and quotes words that stand in the turn."""
    found, _ = await judged([verdict("correct", 0.95), second], make_request(), refute=True)
    assert (found.verdict, found.refuted) == (verdict_after, refuted)
    if not refuted:
        assert found.p_correct == 0.95
    if told is not None:
        assert any(told in reason for reason in found.reasons)


async def test_a_wrong_verdict_is_not_asked_about_again(make_request: Make) -> None:
    """One call; `refuted` stays open."""
    found, seen = await judged([verdict("incorrect")], make_request(), refute=True)
    assert len(seen) == 1
    assert found.refuted is None


async def test_a_second_look_that_fails_fails_the_turn(make_request: Make) -> None:
    """What was promised was not done: no verdict."""
    with pytest.raises(JudgeReplyError):
        await judged([verdict("correct"), reply("hm")], make_request(), refute=True)


def with_logprobs(p_right: float, said: str = "correct", confidence: Any = 1.0) -> Responder:
    """A reply whose verdict token had these probabilities, as OpenAI writes them."""
    content = json.dumps({"reasons": ["r"], "verdict": said, "confidence": confidence})
    head, tail = content.split(said)
    words = {"correct": p_right * 0.9, "likely": p_right * 0.1, "incorrect": (1 - p_right) * 0.9, "what": 0.01}

    def entry(text: str, choices: dict[str, float]) -> dict[str, Any]:
        top = [{"token": t, "logprob": log(p), "bytes": list(t.encode())} for t, p in choices.items() if p]
        return {"token": text, "logprob": log(max(choices[text], 1e-9)), "bytes": None, "top_logprobs": top}

    tokens = [entry(head, {head: 1.0}), entry(said, words), entry(tail, {tail: 1.0})]
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": content},
        "finish_reason": "stop",
        "logprobs": {"content": tokens},
    }
    body = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": USAGE}
    return raw(json.dumps(body).encode())


@pytest.mark.parametrize("sdk", SDKS)
async def test_confidence_by_log_probability(sdk: str, make_request: Make) -> None:
    """What the reply states counts nothing; the mass of the right side does."""
    found, seen = await judged([with_logprobs(0.7)], make_request(), sdk, confidence="logprob")
    right = 0.7 / (0.7 + 0.3 * 0.9)
    assert found.p_correct == pytest.approx(right)
    assert found.confidence == pytest.approx(right)
    assert found.confidence_from == "logprob"
    assert (seen[0]["logprobs"], seen[0]["top_logprobs"]) == (True, 20)
    # Some models never end a number: it is not asked for where it counts nothing.
    assert "confidence" not in json.dumps(seen[0]["response_format"])


@pytest.mark.parametrize("confidence", ["high", 1e15, None])
async def test_a_stated_confidence_that_counts_nothing_may_be_anything(confidence: Any, make_request: Make) -> None:
    """The log-probabilities are there."""
    found, _ = await judged([with_logprobs(0.7, confidence=confidence)], make_request(), confidence="logprob")
    assert found.p_correct == pytest.approx(0.7 / (0.7 + 0.3 * 0.9))


@pytest.mark.parametrize("sdk", SDKS)
async def test_a_server_without_log_probabilities_stops_the_run(sdk: str, make_request: Make) -> None:
    """It is said, and the stated confidence does not take their place."""
    with pytest.raises(JudgeSetupError, match="--confidence stated"):
        await judged([verdict("correct")], make_request(), sdk, confidence="logprob")


async def test_a_model_that_refuses_log_probabilities_stops_the_run(make_request: Make) -> None:
    """With the way out."""
    with pytest.raises(JudgeSetupError, match="--confidence samples"):
        await judged(
            [error(403, "You are not allowed to request logprobs from this model")],
            make_request(),
            confidence="logprob",
        )


@pytest.mark.parametrize(
    ("sees", "present", "absent"),
    [
        ("all", ["count of rows of loan", "Filters:", "S201", "notes of the app", "tolerated thing"], []),
        (
            "spec",
            ["count of rows of loan", "filter: overdue", "notes of the app"],
            ["Filters:", "S201", "no predicate"],
        ),
        (
            "query",
            ["SELECT COUNT(*)", "notes of the app"],
            ["count of rows of loan", "Filters:", "S201", "analysis of"],
        ),
    ],
)
async def test_what_a_judge_sees(sees: str, present: list[str], absent: list[str], make_request: Make) -> None:
    """The user's message holds what was asked for, and no more."""
    request = make_request(
        findings=(Finding("S201", "superlative asked"),),
        app_notes=("notes of the app",),
        tolerated=("tolerated thing",),
    )
    found, seen = await judged([verdict("correct")], request, sees=sees)
    sent = seen[0]["messages"][1]["content"]
    assert [text for text in present if text not in sent] == []
    assert [text for text in absent if text in sent] == []
    assert found.judge == ("openai:m" if sees == "all" else f"openai:m, sees {sees}")


async def test_no_template_can_show_what_is_not_seen(tmp_path: Any, make_request: Make) -> None:
    """A prompt of one's own is given empty values."""
    (tmp_path / "judge.md.jinja").write_text(
        '{% extends "stef/judge.md.jinja" %}{% block user %}{{ alignment }}{{ findings }}{{ done }}{% endblock %}'
    )
    request = make_request(findings=(Finding("S201", "superlative asked"),))
    _, seen = await judged([verdict("correct")], request, sees="query", prompts_dir=tmp_path)
    assert not any(text in seen[0]["messages"][1]["content"] for text in ("overdue", "S201", "loan"))


def test_keys_tell_ways_of_judging_apart(make_request: Make) -> None:
    """The key of a question depends on the judge's name, its prompts, what it sees, and the sample."""
    ways: list[dict[str, Any]] = [
        {},
        {"sees": "spec"},
        {"sees": "query"},
        {"confidence": "logprob"},
        {"samples": 3},
        {"refute": True},
    ]
    keys = []
    for way in ways:
        judge = make_judge("openai:m", base_url="http://127.0.0.1:1/v1", **way)
        assert isinstance(judge, ModelJudge)
        keys.append([question.key for question in judge.questions(make_request())])
    first = keys[0][0]
    assert [len(one) for one in keys] == [1, 1, 1, 1, 3, 2]
    assert len({one[0] for one in keys[:4]}) == 4
    assert keys[4] == [first, f"{first}-2", f"{first}-3"]
    assert keys[5][0] == first
    assert keys[5][1] is not None
    assert keys[5][1].endswith("-refute")


async def test_evidence_against_the_verdict_is_told(make_request: Make) -> None:
    """The symbolic judge's probability stands beside the verdict, which stays the model's."""
    found, _ = await judged([verdict("correct")], make_request())
    assert found.symbolic_p is not None
    assert found.evidence_disagrees == (found.symbolic_p < 0.5)
    assert found.verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"samples": 0}, "from 1 to 100"),
        ({"samples": 3, "temperature": 0.0}, "temperature"),
        ({"confidence": "samples"}, "--samples 5"),
        ({"confidence": "high"}, "stated, logprob, samples"),
        ({"sees": "everything"}, "all, spec, query"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], says: str) -> None:
    """Before anything is asked."""
    with pytest.raises(JudgeSetupError, match=says):
        make_judge("openai:m", base_url="http://127.0.0.1:1/v1", **options)


@pytest.mark.parametrize("options", [{"samples": 2}, {"refute": True}, {"confidence": "logprob"}, {"sees": "query"}])
def test_a_judge_without_a_model_takes_none_of_them(options: dict[str, Any]) -> None:
    """Nothing is passed over in silence."""
    with pytest.raises(JudgeSetupError, match="symbolic asks none"):
        make_judge("symbolic", **options)
