"""`stef score --engine ray` as a user starts it: killed, and started again."""

import importlib.util
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from judge_kit import JudgeServer

STEF = [sys.executable, "-c", "from stef.cli.app import main; main()"]
TURNS, DISTINCT, CONCURRENCY = 160, 140, 4
COMMITTED = 0.5
"""Seconds until an answer is on the disk, however slow the machine."""

pytestmark = [
    pytest.mark.xdist_group("ray"),
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs ray: pip install 'stef[ray]'"),
]


def parts(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((run / "turns").glob("*"))}


def offspring(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(child) for child in task.read_text().split()]
        except OSError:
            continue
        found += [one for child in children for one in (child, *offspring(child))]
    return found


def at_work(pid: int) -> bool:
    """Whether a process may still do something of the run. Ray's agents watch its node, and end a minute after it."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        name = Path(f"/proc/{pid}/cmdline").read_bytes().partition(b"\0")[0].decode()
    except OSError:
        return False
    return state != "Z" and name not in {"ray::DashboardAgent", "ray::RuntimeEnvAgent"}


def test_killed_and_started_again(judge_server: JudgeServer, tmp_path: Path) -> None:
    """The parts are those of an undisturbed local run, nothing is paid twice but what the kill found under way.

    Nobody outlives the run that was killed.
    """
    asked = [f"How many orders did customer {at % DISTINCT} place?" for at in range(TURNS)]
    rows = [{"question": one, "sql": "SELECT COUNT(*) FROM orders"} for one in asked]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "log.parquet", row_group_size=50)

    def command(run: str, *options: str) -> list[str]:
        judge = ["--judge", "openai:test", "--base-url", judge_server.url, "--store", str(tmp_path / f"{run}.sqlite")]
        how = ["--concurrency", str(CONCURRENCY), "--part-rows", "20", "--quiet"]
        return [*STEF, "score", str(tmp_path / "log.parquet"), "-o", str(tmp_path / run), *judge, *how, *options]

    subprocess.run(command("here"), check=True, capture_output=True)
    assert len(judge_server.asked()) == len(set(judge_server.asked())) == DISTINCT
    judge_server.forget()

    on_ray = command("there", "--engine", "ray")
    running = subprocess.Popen(on_ray, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 300
    while len(judge_server.asked()) < DISTINCT / 4:
        assert running.poll() is None, running.communicate()[1].decode()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(random.uniform(0, 1))
    started = offspring(running.pid)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    while any(map(at_work, started)):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert len(judge_server.asked()) < DISTINCT
    assert len(started) > 3

    done = subprocess.run(on_ray, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert parts(tmp_path / "there") == parts(tmp_path / "here")
    at_risk = CONCURRENCY + int(CONCURRENCY * COMMITTED / judge_server.latency)
    assert len(judge_server.asked()) <= DISTINCT + at_risk
    assert {path.name for path in (tmp_path / "there").iterdir()} == {"run.json", "turns", "calls.jsonl"}
