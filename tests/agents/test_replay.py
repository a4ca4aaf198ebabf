"""Logs of answers already given, as agents."""

import json
from pathlib import Path
from typing import Any

import pytest

from stef.agents import open_agent, open_agents, open_retriever, replays
from stef.errors import AgentSetupError, InputError
from stef.records.asking import AgentFault, AgentRequest


def log(tmp_path: Path, *lines: dict[str, Any] | str) -> Path:
    path = tmp_path / "turns.jsonl"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines), "utf-8")
    return path


def sql_of(path: Path, request: AgentRequest) -> str | None:
    return replays(path)[0].ask(request).turn.sql


def test_one_agent_for_each_name(tmp_path: Path) -> None:
    """Agents come in the order of the log; versions of one agent are agents of their own."""
    lines = [
        {"question": "q", "sql": "1", "agent": "b", "agent_version": "2"},
        {"question": "q", "sql": "2", "agent": "a"},
        {"question": "q", "sql": "3", "agent": "b", "agent_version": "1"},
        {"question": "q", "sql": "4"},
    ]
    agents = open_agents(f"replay:{log(tmp_path, *lines)}")
    assert [(agent.name, agent.version) for agent in agents] == [
        ("b 2", "2"),
        ("a", None),
        ("b 1", "1"),
        ("turns", None),
    ]
    assert [agent.ask(AgentRequest("q")).turn.sql for agent in agents] == ["1", "2", "3", "4"]
    assert not any(agent.can_hide for agent in agents)


def test_case_id_wins_over_the_question(tmp_path: Path) -> None:
    """A line that says its case is that case's, wherever it says so, and no other's."""
    path = log(
        tmp_path,
        {"question": "How many?", "sql": "other", "case_id": "c2"},
        {"question": "how many ??", "sql": "right", "metadata": {"case_id": "c1"}},
        {"question": "How many?", "sql": "whoever's"},
    )
    assert sql_of(path, AgentRequest("How many?", "c1")) == "right"
    assert sql_of(path, AgentRequest("How many?", "c2")) == "other"
    assert sql_of(path, AgentRequest("How many?", "c3")) == "whoever's"


def test_question_is_matched_on_its_database(tmp_path: Path) -> None:
    """Spaces do not count, letters do; a side that names no database is compatible with any."""
    path = log(
        tmp_path,
        {"question": "How  many\tare there?", "sql": "a", "database": "shop"},
        {"question": "How many are there?", "sql": "b", "database": "bank"},
        {"question": "And now?", "sql": "c"},
    )
    assert sql_of(path, AgentRequest(" How many are there? ", database="bank")) == "b"
    assert sql_of(path, AgentRequest("How many are there?", database="shop")) == "a"
    assert sql_of(path, AgentRequest("How many are there?")) == "a"
    assert sql_of(path, AgentRequest("And now?", database="shop")) == "c"
    assert sql_of(path, AgentRequest("how many are there?", database="shop")) is None
    assert sql_of(path, AgentRequest("How many are there?", database="zoo")) is None


def test_equal_questions_are_told_by_the_turns_id(tmp_path: Path) -> None:
    """Two cases with one question: the turn whose id begins with the case's id."""
    path = log(
        tmp_path,
        {"id": "c1::a", "question": "q", "sql": "one"},
        {"id": "c10::a", "question": "q", "sql": "ten"},
    )
    assert sql_of(path, AgentRequest("q", "c10")) == "ten"
    assert sql_of(path, AgentRequest("q", "c1")) == "one"


def test_paraphrase_needs_its_own_turn(tmp_path: Path) -> None:
    """The answer to one phrasing is not taken for the answer to another."""
    path = log(
        tmp_path,
        {"question": "How many?", "sql": "a", "case_id": "c1"},
        {"question": "What is the count?", "sql": "b", "case_id": "c1"},
    )
    assert sql_of(path, AgentRequest("How many?", "c1")) == "a"
    assert sql_of(path, AgentRequest("What is the count?", "c1", paraphrase=True)) == "b"
    assert sql_of(path, AgentRequest("Tell me the number", "c1")) == "a"
    reply = replays(path)[0].ask(AgentRequest("Tell me the number", "c1", paraphrase=True))
    assert reply.fault is AgentFault.NO_TURN


def test_turn_comes_as_it_was_logged(tmp_path: Path) -> None:
    """Rows, answer, outcome, trace, times and examples are kept."""
    turn = {
        "id": "t1",
        "question": "q",
        "sql": "SELECT 1",
        "answer": "one",
        "outcome": "answered",
        "rows": [{"n": 1}],
        "trace": [{"step": "plan"}],
        "latency": 1.5,
        "examples": ["c1", 7],
        "timestamp": "2026-03-01T12:00:00Z",
        "history": None,
    }
    reply = open_agent(f"replay:{log(tmp_path, turn)}").ask(AgentRequest("q"))
    assert (reply.fault, reply.seconds, reply.offered_examples) == (None, 1.5, ("c1", "7"))
    assert (reply.turn.id, reply.turn.rows, reply.turn.trace) == ("t1", ({"n": 1},), ({"step": "plan"},))


def test_null_in_place_of_sql_is_an_answer(tmp_path: Path) -> None:
    """The log says that the agent gave no SQL, and that is judged."""
    assert sql_of(log(tmp_path, {"question": "q", "sql": None}), AgentRequest("q")) == ""


def test_no_turn(tmp_path: Path) -> None:
    """What the log does not hold is a fault of its own name."""
    reply = open_agent(f"replay:{log(tmp_path, {'question': 'q', 'sql': '1'})}").ask(AgentRequest("other", "c1"))
    assert (reply.fault, reply.turn.outcome, reply.turn.question) == (AgentFault.NO_TURN, "failed", "other")
    assert reply.detail == "the log holds no turn of turns for this case"


def test_fields_that_a_turn_lacks_are_counted(tmp_path: Path) -> None:
    """They are ignored, and not without a word."""
    path = log(
        tmp_path, {"question": "q", "sql": "1", "model": "m", "x": 1}, {"question": "r", "sql": "1", "model": "m"}
    )
    assert dict(replays(path)[0].unknown) == {"model": 2, "x": 1}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "turns.jsonl:2: not valid JSON: Expecting property name"),
        ("[1]", "turns.jsonl:2: expected a JSON object {…}"),
        ('{"sql": "SELECT 1"}', "turns.jsonl:2: question: Field required"),
        ('{"question": "q"}', "turns.jsonl:2: a turn needs one of sql, answer, outcome"),
        ('{"question": "q", "sql": 5}', "turns.jsonl:2: sql: Input should be a valid string"),
        ('{"question": "q", "sql": "s", "rows": [1]}', "turns.jsonl:2: rows.0: "),
        ('{"question": "q", "sql": "s", "case_id": [1]}', "turns.jsonl:2: case_id: expected text"),
        ('{"question": "q", "sql": "s", "examples": {"a": 1}}', "turns.jsonl:2: examples: expected a list of texts"),
        ("[" * 100_000, "turns.jsonl:2: not valid JSON: nested too deep"),
    ],
)
def test_broken_line_is_named(line: str, message: str, tmp_path: Path) -> None:
    """File, line and field; a log with a hole would be scored as if the agent had not answered."""
    with pytest.raises(InputError) as caught:
        replays(log(tmp_path, {"question": "q", "sql": "1"}, line))
    assert message in str(caught.value)


def test_many_broken_lines_are_told_in_short(tmp_path: Path) -> None:
    """Five are shown, the rest counted."""
    with pytest.raises(InputError) as caught:
        replays(log(tmp_path, *["{"] * 12))
    assert str(caught.value).count("turns.jsonl:") == 5
    assert str(caught.value).endswith("… and 7 more lines")


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_empty_log(content: bytes, tmp_path: Path) -> None:
    """A log without a turn is no log."""
    path = tmp_path / "turns.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"turns.jsonl: holds no turn"):
        replays(path)


def test_specs_of_logs(tmp_path: Path) -> None:
    """One agent is asked for by name; a log is no retriever; a file that is not there is told of."""
    path = log(tmp_path, {"question": "q", "sql": "1", "agent": "a"}, {"question": "q", "sql": "1", "agent": "b"})
    with pytest.raises(AgentSetupError, match=r"holds 2 agents \(a, b\), where one is expected"):
        open_agent(f"replay:{path}")
    with pytest.raises(AgentSetupError, match="no direct call; name the retriever"):
        open_retriever(f"replay:{path}")
    with pytest.raises(InputError, match=r"absent.jsonl: cannot be read"):
        open_agents(f"replay:{tmp_path}/absent.jsonl")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("turns", "gold", "agents", "cases", "matched"),
    [("spider_agents", "spider", 11, 579, 6369), ("superhero_agents", "bird", 22, 34, 748)],
)
def test_shared_logs_find_their_cases(
    turns: str, gold: str, agents: int, cases: int, matched: int, shared_dir: Path
) -> None:
    """By database and question, and nowhere does an agent answer with another case's turn."""
    found = replays(shared_dir / "data" / "turns" / f"{turns}.jsonl")
    assert len(found) == agents
    lines = (shared_dir / "data" / "gold" / f"{gold}.jsonl").read_text("utf-8").splitlines()
    requests = [AgentRequest(one["question"], one["id"], one["db_id"]) for one in map(json.loads, lines)]
    answered, ids = set(), set()
    for agent in found:
        for request in requests:
            reply = agent.ask(request)
            if reply.fault is None:
                answered.add(request.case_id)
                ids.add(reply.turn.id)
                assert (reply.turn.agent, reply.turn.database) == (agent.name, request.database)
    assert (len(answered), len(ids)) == (cases, matched)
