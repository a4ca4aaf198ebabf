"""`stef judge export` and `import`: the same scores as over a server, and each failure with its reason."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import Done, parquet_rows
from pytest_httpserver import HTTPServer
from test_model_judge import judge
from werkzeug import Request, Response

Stef = Callable[..., Done]
JUDGE = ["--judge", "openai:m"]


def body(content: str | None, **choice: Any) -> dict[str, Any]:
    """A chat completion."""
    message = {"role": "assistant", "content": content}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", **choice}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


def model(messages: list[dict[str, str]]) -> str:
    """What a model replies: a function of what it was sent."""
    sent = messages[-1]["content"]
    if "last one to look at it" in messages[0]["content"]:
        fault = "the price is not asked" if "expensive" in sent else ""
        said = {"question_words": "expensive", "sql_words": "", "fault": fault}
        return json.dumps({**said, "verdict": "incorrect" if fault else "correct", "confidence": 0.8})
    verdict = "correct" if "2023-01-01" in sent or "expensive" in sent else "potentially_incorrect"
    return json.dumps({"reasons": [f"{len(sent)} characters"], "verdict": verdict, "confidence": 0.75})


def batch_reply(request: dict[str, Any]) -> dict[str, Any]:
    """A line of a batch's output."""
    response = {"status_code": 200, "request_id": "r", "body": body(model(request["body"]["messages"]))}
    return {"id": "b", "custom_id": request["custom_id"], "response": response, "error": None}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, values: list[Any]) -> Path:
    path.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in values))
    return path


@pytest.fixture
def requests(log: Path, tmp_path: Path, stef: Stef) -> list[dict[str, Any]]:
    """The requests of the small log."""
    done = stef("judge", "export", log, "-o", tmp_path / "requests.jsonl", *JUDGE)
    assert done.code == 0, done.err
    return lines(tmp_path / "requests.jsonl")


def comparable(run: Path) -> list[dict[str, Any]]:
    """The rows of a RUN without what only a clock can tell."""
    rows = parquet_rows(run, without=[])
    for row in rows:
        assessment = json.loads(row["assessment"])
        if assessment["judgement"] and assessment["judgement"]["usage"]:
            assessment["judgement"]["usage"].pop("latency_s")
        row["assessment"] = assessment
    return rows


def test_the_format(
    requests: list[dict[str, Any]], httpserver: HTTPServer, log: Path, tmp_path: Path, stef: Stef
) -> None:
    """A request is what a server is sent, in OpenAI's batch format; ids are unique."""
    seen: list[dict[str, Any]] = []

    def answer(request: Request) -> Response:
        seen.append(json.loads(request.data))
        return Response(json.dumps(body(model(seen[-1]["messages"]))), content_type="application/json")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    assert stef("score", log, "-o", tmp_path / "run", *judge(httpserver)).code == 0
    assert {(one["method"], one["url"]) for one in requests} == {("POST", "/v1/chat/completions")}
    assert len({one["custom_id"] for one in requests}) == len(requests) == 4
    by_prompt = {one["messages"][-1]["content"]: one for one in seen}
    assert [by_prompt[one["body"]["messages"][-1]["content"]] for one in requests] == [one["body"] for one in requests]


@pytest.mark.parametrize("form", ["batch", "content"])
@pytest.mark.parametrize("options", [[], ["--samples", "3"], ["--refute"], ["--judge-sees", "query"]])
def test_the_same_as_live(
    form: str, options: list[str], httpserver: HTTPServer, log: Path, tmp_path: Path, stef: Stef
) -> None:
    """Every Assessment is the one that a server's replies give, but for the time."""

    def answer(request: Request) -> Response:
        return Response(json.dumps(body(model(json.loads(request.data)["messages"]))), content_type="application/json")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    price = ["--price-in", "1", "--price-out", "2"]
    live = stef("score", log, "-o", tmp_path / "live", *judge(httpserver), *options, *price)
    assert live.code == 0, live.err
    assert stef("judge", "export", log, "-o", tmp_path / "q.jsonl", *JUDGE, *options).code == 0
    replies = [batch_reply(request) for request in lines(tmp_path / "q.jsonl")]
    if form == "content":
        contents = [one["response"]["body"]["choices"][0]["message"]["content"] for one in replies]
        replies = [
            {"custom_id": one["custom_id"], "content": said} for one, said in zip(replies, contents, strict=True)
        ]
    write(tmp_path / "r.jsonl", list(reversed(replies)))
    done = stef("judge", "import", log, tmp_path / "r.jsonl", "-o", tmp_path / "run", *JUDGE, *options, *price)
    assert done.code == 0, done.err
    without_usage = ["judge_input_tokens", "judge_output_tokens", "judge_cost"] if form == "content" else []
    ours, theirs = comparable(tmp_path / "run"), comparable(tmp_path / "live")
    for row in [*ours, *theirs]:
        for name in without_usage:
            row.pop(name)
        if without_usage and row["assessment"]["judgement"]:
            row["assessment"]["judgement"].pop("usage")
    assert ours == theirs
    assert any(row["status"] == "scored" for row in ours)
    about = json.loads((tmp_path / "run/run.json").read_text())
    assert about["settings"]["replies"]["name"] == "r.jsonl"
    assert about["calls"]["latency_s"] is None


BAD: dict[str, tuple[Any, str, str]] = {
    "off the scale": (body('{"verdict": "fine", "confidence": 0.5}'), "judge_reply_invalid", "not on the scale"),
    "prose": (body("I think it is fine."), "judge_reply_invalid", "not readable"),
    "empty": (body(None), "judge_reply_invalid", "empty"),
    "cut": (body('{"reasons": ["', finish_reason="length"), "judge_reply_invalid", "cut off"),
    "no choices": ({"id": "c"}, "judge_unavailable", "no choices"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_reply_that_cannot_be_read(
    name: str, requests: list[dict[str, Any]], log: Path, tmp_path: Path, stef: Stef
) -> None:
    """Its true reason, and the text kept."""
    reply, reason, says = BAD[name]
    bad = {"custom_id": requests[0]["custom_id"], "response": {"status_code": 200, "body": reply}, "error": None}
    write(tmp_path / "r.jsonl", [bad, *map(batch_reply, requests[1:])])
    done = stef("judge", "import", log, tmp_path / "r.jsonl", "-o", tmp_path / "run", *JUDGE)
    assert done.code == 0, done.err
    first = parquet_rows(tmp_path / "run")[0]
    assert (first["unscored_reason"], says in first["unscored_detail"]) == (reason, True), first["unscored_detail"]
    assert [row["status"] for row in parquet_rows(tmp_path / "run")[1:4]] == ["scored"] * 3


def test_errors_of_a_batch(requests: list[dict[str, Any]], log: Path, tmp_path: Path, stef: Stef) -> None:
    """An expired line, an error status, a missing line, replies that differ, and the same one twice."""
    ids = [one["custom_id"] for one in requests]
    good = [batch_reply(one) for one in requests]
    other = {**good[3], "response": {"status_code": 200, "body": body('{"verdict": "incorrect", "confidence": 1}')}}
    expired = {"custom_id": ids[0], "response": None, "error": {"code": "batch_expired", "message": "not in time"}}
    refused = {"custom_id": ids[1], "response": {"status_code": 429, "body": {"error": {"message": "slow down"}}}}
    write(tmp_path / "r.jsonl", [expired, refused, good[3], other])
    assert stef("judge", "import", log, tmp_path / "r.jsonl", "-o", tmp_path / "run", *JUDGE).code == 0
    rows = parquet_rows(tmp_path / "run")[:4]
    reasons = [(row["unscored_reason"], row["unscored_detail"]) for row in rows]
    assert [reason for reason, _ in reasons] == ["judge_unavailable"] * 3 + ["judge_reply_invalid"]
    for (_, detail), says in zip(reasons, ("batch_expired", "slow down", "holds no reply", "2 different"), strict=True):
        assert says in detail
    # An error beside a reply, and the same reply twice, are no contradiction.
    write(tmp_path / "r2.jsonl", [expired, *good, good[3]])
    assert stef("judge", "import", log, tmp_path / "r2.jsonl", "-o", tmp_path / "run2", *JUDGE).code == 0
    assert [row["status"] for row in parquet_rows(tmp_path / "run2")[:4]] == ["scored"] * 4


def test_lines_of_no_use_are_told(requests: list[dict[str, Any]], log: Path, tmp_path: Path, stef: Stef) -> None:
    """How many, and the first of them; the rest is scored."""
    lines_ = ["{", "[1]", '{"content": "x"}', '{"custom_id": "zzz", "content": "x"}', *map(batch_reply, requests)]
    write(tmp_path / "r.jsonl", lines_)
    done = stef("judge", "import", log, tmp_path / "r.jsonl", "-o", tmp_path / "run", *JUDGE)
    assert done.code == 0
    assert "3 lines without a reply; line 1: no JSON" in done.err
    assert "1 custom_id belong to no turn" in done.err


def test_replies_of_another_judge(requests: list[dict[str, Any]], log: Path, tmp_path: Path, stef: Stef) -> None:
    """No turn is scored, and the way out is said."""
    write(tmp_path / "r.jsonl", list(map(batch_reply, requests)))
    done = stef("judge", "import", log, tmp_path / "r.jsonl", "-o", tmp_path / "run", "--judge", "openai:other")
    assert done.code == 0
    assert "the options of the export" in done.err
    assert not any(row["score"] for row in parquet_rows(tmp_path / "run"))


@pytest.mark.parametrize("content", ["", "\n", "prose\n", "{}\n"])
def test_a_file_without_replies(content: str, log: Path, tmp_path: Path, stef: Stef) -> None:
    """The user's mistake; nothing is written."""
    (tmp_path / "r.jsonl").write_text(content)
    done = stef("judge", "import", log, tmp_path / "r.jsonl", "-o", tmp_path / "run", *JUDGE)
    assert done.code == 2
    assert "holds no reply" in done.err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("spec", ["symbolic", "local:x.gguf", "openai:", "recorded:x"])
def test_a_judge_that_no_batch_is_for(spec: str, log: Path, tmp_path: Path, stef: Stef) -> None:
    """It needs a provider's model."""
    done = stef("judge", "export", log, "-o", tmp_path / "q.jsonl", "--judge", spec)
    assert done.code == 2
    assert "--judge openai:" in done.err
    assert not (tmp_path / "q.jsonl").exists()


def test_a_run_stands_for_its_log(
    requests: list[dict[str, Any]], log: Path, tmp_path: Path, stef: Stef, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A RUN that was scored without a model knows where it came from, wherever the command is called."""
    monkeypatch.chdir(tmp_path)
    assert stef("score", log.name, "-o", "first").code == 0
    monkeypatch.chdir("/")
    assert stef("judge", "export", tmp_path / "first", "-o", tmp_path / "again.jsonl", *JUDGE).code == 0
    assert lines(tmp_path / "again.jsonl") == requests
    write(tmp_path / "r.jsonl", list(map(batch_reply, requests)))
    done = stef("judge", "import", tmp_path / "first", tmp_path / "r.jsonl", "-o", tmp_path / "run", *JUDGE)
    assert done.code == 0, done.err
    assert {row["judge"] for row in parquet_rows(tmp_path / "run") if row["judge"]} == {"openai:m"}
