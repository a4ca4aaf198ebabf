"""`stef score` with a model as its judge, over a server on loopback."""

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import COMMAND, TURNS, Done, parquet_rows, write_jsonl
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

GOOD = json.dumps({"reasons": ["the count is over the right year"], "verdict": "correct", "confidence": 0.9})


def completion(content: str) -> Response:
    message = {"role": "assistant", "content": content}
    body: dict[str, Any] = {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
    return Response(json.dumps(body), content_type="application/json")


def judge(server: HTTPServer) -> list[str]:
    return ["--judge", "openai:m", "--base-url", server.url_for("/v1")]


def test_every_call_is_written_down(
    httpserver: HTTPServer, log: Path, tmp_path: Path, stef: Callable[..., Done]
) -> None:
    """calls.jsonl holds a line for each turn that was judged, run.json their sums, every table the judge's name."""
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(lambda _: completion(GOOD))
    done = stef("score", log, "-o", tmp_path / "run", *judge(httpserver))
    assert done.code == 0, done.err
    assert "judged by: openai:m" in done.out
    assert "symbolic" not in done.out
    assert "4 model calls, 400 + 80 tokens" in done.out
    calls = [json.loads(line) for line in (tmp_path / "run/calls.jsonl").read_text().splitlines()]
    assert sorted(call["row"] for call in calls) == [0, 1, 2, 3]
    about = json.loads((tmp_path / "run/run.json").read_text())
    assert (about["calls"]["calls"], about["calls"]["input_tokens"]) == (4, 400)
    assert about["settings"]["evaluation"]["prompts_hash"]
    rows = parquet_rows(tmp_path / "run")
    assert {row["judge"] for row in rows if row["status"] == "scored"} == {"openai:m"}
    assert {row["verdict"] for row in rows if row["status"] == "scored"} == {"correct"}


def test_a_bad_key_ends_the_run_at_once(
    httpserver: HTTPServer, log: Path, tmp_path: Path, stef: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user's mistake, said once; the key itself stands nowhere."""
    monkeypatch.setenv("MY_KEY", "sk-very-secret-0123456789")
    refusal = {
        "error": {"message": "Incorrect API key provided", "type": "invalid_request_error", "code": "invalid_api_key"}
    }
    httpserver.expect_request("/v1/chat/completions").respond_with_json(refusal, status=401)
    done = stef("score", log, "-o", tmp_path / "run", *judge(httpserver), "--api-key-env", "MY_KEY")
    assert done.code == 2
    assert "key" in done.err
    written = "".join(path.read_text(errors="replace") for path in (tmp_path / "run").rglob("*") if path.is_file())
    assert "very-secret" not in done.out + done.err + written
    assert list((tmp_path / "run/turns").iterdir()) == []


def test_a_stop_while_calls_are_in_flight(httpserver: HTTPServer, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Ctrl-C ends at once; afterwards only what has no reply yet is asked."""
    asked: list[int] = []

    def slowly(request: Request) -> Response:
        asked.append(1)
        time.sleep(0.05)
        return completion(GOOD)

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(slowly)
    log = write_jsonl(
        tmp_path / "log.jsonl",
        [{**TURNS[0], "id": str(n), "question": f"How many orders were placed in {n}?"} for n in range(60)],
    )
    arguments = [
        "score",
        str(log),
        "-o",
        str(tmp_path / "run"),
        *judge(httpserver),
        "--part-rows",
        "5",
        "--concurrency",
        "2",
    ]
    running = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not (tmp_path / "run/turns/part-00001.parquet").exists():
        assert running.poll() is None, running.communicate()[1].decode()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130, err.decode()
    assert "Traceback" not in err.decode()
    parts = len(list((tmp_path / "run/turns").glob("*.parquet")))
    asked.clear()
    assert stef(*arguments).code == 0
    assert 0 < len(asked) <= 60 - 5 * parts
    assert [row["id"] for row in parquet_rows(tmp_path / "run")] == [str(index) for index in range(60)]
