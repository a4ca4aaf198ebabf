"""The gate of all calls: rates, calls in flight, refusals, outages, and a stop."""

import asyncio
import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server import GOOD, error, reply, serving

from stef.errors import JudgeDownError, JudgeUnavailableError, StoppedError
from stef.llm.adaptive import Adaptive
from stef.llm.breaker import Breaker
from stef.llm.chat import ChatClient, ChatSettings
from stef.llm.client import ChatRequest, Completion, Message
from stef.llm.faults import ServerFault
from stef.llm.gate import Gate, Limits
from stef.llm.openai_client import openai_client
from stef.llm.rates import Rate
from stef.llm.retry import RetryPolicy

QUICK = RetryPolicy(initial=0.01)


def question(number: int) -> ChatRequest:
    return ChatRequest((Message("user", f"question {number}"),))


def client(url: str, gate: Gate) -> ChatClient:
    return openai_client("m", None, url, ChatSettings(retry=QUICK, gate=gate))


@given(st.floats(1.0, 1e6), st.lists(st.floats(0.1, 500.0), min_size=1, max_size=50))
def test_no_more_than_the_rate(per_minute: float, units: list[float]) -> None:
    """Whoever waits as told takes no more than a second's worth above the rate, and waits no longer than needed."""
    now = 0.0
    rate = Rate(per_minute, lambda: now)
    taken = 0.0
    burst = max(1.0, per_minute / 60)
    for one in units:
        now += rate.wait_for(one)
        # What is taken here may lie above the rate by itself and by the burst, never more.
        assert taken <= burst + now * per_minute / 60 + 1e-6 * (1 + taken)
        taken += one


def test_a_clock_that_goes_back_gives_nothing() -> None:
    """Neither does it take anything away."""
    now = [100.0]
    rate = Rate(60.0, lambda: now[0])
    assert rate.wait_for(1.0) == 0.0
    now[0] = 40.0
    assert rate.wait_for(1.0) == pytest.approx(1.0)
    now[0] = 41.0
    assert rate.wait_for(1.0) == pytest.approx(1.0)


def test_calls_in_flight_rise_and_halve() -> None:
    """One refusal halves once, however many calls of the same moment are refused with it."""
    adaptive = Adaptive(most=100, first=8)
    for _ in range(92):
        adaptive.well()
    assert adaptive.limit == 100
    for _ in range(50):
        adaptive.too_many(started=1.0, now=2.0)
    assert adaptive.limit == 50
    adaptive.too_many(started=3.0, now=4.0)
    assert adaptive.limit == 25
    for _ in range(20):
        adaptive.too_many(started=5.0, now=5.0)
    assert adaptive.limit == 1
    for _ in range(10_000):
        adaptive.well()
    assert adaptive.limit == 100


def test_refusals_by_chance_keep_most_calls_in_flight() -> None:
    """A server that refuses every thirtieth call whatever is in flight is not met by ever fewer calls."""
    adaptive = Adaptive(most=256)
    for now in range(20_000):
        started = max(0, now - adaptive.limit)
        if now % 30 == 0:
            adaptive.too_many(float(started), float(now))
        else:
            adaptive.well()
    assert adaptive.limit > 128


def test_a_breaker_probes_later_and_later() -> None:
    """It opens at the tenth failure in a row; one at a time tries; an answer closes it."""
    breaker = Breaker()
    for number in range(9):
        breaker.failed(float(number), "HTTP 503", probing=False)
    assert not breaker.open
    breaker.well()
    for number in range(10):
        breaker.failed(float(number), "HTTP 503", probing=False)
    assert breaker.open
    assert breaker.until_probe(9.0) == 1.0
    assert breaker.until_probe(10.0) == 0.0
    breaker.probe()
    assert breaker.until_probe(10.0) is None
    breaker.failed(10.0, "HTTP 503", probing=True)
    assert breaker.until_probe(10.0) == 2.0
    assert breaker.down_for(10.0) == 10.0
    breaker.probe()
    breaker.well()
    assert not breaker.open


async def test_an_outage_fails_no_turn() -> None:
    """A judge that is down for a while is waited for: every question is answered in the end."""
    with serving([*(error(503) for _ in range(25)), reply(GOOD)]) as server:
        judge = client(server.url, Gate(Limits(concurrency=16)))
        answers = await asyncio.gather(*(judge.complete(question(number)) for number in range(40)))
        await judge.close()
    assert len(answers) == 40
    assert all(isinstance(answer, Completion) for answer in answers)


async def test_an_outage_that_stays_stops_the_run() -> None:
    """Not one turn is unscored for it."""
    with serving([error(503)]) as server:
        judge = client(server.url, Gate(Limits(concurrency=16, patience=0.5)))
        asked = (judge.complete(question(number)) for number in range(40))
        found = await asyncio.gather(*asked, return_exceptions=True)
        await judge.close()
    assert {type(one) for one in found} == {JudgeDownError}
    assert "has been down for" in str(found[0])


async def test_failures_of_one_turn_are_no_outage() -> None:
    """A question that the server always fails on costs that turn, and nobody else waits."""
    with serving([reply(GOOD)]) as server:

        def refusing(handler: Any, asked: dict[str, Any]) -> None:
            bad = asked["messages"][0]["content"] == "question 3"
            (error(500) if bad else reply(GOOD))(handler, asked)

        server.script[:] = [refusing]
        judge = client(server.url, Gate(Limits(concurrency=2)))
        asked = (judge.complete(question(number)) for number in range(30))
        found = await asyncio.gather(*asked, return_exceptions=True)
        await judge.close()
    assert [number for number, one in enumerate(found) if isinstance(one, Exception)] == [3]
    assert isinstance(found[3], JudgeUnavailableError)


async def test_refusals_cost_no_attempts() -> None:
    """More refusals than there are attempts: the call waits as long as the server asks, and is answered."""
    with serving([*(error(429, Retry_After="0.01") for _ in range(12)), reply(GOOD)]) as server:
        gate = Gate(Limits(concurrency=4))
        judge = client(server.url, gate)
        answer = await judge.complete(question(1))
        await judge.close()
    assert answer.attempts == 13
    assert gate.state.limit < 4


async def test_a_server_that_asks_to_wait_for_an_hour_stops_the_run() -> None:
    """There is less patience than that."""
    with serving([error(429, Retry_After="3600")]) as server:
        judge = client(server.url, Gate())
        with pytest.raises(JudgeDownError, match=r"takes no more calls for now.*3600"):
            await judge.complete(question(1))
        await judge.close()


async def test_a_stop_lets_what_is_in_flight_end() -> None:
    """Nothing new is sent; who waits is told so."""
    arrived, go_on = threading.Event(), threading.Event()

    def slowly(handler: Any, asked: dict[str, Any]) -> None:
        arrived.set()
        go_on.wait(10)
        reply(GOOD)(handler, asked)

    with serving([slowly]) as server:
        gate = Gate(Limits(concurrency=1))
        judge = client(server.url, gate)
        first, second = (asyncio.ensure_future(judge.complete(question(number))) for number in range(2))
        while not arrived.is_set():
            await asyncio.sleep(0.01)
        gate.stop()
        with pytest.raises(StoppedError):
            await second
        go_on.set()
        assert (await first).text == GOOD
        with pytest.raises(StoppedError):
            await judge.complete(question(3))
        await judge.close()
    assert len(server.seen) == 1


async def test_no_more_in_flight_than_allowed() -> None:
    """Also where calls end in every way."""
    gate, in_flight, most = Gate(Limits(concurrency=3)), 0, 0

    async def one(number: int) -> None:
        nonlocal in_flight, most
        passed = await gate.enter(10)
        in_flight += 1
        most = max(most, in_flight)
        await asyncio.sleep(0.001)
        in_flight -= 1
        match number % 4:
            case 0:
                gate.well(passed, 20)
            case 1:
                gate.failed(passed, ServerFault("no", 400), proven=True)
            case 2:
                gate.failed(passed, ServerFault("gone"), proven=True)
            case _:
                gate.leave(passed)

    tasks = [asyncio.ensure_future(one(number)) for number in range(60)]
    await asyncio.sleep(0.002)
    tasks[40].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert most == 3
    assert gate.state.in_flight == 0


async def test_rates_hold_over_the_gate() -> None:
    """A burst is one second's worth; the rest comes at the rate."""
    gate = Gate(Limits(concurrency=100, requests_per_minute=6000))
    start = time.monotonic()
    for _ in range(130):
        gate.leave(await gate.enter(1))
    assert time.monotonic() - start >= 0.28
