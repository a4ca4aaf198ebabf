"""To whom a key is sent, and who reads the questions."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import Done, parquet_rows, write_jsonl
from pytest_httpserver import HTTPServer
from test_model_judge import GOOD, completion
from werkzeug import Request, Response

from stef.cli.judges import JudgeChoice
from stef.errors import JudgeSetupError, UserError
from stef.llm.openai_client import is_openai

# pytest undoes the filter with which litellm quiets its own types.
pytestmark = pytest.mark.filterwarnings("ignore:.*ReadOnly:UserWarning")

Stef = Callable[..., Done]
SECRET = "sk-openai-secret-0123456789"
READING: dict[str, Any] = {
    "show": [],
    "aggregates": [{"function": "COUNT", "of": "boats", "distinct": False}],
    "filters": [{"words": "blau", "subject": "colour", "aggregate": None, "op": "=", "values": ["blau"]}],
    "group_by": [],
    "order": [],
    "top": None,
    "distinct": False,
}
GERMAN = {
    "id": "g",
    "question": "Wie viele Boote sind blau?",
    "sql": "SELECT COUNT(*) FROM boats WHERE colour = 'blau'",
}


@pytest.fixture
def seen(httpserver: HTTPServer) -> list[Request]:
    """Every request that the server saw."""
    found: list[Request] = []

    def answer(request: Request) -> Response:
        found.append(request)
        reads = "You read a question" in json.loads(request.data)["messages"][0]["content"]
        return completion(json.dumps(READING) if reads else GOOD)

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    return found


def keys(seen: list[Request]) -> set[str | None]:
    return {request.headers.get("Authorization") for request in seen}


@pytest.mark.xdist_group("litellm")
@pytest.mark.parametrize("spec", ["openai:m", "litellm:openai/m"])
def test_another_server_is_not_sent_openais_key(
    spec: str,
    httpserver: HTTPServer,
    seen: list[Request],
    log: Path,
    tmp_path: Path,
    stef: Stef,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Unless the user names it."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    command = ["score", log, "--limit", "1", "--judge", spec, "--base-url", httpserver.url_for("/v1"), "--no-store"]
    assert stef(*command, "-o", tmp_path / "a").code == 0
    assert keys(seen) == {"Bearer none"}
    seen.clear()
    assert stef(*command, "-o", tmp_path / "b", "--api-key-env", "OPENAI_API_KEY").code == 0
    assert keys(seen) == {f"Bearer {SECRET}"}


@pytest.mark.xdist_group("litellm")
@pytest.mark.parametrize("spec", ["openai:m", "litellm:openai/m", "litellm:anthropic/m"])
def test_a_server_elsewhere_needs_a_key_of_its_own(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that happens to be set is not taken for it."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    with pytest.raises(JudgeSetupError, match="--api-key-env VAR"):
        JudgeChoice(spec, base_url="https://models.example/v1").evaluator()


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("https://api.openai.com/v1", True),
        ("https://eu.api.openai.com/v1", True),
        ("http://api.openai.com/v1", False),
        ("https://api.openai.com.evil.example/v1", False),
        ("https://evilapi.openai.com/v1", False),
        ("https://api.openai.com@evil.example/v1", False),
        ("https://openai.example/v1", False),
    ],
)
def test_who_is_openai(url: str, own: bool) -> None:
    """By its host, over TLS."""
    assert is_openai(url) is own


def test_a_model_reads_the_questions(httpserver: HTTPServer, seen: list[Request], tmp_path: Path, stef: Stef) -> None:
    """What rules can't read is read, written down as a call, and recorded in the settings."""
    log = write_jsonl(tmp_path / "log.jsonl", [GERMAN])
    assert stef("score", log, "-o", tmp_path / "rules").code == 0
    assert parquet_rows(tmp_path / "rules")[0]["unscored_reason"] == "question_not_readable"
    base = ["--base-url", httpserver.url_for("/v1")]
    done = stef("score", log, "-o", tmp_path / "run", "--reader", "openai:m", *base)
    assert done.code == 0, done.err
    assert parquet_rows(tmp_path / "run")[0]["filter_alignment"] == "fully_applied"
    about = json.loads((tmp_path / "run/run.json").read_text())
    assert about["settings"]["evaluation"]["reader"] == "openai:m"
    assert about["settings"]["evaluation"]["judge"] == "symbolic"
    assert about["calls"]["calls"] == len(seen) == 1
    explained = stef("explain", "--question", GERMAN["question"], "--sql", GERMAN["sql"], "--reader", "openai:m", *base)
    assert explained.code == 0, explained.err
    assert "✓‹blau›" in explained.out


def test_a_model_reads_and_another_judges(
    httpserver: HTTPServer, seen: list[Request], tmp_path: Path, stef: Stef
) -> None:
    """On one server, with one key."""
    log = write_jsonl(tmp_path / "log.jsonl", [GERMAN])
    base = ["--base-url", httpserver.url_for("/v1")]
    done = stef("score", log, "-o", tmp_path / "run", "--reader", "openai:r", "--judge", "openai:j", *base)
    assert done.code == 0, done.err
    assert [json.loads(request.data)["model"] for request in seen] == ["r", "j"]


def test_one_address_is_for_one_provider() -> None:
    """What is meant for one must not go to another."""
    with pytest.raises(UserError, match="two providers"):
        JudgeChoice("openai:m", reader="litellm:anthropic/m", base_url="http://127.0.0.1:1/v1").evaluator()


@pytest.mark.parametrize("spec", ["rule", "symbolic", "openai", "openai:"])
def test_an_unknown_reader(spec: str, log: Path, tmp_path: Path, stef: Stef) -> None:
    """The user's mistake, with the names that there are."""
    done = stef("score", log, "-o", tmp_path / "run", "--reader", spec)
    assert done.code == 2
    assert "rules, openai:MODEL or litellm:PROVIDER/MODEL" in done.err


def test_how_a_model_was_asked_is_explained(httpserver: HTTPServer, log: Path, tmp_path: Path, stef: Stef) -> None:
    """Samples, refutation, disagreement, tokens, cost and time stand in `stef explain`, the totals in the summary."""
    refutation = {"question_words": "placed in 2023", "sql_words": "", "fault": "no year", "verdict": "incorrect"}

    def answer(request: Request) -> Response:
        second = "last one to look at it" in json.loads(request.data)["messages"][0]["content"]
        return completion(json.dumps({**refutation, "confidence": 0.9}) if second else GOOD)

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    options = ["--samples", "3", "--refute", "--price-in", "1", "--price-out", "1"]
    command = ["score", log, "-o", tmp_path / "run", "--judge", "openai:m", *options]
    done = stef(*command, "--base-url", httpserver.url_for("/v1"))
    assert done.code == 0, done.err
    assert "s the longest" in done.out
    shown = stef("explain", tmp_path / "run", "t1").out
    for text in ("3 samples", "✗ refuted", "no year", "400 + 80 tokens, $0.0005", "openai:m, 3 samples, refuted"):
        assert text in shown, text
    settings = json.loads((tmp_path / "run/run.json").read_text())["settings"]["evaluation"]["judge_settings"]
    assert settings == {
        "temperature": 0.7,
        "max_tokens": 2048,
        "sees": "all",
        "confidence": "stated",
        "samples": 3,
        "refute": True,
    }
    row = parquet_rows(tmp_path / "run")[0]
    assert (row["refuted"], row["spread"], row["judge_input_tokens"]) == (True, 0.0, 400)
    assert row["judge_cost"] == pytest.approx(0.00048)
