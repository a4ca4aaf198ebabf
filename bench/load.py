"""A judge that is slow, or fails in every way: how near to the ideal a run comes, and what becomes of every turn.

python bench/load.py [--turns 20000] [--latency 2] [--concurrency 256] [--faults 0.3] [--engine ray] [--json]

The ideal is calls × latency / concurrency: every call in flight all the time. The server is a process of its own; CPU
is that of stef and its workers. With faults, every turn must be scored, or unscored with its reason. Exit code 1 where
a turn is lost or doubled.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from long_log import write_log
from serving import STEF, serving

EXAMPLE = Path(__file__).parents[1] / "examples" / "sales" / "log.jsonl"
STEFS_OWN = {"judge_unavailable", "judge_reply_invalid"}


def measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """One run, and what stands in it."""
    log = write_log(folder / "log.jsonl", [options.log], options.turns, distinct=True)
    with serving("--latency", options.latency, "--faults", options.faults) as server:
        how = ["--concurrency", options.concurrency, "--workers", options.workers, "--store", folder / "store.sqlite"]
        if options.engine == "ray":
            log, how = as_parquet(log), [*how, "--engine", "ray"]
        command = [*STEF, "score", log, "-o", folder / "run", *server.judge, *how, "--quiet"]
        start = time.monotonic()
        process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL)
        while not server.get("stats").get("requests") and process.poll() is None:
            time.sleep(0.01)
        asking = time.monotonic()
        _, status, used = os.wait4(process.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        end = time.monotonic()
        stats = server.get("stats")
    # The last answer, not the summary that is printed after it.
    last = end - min(stats.pop("ages"), default=0.0)
    return {
        "code": code,
        "turns": options.turns,
        "seconds": round(end - start, 2),
        "asking": round(last - asking, 2),
        "answers_a_second": round(stats.get("answered", 0) / (last - asking), 1),
        "ideal": round(stats.get("answered", 0) * options.latency / options.concurrency, 2),
        "cpu_ms_a_turn": round(1000 * (used.ru_utime + used.ru_stime) / options.turns, 3),
        "server": stats,
        **rows_of(folder / "run"),
    }


def as_parquet(log: Path) -> Path:
    """The log as a cluster reads it."""
    import pyarrow.json  # noqa: PLC0415  for a cluster only
    import pyarrow.parquet  # noqa: PLC0415

    table = pyarrow.json.read_json(log).select(["id", "question", "sql"])
    pyarrow.parquet.write_table(table, log.with_suffix(".parquet"), row_group_size=1_000)
    return log.with_suffix(".parquet")


def rows_of(run: Path) -> dict[str, Any]:
    """What became of the turns."""
    import duckdb  # noqa: PLC0415  after the measurement

    rows = duckdb.sql(
        f"SELECT row, id, status, unscored_reason, unscored_detail FROM '{run}/turns/*.parquet'"
    ).fetchall()
    details: Counter[str] = Counter()
    for _, _, _, reason, detail in rows:
        if reason in STEFS_OWN:
            details[f"{reason}: {detail.rpartition(': ')[2][:60]}"] += 1
    return {
        "rows": len(rows),
        "distinct_rows": len({row[0] for row in rows}),
        "distinct_ids": len({row[1] for row in rows}),
        "scored": sum(row[2] == "scored" for row in rows),
        "reasons": Counter(row[3] for row in rows if row[3] is not None),
        "details": dict(details.most_common(20)),
    }


def main() -> None:
    """Print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=20_000)
    parser.add_argument("--latency", type=float, default=2.0)
    parser.add_argument("--concurrency", type=int, default=256)
    parser.add_argument("--faults", type=float, default=0.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--engine", choices=("local", "ray"), default="local")
    parser.add_argument("--log", type=Path, default=EXAMPLE, help="turns to repeat")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seen = measure(options, Path(folder))
    if options.json:
        print(json.dumps(seen))
    else:
        for name, value in seen.items():
            print(f"{name:16} {value}")
        if not options.faults and seen["asking"]:
            print(f"{'of the ideal':16} {seen['ideal'] / seen['asking']:.1%}")
    right = seen["code"] == 0 and seen["rows"] == seen["distinct_rows"] == seen["distinct_ids"] == options.turns
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
