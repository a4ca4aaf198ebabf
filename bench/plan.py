"""What a log of 100,000,000 turns would take, from constants that are measured here, in one run on this machine.

python bench/plan.py [LOG.jsonl…] [--turns 100000000] [--price-in 0.25] [--price-out 2] [--entries 2000000] [--json]

CPU is the slope between a shorter and a longer run, so that the start does not count. Tokens and the share of turns
that a model is asked for are those of the logs as they stand (`stef score --dry-run`). The store is filled with random
keys, as hashes are, and values as long as real judgements.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from long_log import write_log
from serving import STEF, serving

from stef.runs.store import JUDGEMENTS, Store

EXAMPLE = Path(__file__).parents[1] / "examples" / "sales" / "log.jsonl"
FEW, MANY = 5_000, 20_000
STEPS = 10


def cpu_of(command: Sequence[object]) -> float:
    """CPU seconds of stef and its workers."""
    process = subprocess.Popen([*STEF, *map(str, command)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"stef {' '.join(map(str, command))} failed")
    return used.ru_utime + used.ru_stime


def bytes_of(place: Path) -> int:
    """The size of a file, or of all files in a folder."""
    return place.stat().st_size if place.is_file() else sum(bytes_of(part) for part in place.iterdir())


def runs(folder: Path, logs: Sequence[Path], how: Sequence[object], distinct: bool) -> dict[str, float]:
    """CPU milliseconds a turn, and bytes a turn of the log and of the RUN."""
    cpu = {}
    for turns in (FEW, MANY):
        log = write_log(folder / f"{turns}.jsonl", logs, turns, distinct)
        cpu[turns] = cpu_of(["score", log, "-o", folder / f"run-{turns}", "--workers", 1, "-q", *how])
    return {
        "cpu_ms": 1000 * (cpu[MANY] - cpu[FEW]) / (MANY - FEW),
        "log_bytes": bytes_of(folder / f"{MANY}.jsonl") / MANY,
        "run_bytes": bytes_of(folder / f"run-{MANY}") / MANY,
    }


def with_model(folder: Path, logs: Sequence[Path]) -> dict[str, float]:
    """The same with a model that answers after 50 ms, and bytes a judgement in the store."""
    with serving("--latency", 0.05) as server:
        how = [*server.judge, "--concurrency", 64, "--store", folder / "store.sqlite"]
        seen = runs(folder, logs, how, distinct=True)
    return seen | {"store_bytes": bytes_of(folder / "store.sqlite") / (FEW + MANY)}


def asked(logs: Sequence[Path]) -> dict[str, float]:
    """Share of the turns that a model is asked for, and tokens a call."""
    command = [*STEF, "score", *map(str, logs), "--judge", "openai:gpt-5-mini", "--dry-run", "--json"]
    plan = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    calls = plan["certain"]["calls"]
    return {
        "turns": plan["turns"],
        "unasked": plan["unasked_turns"] / plan["turns"],
        "calls_a_turn": calls / plan["turns"],
        "tokens_in": plan["certain"]["input_tokens"] / calls,
        "tokens_out": plan["certain"]["output_tokens"] / calls,
    }


def store(folder: Path, entries: int, size: int) -> dict[str, float]:
    """Entries a second that the store takes when it is empty and when it is full, and bytes an entry."""
    path = folder / "full.sqlite"
    rates = []
    value = os.urandom(size // 2).hex().encode()
    for _ in range(STEPS):
        start = time.monotonic()
        with Store(path) as kept:
            for _ in range(entries // STEPS):
                kept.write(JUDGEMENTS, os.urandom(32), value)
        rates.append(entries / STEPS / (time.monotonic() - start))
    return {"entries": entries, "first": rates[0], "last": rates[-1], "bytes": bytes_of(path) / entries}


def planned(seen: dict[str, dict[str, float]], turns: int, price_in: float, price_out: float) -> dict[str, float]:
    """The constants times `turns`."""
    ask = seen["asked"]
    calls = ask["calls_a_turn"] * turns
    model = seen["model"]["cpu_ms"]
    return {
        "symbolic, CPU hours": seen["symbolic"]["cpu_ms"] * turns / 3_600_000,
        "log, GB": seen["symbolic"]["log_bytes"] * turns / 1e9,
        "RUN, GB": seen["symbolic"]["run_bytes"] * turns / 1e9,
        "calls of a model, millions": calls / 1e6,
        "with a model, CPU hours": model * turns / 3_600_000,
        "tokens in, thousand millions": calls * ask["tokens_in"] / 1e9,
        "tokens out, thousand millions": calls * ask["tokens_out"] / 1e9,
        "dollars": calls * (ask["tokens_in"] * price_in + ask["tokens_out"] * price_out) / 1e6,
        "store, GB": calls * seen["store"]["bytes"] / 1e9,
        "requests a minute, to end in a day": calls / 1440,
    }


def main() -> None:
    """Measure, multiply, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="*", type=Path, default=[EXAMPLE], help="JSON Lines files of turns")
    parser.add_argument("--turns", type=int, default=100_000_000)
    parser.add_argument("--price-in", type=float, default=0.25, help="dollars for a million tokens sent")
    parser.add_argument("--price-out", type=float, default=2.0, help="dollars for a million tokens of replies")
    parser.add_argument("--entries", type=int, default=2_000_000, help="entries to fill a store with")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folders = [Path(scratch) / name for name in ("symbolic", "model", "store")]
        for folder in folders:
            folder.mkdir()
        seen = {
            "symbolic": runs(folders[0], options.logs, [], distinct=False),
            "model": with_model(folders[1], options.logs),
            "asked": asked(options.logs),
        }
        seen["store"] = store(folders[2], options.entries, int(seen["model"]["store_bytes"]))
    plan = planned(seen, options.turns, options.price_in, options.price_out)
    if options.json:
        print(json.dumps({"constants": seen, "plan": plan}))
        return
    for part, constants in seen.items():
        for name, value in constants.items():
            print(f"{part:10} {name:14} {value:14,.3f}")
    print(f"\n{options.turns:,} turns:")
    for name, value in plan.items():
        print(f"  {name:36} {value:14,.1f}")


if __name__ == "__main__":
    main()
