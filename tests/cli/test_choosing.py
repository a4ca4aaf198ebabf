"""`--sample`, `--since`, `--from`, `--follow`, `--store`: a part of a log, one that grows, what was paid before."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import TURNS, Done, parquet_rows, write_jsonl
from pytest_httpserver import HTTPServer
from test_model_judge import GOOD, completion, judge
from werkzeug import Request, Response

Stef = Callable[..., Done]


@pytest.fixture
def hundred(tmp_path: Path) -> Path:
    """A hundred turns of two agents, a day apart; the last ten have no timestamp."""
    turns: list[dict[str, Any]] = []
    for number in range(100):
        turn = {**TURNS[number % 4], "id": f"n{number}", "agent": "a" if number % 10 else "b", "timestamp": None}
        if number < 90:
            turn["timestamp"] = f"2026-{1 + number // 28:02}-{1 + number % 28:02}T12:00:00Z"
        turns.append(turn)
    return write_jsonl(tmp_path / "log.jsonl", turns)


def ids(run: Path) -> list[str]:
    return [row["id"] for row in parquet_rows(run)]


def test_a_sample_is_drawn_by_lot(hundred: Path, tmp_path: Path, stef: Stef) -> None:
    """So many turns in the order of the log, the same for the same seed, others for another."""
    runs = [tmp_path / name for name in "abc"]
    for run, seed in zip(runs, (1, 1, 2), strict=True):
        assert stef("score", hundred, "-o", run, "--sample", "20", "--sample-seed", seed).code == 0
    first, second, third = map(ids, runs)
    assert first == second != third
    assert len(first) == len(third) == 20
    assert first == sorted(first, key=lambda name: int(name[1:]))
    assert json.loads((runs[0] / "run.json").read_text())["counts"] == {
        "turns": 20,
        "left_out": 80,
        "bad_lines": 0,
        "without_rules": 0,
    }
    again = stef("score", hundred, "-o", runs[0], "--sample", "21", "--sample-seed", 1)
    assert again.code == 2
    assert "sample.count was 20, now 21" in again.err


def test_samples_of_every_kind(hundred: Path, tmp_path: Path, stef: Stef) -> None:
    """A share, so many of each agent, the newest, each finding as often."""
    assert stef("score", hundred, "-o", tmp_path / "share", "--sample", "30%").code == 0
    assert 15 <= len(ids(tmp_path / "share")) <= 45
    assert stef("score", hundred, "-o", tmp_path / "agent", "--sample", "5", "--sample-by", "agent").code == 0
    assert Counter(row["agent"] for row in parquet_rows(tmp_path / "agent")) >= Counter(a=5, b=5)
    assert stef("score", hundred, "-o", tmp_path / "newest", "--sample", "3", "--sample-by", "newest").code == 0
    assert ids(tmp_path / "newest") == ["n87", "n88", "n89"]
    assert stef("score", hundred, "-o", tmp_path / "finding", "--sample", "8", "--sample-by", "finding").code == 0
    assert len(ids(tmp_path / "finding")) == 8


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--sample", "0"], "give a number of turns"),
        (["--sample", "half"], "give a number of turns"),
        (["--sample", "101%"], "at most 100 %"),
        (["--sample", "5%", "--sample-by", "newest"], "not a share"),
        (["--sample", "5", "--sample-by", "luck"], "give one of random, agent, newest, finding"),
        (["--since", "yesterday"], "give a date"),
        (["--since", "2099-01-01"], "leave none of the 100 turns"),
        (["--from", "sqlite:///x"], "belong together"),
        (["--from", "sqlite:///x", "--query", "SELECT 1"], "not both"),
        (["--store", "x", "--no-store", "--judge", "openai:m"], "exclude each other"),
        (["--requests-per-minute", "0", "--judge", "openai:m"], "more than 0"),
    ],
)
def test_what_cannot_be_meant(options: list[str], says: str, hundred: Path, tmp_path: Path, stef: Stef) -> None:
    """The user's mistake, with what would be right; nothing is written."""
    done = stef("score", hundred, "-o", tmp_path / "run", *options)
    assert done.code == 2, done.err
    assert says in done.err
    assert not (tmp_path / "run").exists()


def test_since(hundred: Path, tmp_path: Path, stef: Stef) -> None:
    """A date, or a span; a turn without timestamp is not new. A span holds from when the RUN was begun."""
    assert stef("score", hundred, "-o", tmp_path / "date", "--since", "2026-04-01").code == 0
    assert ids(tmp_path / "date") == [f"n{number}" for number in range(84, 90)]
    assert stef("score", hundred, "-o", tmp_path / "span", "--since", "5200w").code == 0
    assert len(ids(tmp_path / "span")) == 90
    again = stef("score", hundred, "-o", tmp_path / "span", "--since", "5200w")
    assert "already complete" in again.err


def test_a_log_in_a_database(tmp_path: Path, stef: Stef) -> None:
    """The rows of a query are the log; the URL's secrets stand nowhere; nothing is written to the database."""
    database = sqlite3.connect(tmp_path / "app.sqlite")
    database.execute("CREATE TABLE turns (id TEXT, question TEXT, sql TEXT, at TEXT, cost REAL, raw BLOB)")
    rows = [
        (f"n{n}", "How many orders were placed in 2023?", TURNS[n % 2]["sql"], None, 0.5, b"\xff") for n in range(2500)
    ]
    database.executemany("INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?)", rows)
    database.commit()
    url = f"sqlite:///{tmp_path}/app.sqlite"
    query = "SELECT * FROM turns WHERE sql NOT LIKE ':x%' ORDER BY rowid"
    done = stef("score", "--from", url, "--query", query, "-o", tmp_path / "run")
    assert done.code == 0, done.err
    assert ids(tmp_path / "run") == [f"n{number}" for number in range(2500)]
    assert parquet_rows(tmp_path / "run")[7]["place"] == "query:8"
    settings = json.loads((tmp_path / "run/run.json").read_text())["settings"]
    assert settings["query"] == {"from": url, "sql": query}
    assert "already complete" in stef("score", "--from", url, "--query", query, "-o", tmp_path / "run").err
    for bad in ("DELETE FROM turns", "SELECT * FROM nowhere"):
        done = stef("score", "--from", url, "--query", bad, "-o", tmp_path / "other")
        assert done.code == 2, done.err
        assert "Traceback" not in done.err
    assert database.execute("SELECT count(*) FROM turns").fetchone() == (2500,)
    done = stef("score", "--from", f"sqlite:///{tmp_path}/none.sqlite", "--query", query, "-o", tmp_path / "other")
    assert done.code == 2
    assert not (tmp_path / "none.sqlite").exists()
    done = stef(
        "score", "--from", "postgresql://me:geheim@127.0.0.1:1/x?sslkey=geheim", "--query", query, "-o", "other"
    )
    assert done.code == 3  # the server is down
    assert "geheim" not in done.err


def test_a_log_in_duckdb(tmp_path: Path, stef: Stef) -> None:
    """The same, through DuckDB's own driver."""
    import duckdb

    with duckdb.connect(str(tmp_path / "app.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 'How many boats?' AS question, 'SELECT 1' AS sql, now() AS at")
    done = stef("score", "--from", f"duckdb:///{tmp_path}/app.duckdb", "--query", "FROM t", "-o", tmp_path / "run")
    assert done.code == 0, done.err
    assert len(parquet_rows(tmp_path / "run")) == 1


def test_what_was_judged_before_costs_nothing(
    httpserver: HTTPServer, log: Path, tmp_path: Path, cache: Path, stef: Stef
) -> None:
    """Another log, another run: only what is new is asked. `--no-store` asks all, and keeps nothing."""
    asked: list[int] = []

    def answer(_request: Request) -> Response:
        asked.append(1)
        return completion(GOOD)

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    options = [*judge(httpserver), "--price-in", "1", "--price-out", "1"]
    assert stef("score", log, "-o", tmp_path / "one", *options).code == 0
    assert len(asked) == 4
    more = write_jsonl(tmp_path / "more.jsonl", [*TURNS, {**TURNS[0], "question": "How many orders, in all?"}])
    done = stef("score", more, "-o", tmp_path / "two", *options)
    assert len(asked) == 5
    assert "4 judgements" in done.out
    first, second = (parquet_rows(tmp_path / name, without=["place"]) for name in ("one", "two"))
    assert first == second[: len(first)]
    assert first[0]["judge_cost"] > 0
    calls = [json.loads(line) for line in (tmp_path / "two/calls.jsonl").read_text().splitlines()]
    assert Counter(bool(call.get("kept")) for call in calls) == {True: 4, False: 1}
    assert [path.name for path in (cache / "stef").iterdir()] == ["judgements.sqlite"]
    assert stef("score", log, "-o", tmp_path / "three", *options, "--no-store").code == 0
    assert len(asked) == 9
    assert stef("score", log, "-o", tmp_path / "four", *options, "--store", tmp_path / "own.sqlite").code == 0
    assert len(asked) == 13
    assert stef("score", log, "-o", tmp_path / "five", *options, "--refute").code == 0
    assert len(asked) == 17, "the refutation alone is new"


def test_a_reply_that_cannot_be_read_is_not_kept(httpserver: HTTPServer, log: Path, tmp_path: Path, stef: Stef) -> None:
    """The next run asks again."""
    said = ["so-so"]
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(lambda _request: completion(said[0]))
    assert stef("score", log, "-o", tmp_path / "one", *judge(httpserver)).code == 0
    assert {row["unscored_reason"] for row in parquet_rows(tmp_path / "one")[:4]} == {"judge_reply_invalid"}
    said[0] = GOOD
    assert stef("score", log, "-o", tmp_path / "two", *judge(httpserver)).code == 0
    assert {row["status"] for row in parquet_rows(tmp_path / "two")[:4]} == {"scored"}


def test_a_folder_that_grows(tmp_path: Path, stef: Stef) -> None:
    """A RUN takes in the files that have come since, in whatever order they are named, as one of all at once would."""
    import os
    import subprocess
    import time

    from command_line import COMMAND

    folder, run = tmp_path / "logs", tmp_path / "run"
    folder.mkdir()

    def put(name: str, turns: list[dict[str, Any]]) -> None:
        hidden = folder / f".{name}"
        write_jsonl(hidden, turns)
        os.utime(hidden, (time.time() - 60, time.time() - 60))
        hidden.rename(folder / name)

    put("b.jsonl", TURNS[:3])
    command = [*COMMAND, "score", str(folder), "-o", str(run), "--follow", "0.2", "--part-rows", "2", "-q"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for(turns: int) -> None:
        deadline = time.monotonic() + 120
        while True:
            try:
                about = json.loads((run / "run.json").read_text())
                if about["state"] == "complete" and about["counts"]["turns"] == turns:
                    return
            except OSError:
                pass
            assert running.poll() is None, running.communicate()[1].decode()
            assert time.monotonic() < deadline
            time.sleep(0.05)

    wait_for(3)
    put("a.jsonl", TURNS[3:5])
    wait_for(5)
    put("c.jsonl", TURNS[5:])
    wait_for(7)
    running.send_signal(2)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130, err.decode()
    assert [row["id"] for row in parquet_rows(run)] == [turn["id"] for turn in TURNS]
    (tmp_path / "one").mkdir()
    for place, name in enumerate(("b", "a", "c")):
        (tmp_path / "one" / f"{place}").mkdir()
        (folder / f"{name}.jsonl").rename(tmp_path / "one" / f"{place}" / f"{name}.jsonl")
    whole = tmp_path / "whole"
    files = [tmp_path / "one" / f"{place}" / f"{name}.jsonl" for place, name in enumerate(("b", "a", "c"))]
    assert stef("score", *files, "-o", whole, "--part-rows", "2").code == 0
    found = {path.name: path.read_bytes() for path in (run / "turns").iterdir()}
    assert found == {path.name: path.read_bytes() for path in (whole / "turns").iterdir()}
