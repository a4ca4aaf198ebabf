"""The whole path with a real model on this machine: `make test-live MODEL=path.gguf`."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MODEL = os.environ.get("STEF_LIVE_MODEL", "")
pytestmark = pytest.mark.skipif(not MODEL, reason="needs a model: make test-live MODEL=path.gguf")

COMMAND = [sys.executable, "-c", "from stef.cli.app import main; main()"]
TURNS = [
    {"id": "right", "question": "How many boats are blue?", "sql": "SELECT COUNT(*) FROM boats WHERE colour = 'blue'"},
    {"id": "wrong", "question": "How many boats are blue?", "sql": "SELECT COUNT(*) FROM boats WHERE colour = 'red'"},
]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(turn) + "\n" for turn in TURNS))
    return path


def stef(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False)


def servers() -> set[int]:
    """The processes on this machine that serve the model."""
    found = subprocess.run(["pgrep", "-f", f"local_server {MODEL}"], capture_output=True, text=True, check=False)
    return {int(line) for line in found.stdout.split()}


def ended(before: set[int]) -> bool:
    deadline = time.monotonic() + 30
    while servers() - before and time.monotonic() < deadline:
        time.sleep(0.2)
    return not servers() - before


@pytest.mark.parametrize("confidence", ["logprob", "stated"])
def test_a_log_is_judged(confidence: str, log: Path, tmp_path: Path) -> None:
    """Both turns have a verdict and a probability, and the server is gone."""
    import pyarrow.parquet as pq

    before = servers()
    done = stef("score", log, "-o", tmp_path / "run", "--judge", f"local:{MODEL}", "--confidence", confidence)
    assert done.returncode == 0, done.stderr
    rows = pq.read_table(tmp_path / "run" / "turns").to_pylist()
    assert [row["status"] for row in rows] == ["scored", "scored"], [row["unscored_detail"] for row in rows]
    assert all(0.0 <= row["p_correct"] <= 1.0 for row in rows)
    if confidence == "logprob":
        assert rows[0]["p_correct"] > rows[1]["p_correct"]
    assert ended(before)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_server_ends_with_its_parent(sign: signal.Signals, log: Path, tmp_path: Path) -> None:
    """However that ends, while the model is asked."""
    before = servers()
    command = [*COMMAND, "score", str(log), "-o", str(tmp_path / "run"), "--judge", f"local:{MODEL}"]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not servers() - before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert servers() - before
    time.sleep(3)
    running.send_signal(sign)
    running.wait(60)
    assert ended(before)
