"""Every way in which a model's server can fail, through both SDKs, against a real server."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from server import GOOD, USAGE, Responder, Server, cut, drop, error, raw, refuses, reply, serving, stall

from stef.errors import JudgeReplyError, JudgeSetupError, JudgeUnavailableError, StefError
from stef.judge.llm import LLMJudge
from stef.llm.chat import ChatClient, ChatSettings
from stef.llm.cost import Price
from stef.llm.litellm_client import litellm_client
from stef.llm.openai_client import openai_client
from stef.llm.retry import RetryPolicy
from stef.records.judgement import Judgement, Usage, Verdict
from stef.records.request import JudgeRequest

if TYPE_CHECKING:
    from stef.llm.client import Call

CASES = yaml.safe_load(Path(__file__).with_name("faults.yaml").read_text(encoding="utf-8"))
OUTCOMES = {"setup": JudgeSetupError, "unavailable": JudgeUnavailableError, "reply": JudgeReplyError}
SDKS = ("openai", "litellm")
KEY = "sk-of-the-test"

# pytest undoes the filter with which litellm quiets its own types.
pytestmark = [pytest.mark.xdist_group("litellm"), pytest.mark.filterwarnings("ignore:.*ReadOnly:UserWarning")]


def responder(step: Any) -> Responder:
    match step:
        case "good":
            return reply(GOOD)
        case "cut" | "drop" | "stall":
            return {"cut": cut, "drop": drop, "stall": stall}[step]
        case {"refuses": parameter, "message": message}:
            return refuses(parameter, message, reply(GOOD))
        case {"status": status}:
            headers = step.get("headers", {})
            return error(status, step.get("message", "no"), step.get("code"), **headers)
        case {"raw": body}:
            return raw(body.encode())
        case {"refusal": text}:
            return reply(None, refusal=text)
        case {"reply": text}:
            return reply(text, step.get("finish", "stop"))
    raise AssertionError(step)


class Bench:
    """A client on a server, with what it waited and what it reported."""

    def __init__(self, sdk: str, server: Server, timeout: float = 20.0) -> None:
        self.waits: list[float] = []
        self.calls: list[Call] = []

        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)

        settings = ChatSettings(
            timeout=timeout,
            retry=RetryPolicy(max_wait=120, sleep=sleep, jitter=lambda: 0.0),
            price=Price(1.0, 10.0),
            on_call=self.calls.append,
        )
        make = openai_client if sdk == "openai" else litellm_client
        self.client: ChatClient = make("m" if sdk == "openai" else "openai/m", KEY, server.url, settings)
        self.judge = LLMJudge(self.client)


async def outcome_of(judge: LLMJudge, request: JudgeRequest) -> Judgement | StefError:
    try:
        return await judge.judge(request)
    except StefError as found:
        return found
    finally:
        await judge.close()


def sdk_cases() -> list[Any]:
    """Every case with every SDK, but those where an SDK reads the body itself."""
    return [
        pytest.param(case, sdk, id=f"{case['id']}-{sdk}")
        for case in CASES
        for sdk in SDKS
        if case.get("through", sdk) == sdk
    ]


@pytest.mark.parametrize(("case", "sdk"), sdk_cases())
async def test_fault(case: dict[str, Any], sdk: str, make_request: Callable[..., JudgeRequest]) -> None:
    """What is asked again, what it ends in, and how many requests the server saw."""
    with serving(responder(step) for step in case["steps"]) as server:
        bench = Bench(sdk, server, case.get("timeout", 20.0))
        outcome = await outcome_of(bench.judge, make_request())
    said = str(outcome)
    if case["outcome"] == "judged":
        assert isinstance(outcome, Judgement), said
        assert (outcome.verdict, outcome.confidence, outcome.p_correct) == (Verdict.CORRECT, 0.9, 0.9)
    else:
        assert type(outcome) is OUTCOMES[case["outcome"]], said
        assert sdk in said
    assert len(server.seen) == case["calls"]
    assert sum(call.attempts for call in bench.calls) == case["calls"]
    if "waits" in case:
        assert bench.waits == pytest.approx(case["waits"])
    assert case.get("says", "") in said
    assert KEY not in said
    if "text" in case:
        assert isinstance(outcome, JudgeReplyError)
        assert outcome.reply == case["text"]


@pytest.mark.parametrize("sdk", SDKS)
async def test_failed_asks_are_paid_for(sdk: str, make_request: Callable[..., JudgeRequest]) -> None:
    """Tokens and cost of a reply that could not be read count like those of the good one."""
    with serving([reply("no"), error(500), reply(GOOD)]) as server:
        bench = Bench(sdk, server)
        judgement = await bench.judge.judge(make_request())
    prompt, replied = USAGE["prompt_tokens"], USAGE["completion_tokens"]
    cost = 2 * (prompt * 1.0 + replied * 10.0) / 1e6
    assert judgement.usage is not None
    assert judgement.usage.latency_s is not None
    assert replace(judgement.usage, latency_s=None) == Usage(2 * prompt, 2 * replied, pytest.approx(cost))
    assert [(call.attempts, call.error) for call in bench.calls] == [(1, None), (2, None)]


@pytest.mark.parametrize("sdk", SDKS)
async def test_a_turn_that_failed_is_reported_with_its_tokens(
    sdk: str, make_request: Callable[..., JudgeRequest]
) -> None:
    """The usage of asks that brought no judgement reaches `on_call`."""
    with serving([reply("no")]) as server:
        bench = Bench(sdk, server)
        assert isinstance(await outcome_of(bench.judge, make_request()), JudgeReplyError)
    assert sum(call.usage.input_tokens for call in bench.calls) == 2 * USAGE["prompt_tokens"]


@pytest.mark.parametrize("sdk", SDKS)
async def test_what_a_server_does_not_take_is_remembered(sdk: str, make_request: Callable[..., JudgeRequest]) -> None:
    """The second turn does not try the refused parameter again."""
    with serving([refuses("json_schema", "json_schema is not supported", reply(GOOD))]) as server:
        bench = Bench(sdk, server)
        for _ in range(3):
            await bench.judge.judge(make_request())
    kinds = [asked.get("response_format", {}).get("type") for asked in server.seen]
    assert kinds == ["json_schema", "json_object", "json_object", "json_object"]


@pytest.mark.parametrize("sdk", SDKS)
async def test_a_bad_request_after_good_ones_is_the_turns_own(
    sdk: str, make_request: Callable[..., JudgeRequest]
) -> None:
    """A server that has answered before refuses one turn: the run goes on."""
    with serving([reply(GOOD), error(400, "invalid characters"), reply(GOOD)]) as server:
        bench = Bench(sdk, server)
        await bench.judge.judge(make_request())
        with pytest.raises(JudgeUnavailableError, match="does not take this turn"):
            await bench.judge.judge(make_request())
        await bench.judge.judge(make_request())


@pytest.mark.parametrize("sdk", SDKS)
async def test_an_unreachable_server_stops_the_run(sdk: str, make_request: Callable[..., JudgeRequest]) -> None:
    """Nobody listens: after the retries, the message names the address and the way out."""
    with serving([reply(GOOD)]) as server:
        bench = Bench(sdk, server)
    with pytest.raises(JudgeSetupError, match=f"{server.url} can't be reached.*check that the server runs"):
        await bench.judge.judge(make_request())
    assert len(bench.waits) == 4


@pytest.mark.parametrize("sdk", SDKS)
async def test_an_outage_after_good_replies_is_the_turns_own(
    sdk: str, make_request: Callable[..., JudgeRequest]
) -> None:
    """A server that has answered and is gone leaves this turn unscored."""
    with serving([reply(GOOD)]) as server:
        bench = Bench(sdk, server)
        await bench.judge.judge(make_request())
    with pytest.raises(JudgeUnavailableError):
        await bench.judge.judge(make_request())


@pytest.mark.parametrize("sdk", SDKS)
async def test_the_second_ask_says_what_was_wrong(sdk: str, make_request: Callable[..., JudgeRequest]) -> None:
    """The first reply stands in the conversation, with why it was not taken, and there is more room for the next."""
    with serving([reply('{"verdict": "fine", "confidence": 1}'), reply(GOOD)]) as server:
        await Bench(sdk, server).judge.judge(make_request())
    first, second = server.seen
    assert second["messages"][:2] == first["messages"]
    assert second["messages"][2] == {"role": "assistant", "content": '{"verdict": "fine", "confidence": 1}'}
    assert "'fine' is not on the scale" in second["messages"][3]["content"]
    assert second["max_tokens"] == 2 * first["max_tokens"]


@pytest.mark.parametrize("sdk", SDKS)
async def test_a_verdict_in_words_counts_with_the_least_confidence(
    sdk: str, make_request: Callable[..., JudgeRequest]
) -> None:
    """A server that only ever says one word: asked once more for a confidence, then taken at 0.5, and said so."""
    with serving([reply("INCORRECT")]) as server:
        judgement = await Bench(sdk, server).judge.judge(make_request())
    assert len(server.seen) == 2
    assert (judgement.verdict, judgement.confidence, judgement.p_correct) == (Verdict.INCORRECT, 0.5, 0.5)
    assert "no confidence" in judgement.reasons[-1]


@pytest.mark.parametrize("sdk", SDKS)
async def test_what_is_sent(sdk: str, make_request: Callable[..., JudgeRequest]) -> None:
    """Model, key, temperature and schema reach the server as asked."""
    with serving([reply(GOOD)]) as server:
        judgement = await Bench(sdk, server).judge.judge(make_request())
    (asked,) = server.seen
    assert server.keys == [f"Bearer {KEY}"]
    assert server.paths == ["/v1/chat/completions"]
    assert (asked["model"], asked["temperature"], asked["max_tokens"]) == ("m", 0.0, 2048)
    schema = asked["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["reasons", "verdict", "confidence"]
    assert json.loads(GOOD)["reasons"] == list(judgement.reasons)


def test_one_client_works_on_one_loop_after_another(make_request: Callable[..., JudgeRequest]) -> None:
    """Connections belong to a loop; a script that runs a loop a turn is served all the same."""
    import asyncio

    with serving([reply(GOOD)]) as server:
        judge = Bench("openai", server).judge
        for _ in range(2):
            assert asyncio.run(judge.judge(make_request())).verdict is Verdict.CORRECT
