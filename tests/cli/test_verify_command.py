"""`stef verify`, driven as a user drives it."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from command_line import Done, write_jsonl
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

Stef = Callable[..., Done]
TURNS = [
    {"id": "right", "question": "How many singers are there?", "sql": "SELECT COUNT(*) FROM singer", "agent": "bot"},
    {"id": "broken", "question": "How many singers are there?", "sql": "SELECT COUNT(nam) FROM singer", "agent": "bot"},
    {
        "id": "empty",
        "question": "Names of singers from France?",
        "sql": "SELECT name FROM singer WHERE country = 'france'",
        "agent": "bot2",
        "answer": "There are 7 of them.",
    },
    {"id": "refusal", "question": "Delete all singers", "sql": None, "outcome": "declined", "agent": "bot"},
]


@pytest.fixture
def music(tmp_path: Path) -> str:
    """A small database; its URL."""
    path = tmp_path / "music.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE singer (id INTEGER PRIMARY KEY, name TEXT, country TEXT);"
            "INSERT INTO singer VALUES (1, 'Ada', 'France'), (2, 'Bo', 'Norway');"
        )
    connection.close()
    return f"sqlite:///{path}"


@pytest.fixture
def turns(tmp_path: Path) -> Path:
    """A log of four turns."""
    return write_jsonl(tmp_path / "turns.jsonl", TURNS)


def checks(run: Path) -> list[dict[str, Any]]:
    """The rows of a RUN."""
    return [row for part in sorted((run / "checks").glob("*.parquet")) for row in pq.read_table(part).to_pylist()]


def test_a_log(stef: Stef, turns: Path, music: str) -> None:
    """The answers that something speaks against, the counts, what each rung took; without a model it says so."""
    done = stef("verify", turns, "--db", music)
    assert done.code == 0, done.err
    assert "REFUTED   broken" in done.out
    assert "no such column: nam" in done.out
    assert "DOUBTFUL  empty" in done.out
    assert "nearest: 'France'" in done.out
    assert "'7' stands on nothing" in done.out
    assert "UNKNOWN   refusal" in done.out
    assert "No model and no agent was given" in done.out


def test_json(stef: Stef, turns: Path, music: str) -> None:
    """One document, with the repair message of each turn."""
    done = stef("verify", turns, "--db", music, "--json")
    document = json.loads(done.out)
    assert document["counts"]["outcomes"] == {
        "supported": 0,
        "unopposed": 1,
        "doubtful": 1,
        "refuted": 1,
        "unknown": 1,
    }
    by_id = {one["id"]: one["verification"] for one in document["turns"]}
    assert by_id["broken"]["repair"]["near"] == ["singer.name"]
    assert by_id["empty"]["repair"]["proposed_sql"] == "SELECT name FROM singer WHERE country = 'France'"
    assert by_id["right"]["repair"] is None
    assert by_id["refusal"]["p"] is None
    assert document["rungs"]["execute"]["climbed"] == 3


def test_one_answer(stef: Stef, music: str) -> None:
    """A question with its query and its words, rung by rung."""
    done = stef(
        *("verify", "--question", "How many singers are there?", "--sql", "SELECT COUNT(*) FROM singer"),
        *("--answer", "There are 2 singers.", "--db", music),
    )
    assert done.code == 0, done.err
    assert "outcome   unopposed" in done.out
    assert "rows      number  2" in done.out
    assert "not climbed: needs a model" in done.out


def test_a_run_is_written_and_goes_on(stef: Stef, turns: Path, music: str, tmp_path: Path) -> None:
    """Parts that are there stay; what comes out is what an undisturbed run gives; a finished one is left alone."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for run in (whole, broken):
        assert stef("verify", turns, "--db", music, "-o", run, "--part-rows", 2).code == 0
    about = json.loads((broken / "run.json").read_text())
    (broken / "run.json").write_text(json.dumps({**about, "state": "running"}))
    (broken / "checks" / "part-00001.parquet").unlink()
    kept = (broken / "checks" / "part-00000.parquet").stat().st_mtime_ns
    assert stef("verify", turns, "--db", music, "-o", broken, "--part-rows", 2).code == 0
    assert (broken / "checks" / "part-00000.parquet").stat().st_mtime_ns == kept
    without = ("seconds", "verification")
    rows = [[{k: v for k, v in row.items() if k not in without} for row in checks(run)] for run in (whole, broken)]
    assert rows[0] == rows[1]
    assert [row["outcome"] for row in rows[0]] == ["unopposed", "refuted", "doubtful", "unknown"]
    assert rows[0][2]["unsupported"] == ["7"]
    assert rows[0][0]["unsupported"] is None
    again = stef("verify", turns, "--db", music, "-o", whole, "--part-rows", 2)
    assert "already complete" in again.err


def test_other_settings(stef: Stef, turns: Path, music: str, tmp_path: Path) -> None:
    """A RUN that was made otherwise is left alone."""
    run = tmp_path / "run"
    assert stef("verify", turns, "--db", music, "-o", run).code == 0
    done = stef("verify", turns, "--db", music, "-o", run, "--prior", "0.9")
    assert done.code == 2
    assert "prior was 0.5, now 0.9" in done.err


def test_no_password_is_stored(stef: Stef, turns: Path, tmp_path: Path) -> None:
    """Neither run.json nor a message holds the password of the database."""
    url = "postgresql+psycopg://reader:s3cret@127.0.0.1:1/music"
    done = stef("verify", turns, "--db", url, "-o", tmp_path / "run")
    assert done.code == 3
    assert "s3cret" not in done.err + (tmp_path / "run" / "run.json").read_text()


def test_scores_stand_beside(stef: Stef, turns: Path, music: str, tmp_path: Path) -> None:
    """A RUN of stef score is a log, and its scores stand beside the outcomes as they are."""
    assert stef("score", turns, "-o", tmp_path / "scored").code == 0
    scored = pq.read_table(tmp_path / "scored" / "turns").to_pylist()
    done = stef("verify", tmp_path / "scored", "--db", music, "-o", tmp_path / "checked")
    assert done.code == 0, done.err
    rows = checks(tmp_path / "checked")
    assert [row["score"] for row in rows] == [row["score"] for row in scored]
    assert rows[0]["score"] is not None
    refused = stef("verify", tmp_path / "checked", "--db", music)
    assert refused.code == 2
    assert "made by stef verify" in refused.err


@pytest.mark.parametrize(("gate", "code"), [("refuted", 1), ("doubtful", 1)])
def test_a_gate(gate: str, code: int, stef: Stef, turns: Path, music: str) -> None:
    """With --fail-on the exit code tells."""
    assert stef("verify", turns, "--db", music, "--fail-on", gate).code == code
    assert stef("verify", turns, "--db", music, "--fail-on", gate, "--limit", 1).code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rungs", "execute,sanitty"], "there are execute, sanity"),
        (["--judge", "symbolic"], "ask a model"),
        (["--judge", "openai:m", "--base-url", "http://127.0.0.1:9/v1", "--budget", "1"], "--price-in"),
        (["--budget", "1"], "name it with --judge"),
        (["--judge-wording"], "name it with --judge"),
        (["--agent", "replay:turns.jsonl"], "gives the same answer each time"),
        (["--prior", "1"], "--prior 1"),
        (["--settled", "0.4"], "--settled 0.4"),
        (["--fail-on", "everything"], "there are refuted, doubtful"),
        (["--question", "x"], "without a log"),
        (["--judge", "openai:m", "--base-url", "http://127.0.0.1:9/v1"], "can't be reached"),
    ],
)
def test_mistakes(arguments: list[str], words: str, stef: Stef, turns: Path, music: str) -> None:
    """Each is told with the way out."""
    done = stef("verify", turns, "--db", music, *arguments)
    assert done.code == 2, done.err
    assert words in done.err


def test_no_database(stef: Stef, turns: Path, tmp_path: Path) -> None:
    """A URL that leads nowhere is the user's mistake, not a doubt about each answer."""
    done = stef("verify", turns, "--db", f"sqlite:///{tmp_path}/none.sqlite")
    assert done.code == 2
    assert "none.sqlite" in done.err


def test_a_database_of_each_turn(stef: Stef, music: str, tmp_path: Path) -> None:
    """`{database}` stands for the turn's own; one that is missing makes its turns unknown."""
    turns = [{**TURNS[0], "database": "music"}, {**TURNS[0], "id": "far", "database": "mars"}]
    log = write_jsonl(tmp_path / "log.jsonl", turns)
    done = stef("verify", log, "--db", f"sqlite:///{tmp_path}/{{database}}.sqlite", "--json")
    assert [one["verification"]["outcome"] for one in json.loads(done.out)["turns"]] == ["unopposed", "unknown"]


def _reply(request: Request) -> Response:
    system = json.loads(request.data)["messages"][0]["content"]
    if "say in plain English" in system:
        content = {"request": "How many singers there are."}
    elif "compare two requests" in system:
        content = {"differences": [], "verdict": "probably_same", "confidence": 0.8}
    else:
        content = {"sql": "SELECT COUNT(id) FROM singer"}
    message = {"role": "assistant", "content": json.dumps(content)}
    body = {
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
    }
    return Response(json.dumps(body), content_type="application/json")


def test_with_a_model(stef: Stef, turns: Path, music: str, tmp_path: Path, httpserver: HTTPServer) -> None:
    """The dear rungs are climbed where doubt remains; calls.jsonl has each call, run.json their sums, and a finished
    RUN asks nothing again."""
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(_reply)
    model = ["--judge", "openai:m", "--base-url", httpserver.url_for("/v1"), "--price-in", 1, "--price-out", 1]
    run = tmp_path / "run"
    done = stef("verify", turns, "--db", music, "-o", run, *model, "--samples", 3, "--budget", 5)
    assert done.code == 0, done.err
    rows = {row["id"]: row for row in checks(run)}
    assert rows["right"]["outcome"] == "supported"
    assert rows["right"]["rungs"] == [
        "execute: neutral",
        "sanity: neutral",
        "back-translation: for",
        "consistency: for",
    ]
    assert rows["right"]["calls"] == 5
    assert rows["right"]["cost"] == pytest.approx(5 * 0.0011)
    assert rows["broken"]["calls"] == 0
    about = json.loads((run / "run.json").read_text())
    assert about["calls"]["calls"] == len((run / "calls.jsonl").read_text().splitlines()) == 10
    assert about["settings"]["asks"]["prompts"]
    asked = len(httpserver.log)
    assert stef("verify", turns, "--db", music, "-o", run, *model, "--samples", 3, "--budget", 5).code == 0
    assert len(httpserver.log) == asked


def test_a_stop_pays_nothing_twice(stef: Stef, turns: Path, music: str, tmp_path: Path, httpserver: HTTPServer) -> None:
    """What was answered before a run stopped is not asked again."""
    answered: list[int] = []

    def reply(request: Request) -> Response:
        if len(answered) == 3 and not refusals:
            refusals.append(1)
            return Response('{"error": {"message": "bad key"}}', status=401, content_type="application/json")
        answered.append(1)
        return _reply(request)

    refusals: list[int] = []
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(reply)
    model = ["--judge", "openai:m", "--base-url", httpserver.url_for("/v1"), "--price-in", 1, "--price-out", 1]
    command = ["verify", turns, "--db", music, "-o", tmp_path / "run", *model, "--samples", 3, "--concurrency", 1]
    stopped = stef(*command)
    assert stopped.code == 2
    assert 3 <= len(answered) < 10
    assert "check the key" in stopped.err
    assert stef(*command).code == 0
    assert len(answered) == 10
    assert not list((tmp_path / "run").glob("kept*"))


def test_a_budget_that_ends(stef: Stef, turns: Path, music: str, httpserver: HTTPServer) -> None:
    """The free rungs go on; what is not climbed says why."""
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(_reply)
    model = ["--judge", "openai:m", "--base-url", httpserver.url_for("/v1"), "--price-in", 1, "--price-out", 1]
    done = stef("verify", turns, "--db", music, *model, "--budget", 0.0012, "--concurrency", 1, "--json")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    assert document["calls"]["cost"] <= 0.0024
    assert document["rungs"]["execute"]["climbed"] == 3
    assert "budget" in json.dumps([one["verification"] for one in document["turns"]])


def test_an_agent_answers_anew(stef: Stef, music: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are drawn from an agent by its specification."""
    (tmp_path / "anew.py").write_text(
        "import itertools\n"
        "n = itertools.count()\n"
        "def ask(question):\n"
        "    return {'sql': f'SELECT COUNT(*) FROM singer WHERE id > -{next(n)}'}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    done = stef(
        *("verify", "--question", TURNS[0]["question"], "--sql", TURNS[0]["sql"], "--db", music),
        *("--agent", "python:anew:ask", "--samples", 3, "--json"),
    )
    assert done.code == 0, done.err
    assert json.loads(done.out)["rungs"][-1]["facts"]["agreement"] == 1.0


def test_help(stef: Stef) -> None:
    """It shows how it is called."""
    done = stef("verify", "--help")
    assert done.code == 0
    assert "stef verify log.jsonl --db" in done.out
