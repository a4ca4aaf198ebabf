"""What comparing, watching and reporting long RUNs takes: CPU seconds, and the most memory that was held.

python bench/compare_speed.py [--turns 100000] [--turns 1000000] [--questions 50000] [--days 100] [--folder FOLDER]
                              [--only compare,monitor,report]

Two RUNs are written, `old` and `new`, of so many turns each: those of examples/sales, scored once and repeated with a
question of its own for each (with --questions: so many questions, again and again), spread over 100 days. In `new`
half of the turns have another query, and some other scores and findings. Each command then runs in a process of its
own. Folders that are there already are used as they are.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

STEF = [sys.executable, "-c", "from stef.cli.app import main; main()"]
EXAMPLE = Path(__file__).parents[1] / "examples" / "sales" / "log.jsonl"
PART = 5_000
COMMANDS = {
    "compare": ("compare", "{old}", "{new}"),
    "monitor": ("monitor", "{old}", "{new}"),
    "report": ("report", "{new}", "-o", "{folder}/report.html"),
    "report of two": ("report", "{old}", "{new}", "-o", "{folder}/two.html"),
}


def long_run(path: Path, turns: int, questions: int, days: int, *, new: bool) -> None:
    """Write a RUN of `turns` rows."""
    if path.exists():
        return
    subprocess.run([*STEF, "score", str(EXAMPLE), "-o", str(path), "-q"], check=True, stdout=subprocess.DEVNULL)
    (part,) = (path / "turns").glob("*.parquet")
    rows = [row for row in pq.read_table(part).to_pylist() if row["question"]]
    schema = pq.read_schema(part)
    for number, start in enumerate(range(0, turns, PART)):
        several = []
        for row in range(start, min(start + PART, turns)):
            moment = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=days * row / turns + 0.5 * new)
            case = row % questions
            question = f"{rows[case % len(rows)]['question']} (case {case})"
            several.append({**_row(rows, row, new=new), "timestamp": moment, "question": question})
        pq.write_table(
            pa.Table.from_pylist(several, schema=schema),
            part.with_name(f"part-{number:05d}.parquet"),
            compression="zstd",
        )


def _row(rows: list[dict[str, Any]], number: int, *, new: bool) -> dict[str, Any]:
    """Row `number`: one of `rows`; in a `new` RUN every other one is changed."""
    row = rows[number % len(rows)]
    changed = new and number % 2 and row["score"] is not None
    other = rows[(7 * number + 3) % len(rows)] if changed else row
    known = other if other["score"] is not None else row
    judged = {name: known[name] for name in ("score", "p_correct", "band", "verdict", "findings", "filter_alignment")}
    return {
        **row,
        **judged,
        "row": number,
        "id": f"turn-{number}",
        "sql": f"{row['sql']} -- {number}{' changed' if changed else ''}",
        "agent": "bot",
        "agent_version": "2" if new else "1",
    }


def measured(command: list[str]) -> tuple[float, float, float, int]:
    """CPU seconds, seconds, MiB that were held at most, and the exit code."""
    start = time.monotonic()
    process = subprocess.Popen([*STEF, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, time.monotonic() - start, used.ru_maxrss / 1024, process.returncode


def main() -> None:
    """A line for each command and number of turns."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, action="append")
    parser.add_argument("--questions", type=int, help="how many there are [one a turn]")
    parser.add_argument("--days", type=int, default=100)
    parser.add_argument("--folder", type=Path, help="where the RUNs are kept [a temporary folder]")
    parser.add_argument("--only", default=",".join(COMMANDS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for turns in options.turns or [100_000]:
            questions = options.questions or turns
            folder = (options.folder or Path(temporary)) / f"{turns}-{questions}-{options.days}"
            folder.mkdir(parents=True, exist_ok=True)
            names = {"old": str(folder / "old"), "new": str(folder / "new"), "folder": str(folder)}
            for name in ("old", "new"):
                long_run(folder / name, turns, questions, options.days, new=name == "new")
            for name in filter(None, options.only.split(",")):
                cpu, seconds, held, code = measured([part.format(**names) for part in COMMANDS[name]])
                print(
                    f"{turns:>9,} turns a RUN  {questions:>9,} questions  {name:13}  "
                    f"{cpu:7.1f} s of CPU  {seconds:7.1f} s  {held:6.0f} MiB" + (f"  exit {code}" if code else ""),
                    flush=True,
                )


if __name__ == "__main__":
    main()
