"""`kill -9` at random instants of a run: what stands in the RUN afterwards, what was paid, and what outlived it.

python bench/kill.py [--kills 50] [--turns 2000] [--workers 2] [--log LOG.jsonl] [--json]

A run is killed and started anew until it is complete, over and over. Then its parts must be byte for byte those of an
undisturbed run, and the judge must have been asked once for each distinct question, and again at most for what at each
kill was in flight (16 calls at most) or had been answered in the last 50 ms. No worker and no lock may outlive its
parent. Exit code 1 where any of this fails.
"""

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from long_log import write_log
from serving import STEF, Server, serving

EXAMPLE = Path(__file__).parents[1] / "examples" / "sales" / "log.jsonl"
CONCURRENCY = 16
_ORPHAN_WAIT = 10.0
_WHILE_ASKING = 0.75
"""Share of the kills whose clock starts with the first question; the others may fall into the start."""


@dataclass
class Result:
    """What was seen."""

    kills: int = 0
    runs: int = 0
    distinct: int = 0
    asked: int = 0
    allowed: int = 0
    parts_that_differ: list[str] = field(default_factory=list)
    orphans: int = 0
    failures: list[str] = field(default_factory=list)

    @property
    def right(self) -> bool:
        """Whether all of it held."""
        return not (self.parts_that_differ or self.orphans or self.failures) and self.asked <= self.allowed


class Bench:
    """One server, one log, and an undisturbed run of it."""

    def __init__(self, folder: Path, server: Server, log: Path, options: argparse.Namespace) -> None:
        self.folder = folder
        self.server = server
        self.log = log
        self.options = options
        self.digests = folder / "asked"
        self.random = random.Random(options.seed)

    def command(self, run: Path, store: Path) -> list[str]:
        """The same command, however often it is started."""
        how = ["--workers", str(self.options.workers), "--concurrency", str(CONCURRENCY), "--part-rows", "100"]
        out = ["-o", str(run), "--store", str(store), "--quiet"]
        return [*STEF, "score", str(self.log), *out, *self.server.judge, *how]

    def undisturbed(self) -> tuple[dict[str, bytes], float, int]:
        """The parts of a run that nobody disturbs, how long it took, and how often it asked."""
        start = time.monotonic()
        before = self.asked()
        subprocess.run(
            self.command(self.folder / "whole", self.folder / "whole.sqlite"), check=True, capture_output=True
        )
        return parts(self.folder / "whole"), time.monotonic() - start, self.asked() - before

    def asked(self) -> int:
        """How many requests the server has seen."""
        return self.digests.read_bytes().count(b"\n")

    def until_complete(self, run: Path, store: Path, longest: float, kills: int, result: Result) -> None:
        """Start the run and kill it, at most `kills` times; then let it end."""
        for _ in range(kills):
            process = subprocess.Popen(self.command(run, store), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if self.random.random() < _WHILE_ASKING:
                self.first_question(process)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(self.random.uniform(0.0, longest))
            if process.poll() is not None:
                self.check(process, result)
                return
            workers = children(process.pid)
            process.send_signal(signal.SIGKILL)
            killed = time.monotonic()
            ages = self.server.get("stats")["ages"]
            age = self.options.commit_ms / 1000 + (time.monotonic() - killed)
            # An answer that has left the server may not have reached its client: what is in flight, only that knows.
            result.allowed += CONCURRENCY + sum(one <= age for one in ages)
            result.kills += 1
            process.communicate()
            result.orphans += outlived(workers)
        process = subprocess.Popen(self.command(run, store), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.check(process, result)

    def first_question(self, process: "subprocess.Popen[bytes]") -> None:
        """Wait until this start of the run asks its first question, or ends."""
        size = self.digests.stat().st_size
        while process.poll() is None and self.digests.stat().st_size == size:
            time.sleep(0.002)

    def check(self, process: "subprocess.Popen[bytes]", result: Result) -> None:
        """A run that ends by itself ends well."""
        _, err = process.communicate()
        if process.returncode:
            result.failures.append(err.decode()[-500:])


def parts(run: Path) -> dict[str, bytes]:
    """The Parquet of a RUN, byte for byte."""
    return {path.name: path.read_bytes() for path in sorted((run / "turns").glob("*.parquet"))}


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (OSError, ValueError):
        return []


def outlived(workers: list[int]) -> int:
    """How many of these are there still, some seconds after their parent."""
    deadline = time.monotonic() + _ORPHAN_WAIT
    left = workers
    while left and time.monotonic() < deadline:
        left = [pid for pid in left if alive(pid)]
        time.sleep(0.02)
    return len(left)


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and that nobody asked after does not."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def measure(options: argparse.Namespace, folder: Path) -> Result:
    """All of it."""
    result = Result()
    log = write_log(folder / "log.jsonl", [options.log], options.turns, distinct=True)
    (folder / "asked").touch()
    with serving("--latency", options.latency, "--log", folder / "asked") as server:
        bench = Bench(folder, server, log, options)
        whole, asking, once = bench.undisturbed()
        while result.kills < options.kills:
            result.runs += 1
            run, store = folder / f"run{result.runs}", folder / f"run{result.runs}.sqlite"
            before = bench.asked()
            # A run is killed about as often as this before it is complete.
            bench.until_complete(run, store, asking * 0.25, min(10, options.kills - result.kills), result)
            result.distinct += once
            result.allowed += once
            result.asked += bench.asked() - before
            found = parts(run)
            names = sorted(found.keys() | whole.keys())
            result.parts_that_differ += [name for name in names if found.get(name) != whole.get(name)]
    return result


def main() -> None:
    """Print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--turns", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--latency", type=float, default=0.05, help="of the judge, in seconds")
    parser.add_argument("--commit-ms", type=float, default=50.0, help="what may be answered and not yet committed")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--log", type=Path, default=EXAMPLE, help="turns to repeat")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = measure(options, Path(folder))
    if options.json:
        print(json.dumps({**asdict(result), "seed": options.seed, "right": result.right}))
    else:
        print(f"{result.kills} kills in {result.runs} runs (seed {options.seed})")
        print(f"  parts that differ: {len(result.parts_that_differ)}, orphans: {result.orphans}")
        extra, allowed = result.asked - result.distinct, result.allowed - result.distinct
        print(f"  {result.distinct:,} distinct questions, asked again {extra:,} times, of {allowed:,} allowed")
        for failure in result.failures:
            print(failure)
    sys.exit(0 if result.right else 1)


if __name__ == "__main__":
    main()
