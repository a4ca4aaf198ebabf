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
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

STEF = [sys.executable, "-c", "from stef.cli.app import main; main()"]
EXAMPLE = Path(__file__).parents[1] / "examples" / "sales" / "log.jsonl"
PART = 5_000
JUDGED = ("score", "p_correct", "band", "verdict", "findings", "filter_alignment")
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
    scored = pq.read_table(part)
    scored = scored.filter(pc.greater(pc.utf8_length(scored.column("question")), 0))
    for number, start in enumerate(range(0, turns, PART)):
        rows = range(start, min(start + PART, turns))
        first = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=0.5 * new)
        several = {
            **_judged(scored, rows, new=new),
            "timestamp": [first + timedelta(days=days * row / turns) for row in rows],
            "question": _texts(scored, "question", [row % questions for row in rows], " (case {})"),
        }
        table = scored.take([row % len(scored) for row in rows])
        for name, values in several.items():
            place = table.schema.get_field_index(name)
            field = table.schema.field(place)
            table = table.set_column(place, field, values if name in JUDGED else pa.array(values, field.type))
        pq.write_table(table, part.with_name(f"part-{number:05d}.parquet"), compression="zstd")


def _judged(scored: pa.Table, rows: range, *, new: bool) -> dict[str, Any]:
    """What is another in each of these rows; in a `new` RUN every other one has another query, and often figures."""
    is_scored = scored.column("score").is_valid().to_pylist()
    size = len(scored)
    changed = [bool(new and row % 2 and is_scored[row % size]) for row in rows]
    others = [(7 * row + 3) % size if so else row % size for row, so in zip(rows, changed, strict=True)]
    known = [other if is_scored[other] else row % size for row, other in zip(rows, others, strict=True)]
    queries = zip(_texts(scored, "sql", rows, " -- {}"), changed, strict=True)
    return {
        **{name: scored.column(name).take(known) for name in JUDGED},
        "row": list(rows),
        "id": [f"turn-{row}" for row in rows],
        "sql": [f"{sql}{' changed' if so else ''}" for sql, so in queries],
        "agent": ["bot"] * len(rows),
        "agent_version": ["2" if new else "1"] * len(rows),
    }


def _texts(scored: pa.Table, name: str, numbers: Sequence[int], end: str) -> list[str]:
    """The text of a row for each number, and the number."""
    texts = scored.column(name).to_pylist()
    return [f"{texts[number % len(texts)]}{end.format(number)}" for number in numbers]


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
