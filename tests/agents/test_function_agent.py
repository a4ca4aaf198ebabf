"""Agents that are Python functions."""

import asyncio
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from stef.agents import Agent, Retriever, agent_of, open_agent, open_retriever, retriever_of
from stef.errors import AgentSetupError, UserError
from stef.records.asking import AgentFault, AgentReply, AgentRequest, Retrieved
from stef.records.turn import Turn

REQUEST = AgentRequest("How many?", "c1", "shop", "count rows", ("c1", "c2"), ("before",), timeout=20)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module in the current folder."""
    path = tmp_path / "my_agent_module.py"
    path.write_text(
        """
class Service:
    def answer(self, question): return f"SELECT '{question}'"

class Whole:
    name, version, can_hide, reads = "whole", None, False, ()
    def ask(self, request): ...
    def close(self): ...

service = Service()
whole = Whole()
def ask(question, hide=()): return "SELECT 1"
ask.version = "3.2"
def find(question): return ["CREATE TABLE a (i INT)"]
""",
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield path
    sys.modules.pop("my_agent_module", None)


def test_options_are_given_by_name() -> None:
    """A function gets the question, and of the rest what it has a parameter for."""
    seen: list[Any] = []

    def ask(question: str, database: str | None, *, hide: tuple[str, ...], history: tuple[str, ...] = ()) -> str:
        seen.append((question, database, hide, history))
        return "SELECT 1"

    agent = agent_of(ask)
    assert agent.ask(REQUEST).turn.sql == "SELECT 1"
    assert seen == [("How many?", "shop", ("c1", "c2"), ("before",))]
    assert agent.can_hide


def test_swallowed_options_are_no_promise_to_hide() -> None:
    """`**options` gets everything, but nobody knows whether it heeds the ids to hide."""

    def ask(question: str, **options: Any) -> str:
        return str(sorted(options))

    agent = agent_of(ask)
    assert agent.ask(REQUEST).turn.sql == "['case_id', 'database', 'hide', 'hint', 'history', 'timeout']"
    assert not agent.can_hide


@pytest.mark.parametrize(
    "given",
    [
        "SELECT 1",
        {"sql": "SELECT 1", "latency_ms": 12},
        Turn(question="How many?", sql="SELECT 1"),
        AgentReply(Turn(question="How many?", sql="SELECT 1", agent="ask", database="shop", history=("before",))),
    ],
    ids=["text", "mapping", "Turn", "AgentReply"],
)
def test_what_may_be_returned(given: Any) -> None:
    """SQL text, a mapping of a reply's fields, a Turn, or the reply itself; the request fills in what is open."""
    turn = agent_of(lambda question: given, name="ask").ask(REQUEST).turn
    assert (turn.sql, turn.agent, turn.database, turn.history) == ("SELECT 1", "ask", "shop", ("before",))


@pytest.mark.parametrize(
    ("given", "detail"),
    [
        (None, "nothing came back"),
        (7, "found int"),
        ({}, "none of sql, answer, outcome"),
        ({"query": "SELECT 1"}, "unknown field 'query'"),
        ({"sql": "SELECT 1", "cost": -1}, "cost: expected a number of at least 0, found -1"),
        ({"sql": "SELECT 1", "cost": float("nan")}, "cost: expected a number"),
        ({"sql": "SELECT 1", "timestamp": "yesterday"}, "timestamp: expected a moment"),
    ],
)
def test_what_cannot_be_read(given: Any, detail: str) -> None:
    """Anything else is a fault that says what was found."""
    reply = agent_of(lambda question: given).ask(REQUEST)
    assert (reply.fault, reply.turn.outcome) == (AgentFault.NOT_READABLE, "failed")
    assert detail in reply.detail


def test_function_that_raises() -> None:
    """The fault names the exception and the line, and no traceback is printed."""

    def ask(question: str) -> str:
        raise ValueError("no such model")

    reply = agent_of(ask).ask(REQUEST)
    assert reply.fault is AgentFault.CRASH
    assert reply.detail.startswith("ValueError: no such model (test_function_agent.py line ")


@pytest.mark.parametrize("error", [SystemExit(2), RecursionError("deep")], ids=["SystemExit", "RecursionError"])
def test_nothing_that_a_function_raises_ends_the_run(error: BaseException) -> None:
    """Not even the wish to end the process."""

    def ask(question: str) -> str:
        raise error

    assert agent_of(ask).ask(REQUEST).fault is AgentFault.CRASH


def test_function_may_stop_the_run() -> None:
    """A UserError of the function's own says that no question can be asked."""

    def ask(question: str) -> str:
        raise UserError("MODEL_KEY is not set")

    with pytest.raises(UserError, match="MODEL_KEY is not set"):
        agent_of(ask).ask(REQUEST)


def test_coroutines_share_one_loop() -> None:
    """An asynchronous client belongs to one loop, so all calls of an agent run on the same one, from any thread."""
    loops = []

    async def ask(question: str) -> str:
        loops.append(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return question

    agent = agent_of(ask)
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda number: agent.ask(AgentRequest(f"q{number}")), range(20)))
    agent.close()
    assert [reply.turn.sql for reply in replies] == [f"q{number}" for number in range(20)]
    assert len(set(map(id, loops))) == 1


async def test_asking_inside_a_running_loop() -> None:
    """A notebook's own loop is no hindrance."""

    async def ask(question: str) -> str:
        await asyncio.sleep(0)
        return "SELECT 1"

    assert agent_of(ask).ask(REQUEST).turn.sql == "SELECT 1"


def test_slow_functions_time_out() -> None:
    """A coroutine is cancelled; a thread cannot be, and is left behind."""
    cancelled = []

    async def waits(question: str) -> str:
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            cancelled.append(question)
            raise
        return ""

    request = AgentRequest("q", timeout=0.2)
    agent = agent_of(waits)
    replies = [agent.ask(request), agent_of(lambda question: time.sleep(5)).ask(request)]
    assert [reply.fault for reply in replies] == [AgentFault.TIMEOUT] * 2
    for _ in range(100):
        if cancelled:
            break
        time.sleep(0.05)
    assert cancelled == ["q"]


@pytest.mark.parametrize(
    "given", ["CREATE TABLE a (i INT)", ["CREATE TABLE a (i INT)", " "], {"ddl": [["CREATE TABLE a (i INT)"]]}]
)
def test_retriever_gives_ddl(given: Any) -> None:
    """One statement, a list of them, or a mapping; blank ones are none."""
    assert retriever_of(lambda question: given).retrieve(REQUEST).ddl == ("CREATE TABLE a (i INT)",)


def test_retriever_that_finds_nothing() -> None:
    """No table is an answer; no reply is a fault."""
    assert retriever_of(lambda question: []).retrieve(REQUEST).fault is None
    assert retriever_of(lambda question: None).retrieve(REQUEST).fault is AgentFault.NOT_READABLE
    assert retriever_of(lambda question: Retrieved(examples=("a",))).retrieve(REQUEST).examples == ("a",)


def test_functions_are_found(module: Path) -> None:
    """By module or by file; a method, or a whole Agent, will do as well."""
    assert open_agent("python:my_agent_module:ask").ask(REQUEST).turn.sql == "SELECT 1"
    assert open_agent("python:my_agent_module:ask").version == "3.2"
    assert open_agent(f"python:{module}:service.answer").ask(REQUEST).turn.sql == "SELECT 'How many?'"
    assert open_agent("python:my_agent_module:whole").name == "whole"
    assert open_retriever("python:my_agent_module:find").retrieve(REQUEST).ddl == ("CREATE TABLE a (i INT)",)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("python:my_agent_module", "write it as python:package.module:function"),
        ("python:my_agent_module:asc", "my_agent_module has no 'asc'; did you mean 'ask'?"),
        ("python:my_agent_modul:ask", "there is no module 'my_agent_modul'; run stef in the folder that holds"),
        ("python:absent.py:ask", "absent.py: there is no such file"),
        ("python:my_agent_module:Service", "is a class; name a function"),
        ("python:broken.py:ask", "importing it raised ZeroDivisionError"),
        ("python:odd.py:nothing", "takes no question"),
        ("python:odd.py:tenant", "stef has nothing for its parameter 'tenant'; it can give database, hint, hide"),
        ("http://localhost:8000/ask", "describe the endpoint in a YAML file"),
        ("pyton:a:b", "is no agent; write it as replay:turns.jsonl, python:"),
        ("ask.sh", "is no agent"),
    ],
)
def test_functions_that_are_not_there(spec: str, message: str, module: Path) -> None:
    """The message says what was looked for, and what is near."""
    (module.parent / "broken.py").write_text("1 / 0", "utf-8")
    (module.parent / "odd.py").write_text("def nothing(): ...\ndef tenant(question, tenant): ...", "utf-8")
    with pytest.raises(AgentSetupError) as caught:
        open_agent(spec)
    assert message in str(caught.value)


def test_protocols_are_kept() -> None:
    """What stef makes is an Agent and a Retriever."""
    assert isinstance(agent_of(lambda question: ""), Agent)
    assert isinstance(retriever_of(lambda question: ""), Retriever)
