"""Agents that are commands, run for real: what they print, how they fail, and that nothing of them is left behind."""

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from stef.agents import open_agent, open_retriever
from stef.errors import AgentSetupError
from stef.records.asking import AgentFault, AgentRequest

Describe = Callable[..., Path]
Script = Callable[..., Path]


def is_alive(pid: int) -> bool:
    """Whether a process still runs; one that only waits to be collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def is_gone(pid: int) -> bool:
    for _ in range(200):
        if not is_alive(pid):
            return True
        time.sleep(0.05)
    return False


def test_request_is_json_and_the_reply_is_sql(script: Script) -> None:
    """The whole request stands on the input; plain text on the output is the SQL."""
    path = script('cat > "$(dirname "$0")/got.json"; echo "SELECT 1"')
    request = AgentRequest('say "x"; $(rm -rf /) ü', "c1", "shop", None, ("c1",), ("before",))
    agent = open_agent(f"command:{path}")
    reply = agent.ask(request)
    assert (reply.fault, reply.turn.sql, reply.turn.agent) == (None, "SELECT 1", "ask")
    assert json.loads((path.parent / "got.json").read_text("utf-8")) == {
        "question": request.question,
        "database": "shop",
        "hide": ["c1"],
        "history": ["before"],
    }
    assert not agent.can_hide


@pytest.mark.parametrize(
    ("body", "sql"),
    [
        ("""echo '{"sql": "SELECT 2", "examples": [1], "question": "echoed"}'""", "SELECT 2"),
        ("""echo '"SELECT 3"'""", "SELECT 3"),
        ("echo '```sql'; echo 'SELECT 4'; echo '```'", "```sql\nSELECT 4\n```"),
        ("printf '\\357\\273\\277SELECT 5'", "SELECT 5"),
        ("echo SELECT 6; echo noise >&2; sleep 60 &", "SELECT 6"),
    ],
    ids=["an object", "a JSON text", "a fence, which reading SQL knows", "a byte-order mark", "a child left behind"],
)
def test_what_may_be_printed(body: str, sql: str, script: Script) -> None:
    """An object in stef's own names, a text, or SQL as it is; a child that keeps the output open holds nothing up."""
    reply = open_agent(f"command:{script(body)}").ask(AgentRequest("q", timeout=30))
    assert (reply.fault, reply.turn.sql) == (None, sql), reply.detail


@pytest.mark.parametrize(
    ("body", "fault", "detail"),
    [
        ("echo no key >&2; exit 3", "crash", "exit code 3; its last words: no key"),
        ("kill -SEGV $$", "crash", "signal SIGSEGV"),
        ("exit 0", "not_readable", "the command printed nothing"),
        ("echo '<html>'", "not_readable", "the output is an HTML page"),
        ("""echo '{"sql": '""", "not_readable", "the output is not valid JSON"),
        ("""echo '{"sqll": "SELECT 1"}'""", "not_readable", "unknown field 'sqll'; did you mean 'sql'?"),
        ("printf '\\377\\376'", "not_readable", "the output is not UTF-8"),
        ("yes", "not_readable", "the command printed more than 64 MiB"),
        ("yes >&2", "not_readable", "the command printed more than 64 MiB"),
    ],
)
def test_each_way_to_fail(body: str, fault: str, detail: str, script: Script) -> None:
    """A command that fails is a fault with its name and the command's own last words."""
    reply = open_agent(f"command:{script(body)}").ask(AgentRequest("q", timeout=60))
    assert (reply.fault, reply.turn.outcome) == (AgentFault(fault), "failed"), reply.detail
    assert detail in reply.detail


def test_timeout_ends_the_children_too(script: Script, tmp_path: Path) -> None:
    """A command that hangs is killed with the child that it started."""
    path = script(f"sleep 600 & echo $! > {tmp_path}/child; echo waiting >&2; wait")
    reply = open_agent(f"command:{path}").ask(AgentRequest("q", timeout=1.0))
    assert reply.fault is AgentFault.TIMEOUT
    assert reply.detail == "no answer within 1 s, ended with all that it had started; its last words: waiting"
    assert is_gone(int((tmp_path / "child").read_text("utf-8")))


def test_closing_ends_what_still_runs(script: Script, tmp_path: Path) -> None:
    """A run that is broken off leaves no command behind."""
    agent = open_agent(f"command:{script(f'echo $$ > {tmp_path}/pid; exec sleep 600')}")
    replies = []
    asking = threading.Thread(target=lambda: replies.append(agent.ask(AgentRequest("q", timeout=300))))
    asking.start()
    for _ in range(400):
        if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text("utf-8").strip():
            break
        time.sleep(0.05)
    agent.close()
    asking.join(60)
    assert [reply.fault for reply in replies] == [AgentFault.CRASH]
    assert is_gone(int((tmp_path / "pid").read_text("utf-8")))


def test_described_command(describe: Describe, script: Script, tmp_path: Path) -> None:
    """A file beside the script says what is sent, with which environment, and where the fields stand."""
    script("""read line; printf '{"out": {"q": "%s"}, "sent": %s, "here": "%s"}' "$MODEL" "$line" "$(pwd)" """)
    file = describe("""
name: scripted
version: 2
command: [./ask.sh, --fast]
env: {MODEL: "m-${SIZE}"}
request: {ask: "{question}", without: "{hide}"}
response: {sql: out.q, answer: sent.ask, examples: sent.without, enriched_question: here}
""")
    agent = open_agent(f"command:{file}", environment={"SIZE": "7b", "PATH": os.environ["PATH"]})
    reply = agent.ask(AgentRequest("how?", hide=("a", "b")))
    assert reply.fault is None, reply.detail
    assert (reply.turn.sql, reply.turn.answer, reply.offered_examples) == ("m-7b", "how?", ("a", "b"))
    assert reply.turn.enriched_question == str(tmp_path.resolve())
    assert (agent.can_hide, agent.name, agent.version) == (True, "scripted", "2")
    assert agent.reads == ("sql", "answer", "examples", "enriched_question")


def test_secrets_are_taken_out_of_last_words(describe: Describe, script: Script) -> None:
    """A command that prints its key when it fails does not print it into the run."""
    script('echo "bad key $KEY" >&2; exit 1')
    file = describe('command: ./ask.sh\nenv: {KEY: "${API_KEY}"}')
    agent = open_agent(f"command:{file}", environment={"API_KEY": "s3cr3t-key", "PATH": os.environ["PATH"]})
    assert "bad key ${API_KEY}" in agent.ask(AgentRequest("q")).detail


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("./absent.sh", "there is no file"),
        ("ask.sh", "there is no command 'ask.sh'; did you mean ./ask.sh?"),
        ("./plain.txt", "plain.txt may not be run; chmod +x"),
        ("'unclosed", "not a command line: No closing quotation"),
    ],
)
def test_command_that_cannot_be(
    spec: str, message: str, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a mistake is told before any question is asked."""
    script("true")
    (tmp_path / "plain.txt").write_text("echo SELECT 1", "utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AgentSetupError) as caught:
        open_agent(f"command:{spec}")
    assert message in str(caught.value)


def test_retriever_by_command(script: Script) -> None:
    """A retriever prints CREATE statements as they are, or an object with `ddl` and `examples`."""
    path = script("echo 'CREATE TABLE a (i INT)'")
    assert open_retriever(f"command:{path}").retrieve(AgentRequest("q")).ddl == ("CREATE TABLE a (i INT)",)
    path = script("""echo '{"ddl": ["CREATE TABLE b (i INT)"], "examples": ["x"]}'""")
    found = open_retriever(f"command:{path}").retrieve(AgentRequest("q"))
    assert (found.ddl, found.examples) == (("CREATE TABLE b (i INT)",), ("x",))
