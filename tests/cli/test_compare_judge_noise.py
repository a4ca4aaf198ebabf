"""A judge that answers with noise, asked several times of each turn: its noise is in the intervals of a comparison."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import Done, write_jsonl
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

QUESTIONS = 60
SAMPLES = 3


def number(text: bytes) -> float:
    """A number in [0, 1) that any text stands for."""
    return int.from_bytes(hashlib.sha256(text).digest()[:4], "big") / 2**32


class Judge:
    """How sure it is depends on the question and the SQL; each further answer to one request is off by some `noise`."""

    def __init__(self, noise: float) -> None:
        self.noise = noise
        self.asked: Counter[bytes] = Counter()

    def __call__(self, request: Request) -> Response:
        """An answer to a request."""
        prompt = json.dumps(request.get_json()["messages"]).encode()
        self.asked[prompt] += 1
        off = number(prompt + bytes([self.asked[prompt]])) - 0.5
        confidence = 0.7 + 0.1 * number(prompt) + self.noise * off
        said = {"reasons": ["looked at it"], "verdict": "correct", "confidence": round(confidence, 4)}
        message = {"role": "assistant", "content": json.dumps(said)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        return Response(json.dumps(body), content_type="application/json")


def log(path: Path, version: str) -> Path:
    """A question for each city; the versions write other SQL."""
    more = "" if version == "1" else " AND id > 0"
    return write_jsonl(
        path,
        [
            {
                "id": f"{version}-{n}",
                "question": f"How many customers live in city {n}?",
                "sql": f"SELECT COUNT(*) FROM customers WHERE city = '{n}'{more}",
                "agent": "bot",
                "agent_version": version,
            }
            for n in range(QUESTIONS)
        ],
    )


@pytest.fixture
def compared(httpserver: HTTPServer, tmp_path: Path, stef: Callable[..., Done]) -> Callable[..., dict[str, Any]]:
    """Both versions scored with a judge of some noise, and compared: the JSON, with what is printed under `text`."""

    def run(noise: float, samples: int) -> dict[str, Any]:
        httpserver.clear_all_handlers()
        judge = Judge(noise)
        httpserver.expect_request("/v1/chat/completions").respond_with_handler(judge)
        runs = []
        for version in ("1", "2"):
            runs.append(tmp_path / f"{version}-{noise}-{samples}")
            options = [
                "--judge",
                "openai:m",
                "--base-url",
                httpserver.url_for("/v1"),
                "--samples",
                samples,
                "--no-store",
            ]
            done = stef("score", log(tmp_path / f"{version}.jsonl", version), "-o", runs[-1], *options)
            assert done.code == 0, done.err
        assert sum(judge.asked.values()) == 2 * QUESTIONS * samples
        found: dict[str, Any] = json.loads(stef("compare", *runs, "--json").out)
        return {**found, "text": stef("compare", *runs).out}

    return run


def test_the_noise_of_a_judge_is_in_the_interval(compared: Callable[..., dict[str, Any]]) -> None:
    """The more noise, the wider; a judge without noise gives the interval of one that was asked once. The part of the
    variance that noise adds is the part that the spread of the samples says."""
    once, quiet, some, loud = compared(0.0, 1), *(compared(noise, SAMPLES) for noise in (0.0, 0.2, 0.4))
    p_correct = [one["others"][0]["difference"] for one in (once, quiet, some, loud)]
    assert p_correct[1]["interval"] == pytest.approx(p_correct[0]["interval"])
    assert quiet["main"]["difference"]["interval"] == once["main"]["difference"]["interval"]
    widths = [one["interval"]["high"] - one["interval"]["low"] for one in p_correct]
    assert widths[1] < widths[2] < widths[3]
    assert (once["noise"], quiet["noise"]["error"], quiet["noise"]["samples"]) == (None, 0.0, SAMPLES)
    for noisy, difference in ((some, p_correct[2]), (loud, p_correct[3])):
        added = difference["error"] ** 2 - p_correct[1]["error"] ** 2
        assert noisy["noise"]["error"] ** 2 == pytest.approx(added, rel=0.5)
        assert (
            "The judge's own noise (3 samples a turn) is in the intervals: alone it makes p_correct ±" in noisy["text"]
        )
    assert some["noise"]["share"] < loud["noise"]["share"]
    assert "judge's own noise" not in once["text"]
