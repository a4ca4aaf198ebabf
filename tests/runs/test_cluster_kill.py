"""`stef score --engine ray` as a user starts it: out of budget, killed, and started again."""

import importlib.util
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

BENCH = Path(__file__).parents[2] / "bench"
STEF = [sys.executable, "-c", "from stef.cli.app import main; main()"]
TURNS, DISTINCT, CONCURRENCY = 160, 140, 4
LATENCY, COMMITTED = 0.2, 0.5
"""Seconds until the judge answers, and until an answer is on the disk, however slow the machine."""

pytestmark = [
    pytest.mark.xdist_group("ray"),
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs ray: pip install 'stef[ray]'"),
]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The URL of a judge that answers by the request alone, and the file where it writes what it is asked."""
    asked = tmp_path / "asked"
    asked.touch()
    command = [sys.executable, str(BENCH / "judge_server.py"), "--latency", str(LATENCY), "--log", str(asked)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1", asked
    process.stdin.close()
    process.wait()


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


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


def test_out_of_budget_killed_and_started_again(server: tuple[str, Path], tmp_path: Path) -> None:
    """The parts are those of an undisturbed local run, nothing is paid twice but what a kill found under way.

    Nobody outlives the run that was killed.
    """
    url, asked = server
    rows = [
        {"question": f"How many orders did customer {at % DISTINCT} place?", "sql": f"SELECT {at % DISTINCT}, 1 FROM o"}
        for at in range(TURNS)
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "log.parquet", row_group_size=50)

    def command(run: str, *options: str) -> list[str]:
        judge = ["--judge", "openai:test", "--base-url", url, "--price-in", "1000", "--price-out", "0"]
        how = ["--concurrency", str(CONCURRENCY), "--part-rows", "20", "--store", str(tmp_path / f"{run}.sqlite"), "-q"]
        return [*STEF, "score", str(tmp_path / "log.parquet"), "-o", str(tmp_path / run), *judge, *how, *options]

    subprocess.run(command("here"), check=True, capture_output=True)
    once = len(lines(asked))
    assert once == len(set(lines(asked))) == DISTINCT

    asked.write_bytes(b"")
    on_ray = command("there", "--engine", "ray")
    done = subprocess.run([*on_ray, "--budget", "10"], capture_output=True, text=True, check=False)
    assert re.search(r"budget of \$10 is spent.*the same command with a greater --budget goes on", done.stderr), done
    assert "Traceback" not in done.stderr
    spent = len(lines(asked))
    assert 0 < spent < DISTINCT / 2

    running = subprocess.Popen(on_ray, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 300
    while len(lines(asked)) < spent + DISTINCT / 4:
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
    before = len(lines(asked))
    assert before < DISTINCT
    assert len(started) > 3

    done = subprocess.run(on_ray, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert parts(tmp_path / "there") == parts(tmp_path / "here")
    at_risk = CONCURRENCY + int(CONCURRENCY * COMMITTED / LATENCY)
    assert len(lines(asked)) <= once + at_risk
    assert {path.name for path in (tmp_path / "there").iterdir()} == {"run.json", "turns", "calls.jsonl"}
