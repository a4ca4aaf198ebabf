"""What can befall a run: a full disk, a folder that cannot be written, kills, two at once, lost workers, a clock."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from stef.evaluator import Evaluator
from stef.judge.doubles import ScriptedJudge
from stef.records.judgement import Verdict
from stef.rules import RuleBook
from stef.runs.calls import CallLog
from stef.runs.kernel import KernelSpec
from stef.runs.score import ScoreJob, score_log

STEF = [sys.executable, "-c", "from stef.cli.app import main; main()"]


def write_log(path: Path, turns: int) -> Path:
    path.write_text(
        "".join(
            json.dumps({"question": f"How many orders did customer {i} place?", "sql": f"SELECT {i}, COUNT(*) FROM o"})
            + "\n"
            for i in range(turns)
        )
    )
    return path


def parts(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((run / "turns").glob("*"))}


def score(log: Path, run: Path, **options: object) -> dict[str, bytes]:
    score_log(ScoreJob((str(log),), run, part_rows=100, **options), Evaluator(), CallLog())  # type: ignore[arg-type]
    return parts(run)


def test_workers_change_no_byte(tmp_path: Path) -> None:
    """One process or several, symbolic or asked, with readings or without: equal parts."""
    log = write_log(tmp_path / "log.jsonl", 330)
    assert score(log, tmp_path / "one") == score(log, tmp_path / "two", workers=2)
    runs = []
    for workers in (1, 2):
        judge = ScriptedJudge(lambda request: Verdict.INCORRECT if "7" in request.question else Verdict.CORRECT)
        job = ScoreJob((str(log),), tmp_path / f"asked{workers}", part_rows=100, workers=workers)
        score_log(job, Evaluator(judge=judge), CallLog())
        runs.append(parts(job.out))
        assert len(judge.requests) == 330
    assert runs[0] == runs[1]


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of a quarter of a megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a small disk can be mounted by root only")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_full_disk(full_disk: Path, tmp_path: Path) -> None:
    """It is named, finished parts stay, and with room again the same command goes on to the same bytes."""
    log = write_log(tmp_path / "log.jsonl", 3000)
    command = [*STEF, "score", str(log), "-o", str(full_disk / "run"), "--part-rows", "100", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    before = parts(full_disk / "run")
    assert 0 < len(before) < 30
    subprocess.run(["mount", "-o", "remount,size=64m", full_disk], check=True)
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    after = parts(full_disk / "run")
    assert {name: after[name] for name in before} == before
    assert after == score(log, tmp_path / "whole")


def test_files_that_may_not_grow(tmp_path: Path) -> None:
    """A limit on the size of files is like a full disk: a message, no traceback, no half a part."""
    log = write_log(tmp_path / "log.jsonl", 300)
    command = [*STEF, "score", str(log), "-o", str(tmp_path / "run"), "--part-rows", "100", "-q"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)),
    )
    assert done.returncode == 3, done.stderr
    assert "File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert parts(tmp_path / "run") == {}
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """It is named, and nothing else is said."""
    log = write_log(tmp_path / "log.jsonl", 3)
    command = [*STEF, "score", str(log), "-o", "/proc/stef-run", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "/proc/stef-run" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_lock_goes_with_its_owner(tmp_path: Path) -> None:
    """Two runs into one folder: the second says so. A killed one holds nothing, and leaves no worker behind."""
    log = write_log(tmp_path / "log.jsonl", 20_000)
    command = [*STEF, "score", str(log), "-o", str(tmp_path / "run"), "--part-rows", "50", "-q", "--workers", "2"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    while not (tmp_path / "run/turns/part-00002.parquet").exists():
        assert running.poll() is None, running.communicate()[1].decode()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert second.returncode == 2
    assert "another stef is writing this RUN" in second.stderr
    workers = [int(pid) for pid in Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()]
    assert len(workers) == 2
    running.send_signal(signal.SIGKILL)
    running.communicate()
    while any(_alive(pid) for pid in workers):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    again = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    count = len(list((tmp_path / "run/turns").glob("part-*.parquet")))
    while len(list((tmp_path / "run/turns").glob("part-*.parquet"))) <= count:
        assert again.poll() is None, again.communicate()[1].decode()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    again.kill()
    again.communicate()


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_a_worker_that_ends_costs_nothing(tmp_path: Path) -> None:
    """Its turns are worked on again by another one."""
    from stef.runs.kernel import Kernel, rows_of, turns_table
    from stef.runs.mapping import FieldMap
    from stef.runs.read import read_records
    from stef.runs.sources import Source
    from stef.runs.turns import Mapper, Row
    from stef.runs.workers import Workers
    from stef.runs.working import AtOnce, AtOnceElsewhere

    def nothing() -> None:
        """Nobody waits for room."""

    log = write_log(tmp_path / "log.jsonl", 6)
    rows = [row for row in Mapper(FieldMap()).rows(read_records([Source(log, "log")])) if isinstance(row, Row)]
    assert list(rows_of(turns_table(rows))) == rows
    kernel = Kernel(Evaluator())
    async with Workers(KernelSpec(RuleBook.load()), 1) as workers:
        work = AtOnceElsewhere(kernel, workers)
        first = await work(rows, nothing)
        (pid,) = [int(p) for p in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()][-1:]
        os.kill(pid, signal.SIGKILL)
        assert (await work(rows, nothing)).equals(first)
    assert first.equals(await AtOnce(kernel)(rows, nothing))


def test_a_clock_that_goes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a run hangs on the time of day."""
    log = write_log(tmp_path / "log.jsonl", 120)
    whole = score(log, tmp_path / "whole")
    now = [time.time()]

    def backwards() -> float:
        now[0] -= 3600
        return now[0]

    monkeypatch.setattr(time, "time", backwards)
    judge = ScriptedJudge(lambda _: Verdict.CORRECT)
    score_log(ScoreJob((str(log),), tmp_path / "asked", part_rows=100), Evaluator(judge=judge), CallLog())
    assert score(log, tmp_path / "again") == whole


def test_kills_at_random_instants() -> None:
    """Byte for byte the parts of an undisturbed run, nothing paid twice but what was under way, nobody outlives it."""
    script = Path(__file__).parents[2] / "bench" / "kill.py"
    done = subprocess.run(
        [sys.executable, str(script), "--kills", "5", "--turns", "300", "--json", "--commit-ms", "500"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    seen = json.loads(done.stdout)
    assert seen["right"], seen
    assert seen["kills"] == 5
