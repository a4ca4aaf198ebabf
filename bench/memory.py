"""Memory, CPU and speed of a run with the symbolic judge: few turns against many, one process against several.

python bench/memory.py [--few 100000] [--many 1000000] [--workers 2] [--log LOG.jsonl…] [--json]

Memory is the most that stef and its workers held (their peaks added up), with the table that is printed at the end.
CPU is that of all of them. The bare pipeline is prepare, judge, finish in a loop over the same turns, without reading
or writing anything.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from kill import alive, children
from long_log import repeated, write_log
from serving import STEF

EXAMPLE = Path(__file__).parents[1] / "examples" / "sales" / "log.jsonl"
PIPELINE_TURNS = 10_000


def run(folder: Path, logs: Sequence[Path], turns: int, workers: int) -> dict[str, Any]:
    """One run in a process of its own, watched from outside."""
    log = write_log(folder / "log.jsonl", logs, turns)
    out = folder / f"run-{turns}-{workers}"
    command = [*STEF, "score", str(log), "-o", str(out), "--workers", str(workers), "-q"]
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peaks: dict[int, int] = {}
    while alive(process.pid):
        for pid in (process.pid, *children(process.pid)):
            peaks[pid] = max(peaks.get(pid, 0), peak(pid))
        time.sleep(0.05)
    seconds = time.monotonic() - start
    _, _, used = os.wait4(process.pid, 0)
    cpu = used.ru_utime + used.ru_stime
    log.unlink()
    return {"turns": turns, "workers": workers, "mib": sum(peaks.values()) // 1024, "seconds": seconds, "cpu": cpu}


def peak(pid: int) -> int:
    """The most memory that a process has held so far, in KiB."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)


def pipeline(logs: Sequence[Path], turns: int) -> float:
    """CPU seconds a turn of the bare pipeline."""
    from stef import Evaluator, Turn  # noqa: PLC0415  it is measured alone

    evaluator = Evaluator()
    fields = set(Turn.model_fields)
    records = [Turn(**{k: v for k, v in one.items() if k in fields}) for one in islice(repeated(logs, turns), turns)]
    start = time.process_time()
    for turn in records:
        prepared = evaluator.prepare((turn,))
        evaluator.finish(prepared, evaluator.judge_now(prepared))
    return (time.process_time() - start) / turns


def main() -> None:
    """Print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--few", type=int, default=100_000)
    parser.add_argument("--many", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--log", type=Path, nargs="+", default=[EXAMPLE], help="turns to repeat")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bare = pipeline(options.log, min(options.few, PIPELINE_TURNS))
        one = run(Path(folder), options.log, options.few, 1)
        few = run(Path(folder), options.log, options.few, options.workers)
        many = run(Path(folder), options.log, options.many, options.workers) if options.many else None
    seen = {
        "pipeline_cpu_ms": bare * 1000,
        "one": one,
        "few": few,
        "many": many,
        "memory_ratio": many and many["mib"] / few["mib"],
        "speed_ratio": one["seconds"] / few["seconds"],
        "cpu_ratio_of_one": one["cpu"] / one["turns"] / bare,
        "cpu_ratio_of_workers": few["cpu"] / few["turns"] / bare,
    }
    if options.json:
        print(json.dumps(seen))
        return
    for name, value in seen.items():
        print(f"{name:22} {value}")


if __name__ == "__main__":
    main()
