"""Agents behind HTTP, on real servers that fail in every way."""

import json
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from stef.agents import open_agent, open_retriever
from stef.agents.description import read_description
from stef.agents.fields import READERS
from stef.agents.http import HttpCaller
from stef.errors import AgentSetupError
from stef.llm.retry import RetryPolicy
from stef.records.asking import AgentFault, AgentRequest

FAULTS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "http_faults.yaml").read_text("utf-8"))
Describe = Callable[..., Path]


def echo(request: Request) -> Response:
    """Sends back what came, as the agent's answer."""
    told = {"json": request.get_json(silent=True), "query": request.query_string.decode(), "path": request.path}
    return Response(json.dumps({"answer": json.dumps(told)}), content_type="application/json")


def told(answer: str | None) -> dict[str, Any]:
    return dict(json.loads(answer or "{}"))


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case["name"])
def test_each_way_to_answer(case: dict[str, Any], describe: Describe, httpserver: HTTPServer) -> None:
    """A reply that cannot be used is a fault with its name, or stops the run where every question would fail alike."""
    body = bytes.fromhex(case["bytes"]) if "bytes" in case else case.get("body", "").encode()
    if "repeat" in case:
        body = (case["repeat"][0] * case["repeat"][1]).encode()
    httpserver.expect_request("/ask").respond_with_data(
        body, case.get("status", 200), case.get("headers"), content_type=case.get("type", "application/json")
    )
    agent = open_agent(f"http:{describe(url=httpserver.url_for('/ask'))}")
    request = AgentRequest("How many?", timeout=20)
    if case.get("setup"):
        with pytest.raises(AgentSetupError) as caught:
            agent.ask(request)
        assert case["detail"] in str(caught.value)
        return
    reply = agent.ask(request)
    agent.close()
    assert (reply.fault and reply.fault.value) == case.get("fault"), reply.detail
    assert case.get("detail", "") in reply.detail
    assert reply.turn.question == "How many?"
    assert (reply.turn.outcome == "failed") == (reply.fault is not None)


def test_nobody_listens(describe: Describe) -> None:
    """A port without a server is tried a few times, and then unreachable."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/"
    reply = open_agent(f"http:{describe(url=url)}").ask(AgentRequest("q", timeout=30))
    assert reply.fault is AgentFault.UNREACHABLE
    assert "no connection" in reply.detail


def test_connection_that_breaks_off_is_not_tried_again(describe: Describe) -> None:
    """A server that hangs up has perhaps begun to work: asking again would cost twice."""
    calls = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hang_up() -> None:
            connection, _ = server.accept()
            calls.append(connection.recv(65536))
            connection.close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        reply = open_agent(f"http:{describe(url=f'http://127.0.0.1:{server.getsockname()[1]}/')}").ask(
            AgentRequest("q", timeout=20)
        )
        thread.join()
    assert (reply.fault, len(calls)) == (AgentFault.CRASH, 1)
    assert "broke off" in reply.detail


def test_server_that_never_ends_its_reply(describe: Describe, httpserver: HTTPServer) -> None:
    """A reply that comes byte by byte is over when the time is, not when the server likes."""
    stop = threading.Event()

    def drip(_request: Request) -> Response:
        return Response(b" " for _ in range(600) if not stop.wait(0.05))

    httpserver.expect_request("/ask").respond_with_handler(drip)
    agent = open_agent(f"http:{describe(url=httpserver.url_for('/ask'))}")
    reply = agent.ask(AgentRequest("q", timeout=0.5))
    stop.set()
    agent.close()
    assert reply.fault is AgentFault.TIMEOUT
    assert reply.detail == "no whole reply within 0.5 s"
    assert reply.seconds is not None
    assert reply.seconds < 20


def test_busy_server_is_asked_again_when_it_says_so(describe: Describe, httpserver: HTTPServer) -> None:
    """429, and 503 with Retry-After, are asked again after the time that the server names; the reply then counts."""
    waits: list[float] = []

    async def no_sleep(seconds: float) -> None:
        waits.append(seconds)

    httpserver.expect_ordered_request("/ask").respond_with_data("busy", 429, {"Retry-After": "7"})
    httpserver.expect_ordered_request("/ask").respond_with_data("busy", 503, {"Retry-After": "3"})
    httpserver.expect_ordered_request("/ask").respond_with_json({"sql": "SELECT 1"})
    file = read_description(describe(url=httpserver.url_for("/ask")), READERS)
    caller = HttpCaller(file, {}, RetryPolicy(max_attempts=4, sleep=no_sleep, jitter=lambda: 0.0))
    assert caller.call(AgentRequest("q", timeout=20)) == {"sql": "SELECT 1"}
    assert [int(wait) for wait in waits] == [7, 3]


@pytest.mark.parametrize("headers", [{"Retry-After": "3600"}, {}], ids=["too long a wait", "503 without a time"])
def test_no_endless_waiting(headers: dict[str, str], describe: Describe, httpserver: HTTPServer) -> None:
    """A wait that the time does not hold is not begun, and a bare 503 is not asked again."""
    httpserver.expect_request("/ask").respond_with_data("down for repair", 503, headers)
    agent = open_agent(f"http:{describe(url=httpserver.url_for('/ask'))}")
    reply = agent.ask(AgentRequest("q", timeout=20))
    assert "503: down for repair" in reply.detail
    assert reply.fault in (AgentFault.UNREACHABLE, AgentFault.CRASH)
    assert len(httpserver.log) == 1


def test_one_refusal_among_answers_stops_nothing(describe: Describe, httpserver: HTTPServer) -> None:
    """A 403 after an answer is about that question; a 401 is about the key, whenever it comes."""
    for status, body in ((200, '{"sql": "SELECT 1"}'), (403, "blocked words"), (401, "expired")):
        httpserver.expect_ordered_request("/ask").respond_with_data(body, status)
    agent = open_agent(f"http:{describe(url=httpserver.url_for('/ask'))}")
    assert agent.ask(AgentRequest("q")).fault is None
    assert agent.ask(AgentRequest("q")).fault is AgentFault.CRASH
    with pytest.raises(AgentSetupError, match="401: expired"):
        agent.ask(AgentRequest("q"))


def test_what_is_sent(describe: Describe, httpserver: HTTPServer) -> None:
    """Places keep their types; what has no value is left out; what a question holds is never read as a template."""
    httpserver.expect_request("/v1/sales%20db/ask").respond_with_handler(echo)
    httpserver.expect_request("/v1/sales db/ask").respond_with_handler(echo)
    text = """
request:
  q: "{question}"
  hint: "{hint}"
  hide: "{hide}"
  history: "{history}"
  text: "{{not a place}} {question} / {hint} / {history}"
  top_k: 3
  nothing: null
params: {db: "{database}", hint: "{hint}"}
"""
    file = describe(text, url=httpserver.url_for("/v1").rstrip("/") + "/{database}/ask")
    agent = open_agent(f"http:{file}", environment={"TOKEN": "leak"})
    question = 'say {hint} and ${TOKEN} "quoted" ü'
    reply = agent.ask(AgentRequest(question, database="sales db", hide=("c1", "c2"), history=("before",)))
    sent = told(reply.turn.answer)
    assert sent["json"] == {
        "q": question,
        "hide": ["c1", "c2"],
        "history": ["before"],
        "text": f'{{not a place}} {question} /  / ["before"]',
        "top_k": 3,
        "nothing": None,
    }
    assert sent["query"] in ("db=sales+db", "db=sales%20db")
    assert agent.can_hide


def test_half_a_character_can_be_asked(describe: Describe, httpserver: HTTPServer) -> None:
    """Half of a surrogate pair is no text that can be sent; it is replaced, and the run goes on."""
    httpserver.expect_request("/ask").respond_with_handler(echo)
    agent = open_agent(f"http:{describe(url=httpserver.url_for('/ask'))}")
    reply = agent.ask(AgentRequest("a\ud800b"))
    assert told(reply.turn.answer)["json"]["question"] == "a���b"


def test_get_sends_the_question_as_a_parameter(describe: Describe, httpserver: HTTPServer) -> None:
    """A GET has no body."""
    httpserver.expect_request("/ask", method="GET").respond_with_handler(echo)
    file = describe('method: GET\nparams: {q: "{question}"}', url=httpserver.url_for("/ask"))
    agent = open_agent(f"http:{file}")
    assert told(agent.ask(AgentRequest("a&b")).turn.answer)["query"] == "q=a%26b"
    assert not agent.can_hide


def test_secrets_go_into_headers_and_nowhere_else(describe: Describe, httpserver: HTTPServer) -> None:
    """`${NAME}` is filled in from what the caller hands over, and taken out of every message."""
    httpserver.expect_request("/ask", headers={"Authorization": "Bearer s3cr3t-key"}).respond_with_data(
        "your key s3cr3t-key is not known", 401
    )
    file = describe('headers: {Authorization: "Bearer ${TOKEN}"}', url="${SERVER}/ask")
    server = httpserver.url_for("").rstrip("/")
    agent = open_agent(f"http:{file}", environment={"TOKEN": "s3cr3t-key\n", "SERVER": server})
    with pytest.raises(AgentSetupError) as caught:
        agent.ask(AgentRequest("q"))
    assert "your key ${TOKEN} is not known" in str(caught.value)
    assert "s3cr3t" not in str(caught.value) + repr(agent)


def test_variable_that_is_not_set(describe: Describe) -> None:
    """The message names the file, the place and the variable."""
    file = describe('headers: {Authorization: "Bearer ${TOKEN}"}', url="http://localhost/")
    with pytest.raises(
        AgentSetupError, match=r"agent.yaml: headers.Authorization: \$\{TOKEN\} is not set; export TOKEN"
    ):
        open_agent(f"http:{file}")


def test_header_that_cannot_be_sent(describe: Describe) -> None:
    """A key with a line break in its middle is told of without being shown."""
    file = describe('headers: {X-Key: "${TOKEN}"}', url="http://localhost/")
    with pytest.raises(AgentSetupError, match=r"headers.X-Key: a header holds printable ASCII only$"):
        open_agent(f"http:{file}", environment={"TOKEN": "abcd\nefgh"})


CHAT = {
    "status": "OK",
    "usage": {"usd": "0.012", "ms": 1500},
    "messages": [
        {"role": "user", "content": "How many orders?"},
        {
            "role": "assistant",
            "tool_calls": [{"function": {"name": "run_sql", "arguments": '{"query": "SELECT COUNT(*) FROM orders"}'}}],
        },
        {"role": "tool", "name": "find_tables", "content": ["orders", "customers"]},
        {"role": "tool", "name": "ddl", "content": "CREATE TABLE orders (id INT)"},
        {"role": "tool", "name": "examples", "content": [17, "c2"]},
        {"role": "assistant", "content": "There are 12 orders."},
    ],
    "result": {"columns": ["n"], "rows": [[12]]},
}
READS = """
name: sales
version: 8.1
dialect: postgres
response:
  sql: "messages[].tool_calls[] | [?function.name=='run_sql'].function.arguments | [-1].from_json(@).query"
  answer: "messages[?role=='assistant'].content | [-1]"
  outcome: status
  tables_offered: "messages[?name=='find_tables'].content"
  ddl_offered: "messages[?name=='ddl'].content"
  examples: "messages[?name=='examples'].content"
  rows: result.rows
  columns: result.columns
  trace: messages
  cost: usage.usd
  latency_ms: usage.ms
  enriched_question: rewritten.text
outcomes: {OK: answered, REFUSED: declined}
"""


def test_what_is_read(describe: Describe, httpserver: HTTPServer) -> None:
    """Paths find each field of a chat with tool calls: by filter, by index, and in JSON that is packed into a text."""
    httpserver.expect_request("/ask").respond_with_json(CHAT)
    agent = open_agent(f"http:{describe(READS, url=httpserver.url_for('/ask'))}")
    reply = agent.ask(AgentRequest("How many orders?", database="shop"))
    turn = reply.turn
    assert (agent.name, agent.version, turn.agent, turn.agent_version) == ("sales", "8.1", "sales", "8.1")
    assert turn.sql == "SELECT COUNT(*) FROM orders"
    assert turn.answer == "There are 12 orders."
    assert turn.outcome == "answered"
    assert turn.tables_offered == ("orders", "customers")
    assert turn.ddl_offered == ("CREATE TABLE orders (id INT)",)
    assert reply.offered_examples == ("17", "c2")
    assert turn.rows == ({"n": 12},)
    assert (turn.cost, turn.latency) == (0.012, 1.5)
    assert (turn.dialect, turn.database) == ("postgres", "shop")
    assert turn.trace is not None
    assert len(turn.trace) == len(CHAT["messages"])
    assert turn.enriched_question is None


@pytest.mark.parametrize(
    ("response", "detail"),
    [
        ("sql: sql\nrequired: [sql]", "sql: nothing at sql; the reply holds the keys queries, note"),
        ("sql: queries", "sql: expected one text, found 2 values; choose one, such as `… | [-1]`"),
        ("answer: note\n  rows: queries", "rows: expected objects, found lists; say which `columns` they have"),
        ("answer: note\n  trace: queries", "trace: expected a list of objects, found text in it"),
        ("answer: note\n  cost: note", "cost: expected a number of at least 0, found 'none'"),
        ("sql: length(nothing)", "sql: length(nothing): "),
    ],
)
def test_values_that_do_not_fit(response: str, detail: str, describe: Describe, httpserver: HTTPServer) -> None:
    """A value of another kind than its field's is told of with field, path and value, and never dropped in silence."""
    httpserver.expect_request("/ask").respond_with_json({"queries": ["SELECT 1", "SELECT 2"], "note": "none"})
    file = describe("response:\n  " + response, url=httpserver.url_for("/ask"))
    agent = open_agent(f"http:{file}")
    reply = agent.ask(AgentRequest("q"))
    assert reply.fault is AgentFault.NOT_READABLE
    assert detail in reply.detail


def test_many_threads_ask_one_agent(describe: Describe, httpserver: HTTPServer) -> None:
    """Each thread gets the answer to its own question."""
    httpserver.expect_request("/ask").respond_with_handler(echo)
    agent = open_agent(f"http:{describe(url=httpserver.url_for('/ask'))}")
    questions = [f"question {number}" for number in range(60)]
    with ThreadPoolExecutor(12) as pool:
        replies = list(pool.map(lambda question: agent.ask(AgentRequest(question)), questions))
    agent.close()
    assert [told(reply.turn.answer)["json"]["question"] for reply in replies] == questions


def test_closed_agent_leaves_no_thread(describe: Describe, httpserver: HTTPServer) -> None:
    """Closing ends the loop's thread, and closing twice is no error."""
    httpserver.expect_request("/ask").respond_with_json({"sql": "SELECT 1"})
    before = set(threading.enumerate())
    agent = open_agent(f"http:{describe(url=httpserver.url_for('/ask'))}")
    agent.ask(AgentRequest("q"))
    own = [thread for thread in set(threading.enumerate()) - before if thread.name == "stef-agent-http"]
    agent.close()
    agent.close()
    for thread in own:
        thread.join(20)
    assert [thread.is_alive() for thread in own] == [False]


def test_closing_breaks_off_what_still_waits(describe: Describe, httpserver: HTTPServer) -> None:
    """A run that is broken off waits for no reply."""
    came, stop = threading.Event(), threading.Event()

    def hang(_request: Request) -> Response:
        came.set()
        stop.wait(60)
        return Response("{}")

    httpserver.expect_request("/ask").respond_with_handler(hang)
    agent = open_agent(f"http:{describe(url=httpserver.url_for('/ask'))}")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(agent.ask, AgentRequest("q", timeout=300))
        assert came.wait(60)
        agent.close()
        reply = asked.result(60)
    stop.set()
    assert (reply.fault, "closed while it answered" in reply.detail) == (AgentFault.CRASH, True), reply.detail


def test_retriever_over_http(describe: Describe, httpserver: HTTPServer) -> None:
    """A retriever's file reads `ddl` and `examples`; its faults are an agent's."""
    httpserver.expect_ordered_request("/find").respond_with_json({"hits": [{"ddl": "CREATE TABLE a (i INT)", "id": 3}]})
    httpserver.expect_ordered_request("/find").respond_with_data("no", 500)
    file = describe('response: {ddl: "hits[].ddl", examples: "hits[].id"}', url=httpserver.url_for("/find"))
    retriever = open_retriever(f"http:{file}")
    found = retriever.retrieve(AgentRequest("q"))
    assert (found.ddl, found.examples, found.fault) == (("CREATE TABLE a (i INT)",), ("3",), None)
    assert retriever.retrieve(AgentRequest("q")).fault is AgentFault.CRASH
    with pytest.raises(AgentSetupError, match="response: unknown field 'ddl'; there are sql, "):
        open_agent(f"http:{file}")
