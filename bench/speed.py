"""CPU time per turn of the whole symbolic pipeline against a bare `sqlglot.parse_one` of the same SQL, in one run.

python bench/speed.py LOG.jsonl… [--rounds N] [--json]

The whole is prepare, judge, finish, as a run uses them. Readings of questions are cached, so it is timed three times:
as the log repeats its questions, with every question new, with every question known (stems of words stay cached). The
stages are watched in a round of their own with every question new, which the watching slows a little.
"""

import argparse
import gc
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlglot
from sqlglot.errors import SqlglotError

from stef import Evaluator, Turn
from stef.alignment import asked, ground
from stef.evaluator import application, prepare
from stef.findings import RuleSet
from stef.question import read, words

GOAL = 8.0
WHOLE = "whole, as in the log"
STAGES = {
    "  read sql": ((application, "read_sql"),),
    "  read question": ((prepare, "read_question"),),
    "  align": ((prepare, "asked_of"), (prepare, "align_sides")),
    "  findings": ((prepare, "context_of"), (RuleSet, "run")),
    "  describe": ((prepare, "describe"),),
}
FIELDS = frozenset(Turn.model_fields)


def load(path: Path, limit: int | None) -> list[Turn]:
    """The turns of a JSON Lines file that hold SQL; lines that are no turn are left out."""
    turns = []
    for line in path.read_text("utf-8").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if row.get("question") and row.get("sql"):
            turns.append(Turn.model_validate({key: value for key, value in row.items() if key in FIELDS}))
    return turns[:limit]


def cpu(work: Callable[[], object], rounds: int) -> float:
    """The least CPU seconds of `work` over some rounds: what disturbs it only adds."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def parse_all(turns: Sequence[Turn]) -> None:
    """What the pipeline is measured by."""
    for turn in turns:
        try:
            sqlglot.parse_one(turn.sql or "", read=turn.dialect)
        except (SqlglotError, RecursionError):
            continue


QUESTION_CACHES = (read._read, words.tokenize, asked._asked_of, ground._near, ground._numbers)  # noqa: SLF001


def forget_questions() -> None:
    """Empty the caches of whole questions, and of what follows from them alone."""
    for cache in QUESTION_CACHES:
        cache.cache_clear()


def whole(evaluator: Evaluator, turns: Sequence[Turn], every_question_new: bool = False) -> None:
    """The pipeline as a run uses it: turn by turn, so that nothing piles up for the garbage collector to walk."""
    for turn in turns:
        if every_question_new:
            forget_questions()
        prepared = evaluator.prepare((turn,))
        evaluator.finish(prepared, evaluator.judge_now(prepared))


@contextmanager
def stopwatches() -> Iterator[Counter[str]]:
    """CPU seconds of each stage, while every function that the evaluator calls for it is watched."""
    spent: Counter[str] = Counter()
    kept = {place: getattr(*place) for places in STAGES.values() for place in places}
    for stage, places in STAGES.items():
        for module, name in places:
            setattr(module, name, watched(kept[module, name], stage, spent))
    try:
        yield spent
    finally:
        for (module, name), function in kept.items():
            setattr(module, name, function)


def watched(function: Callable[..., Any], stage: str, spent: Counter[str]) -> Callable[..., Any]:
    """`function`, with its CPU seconds added to `spent`."""

    def timed(*arguments: Any, **named: Any) -> Any:
        start = time.process_time()
        result = function(*arguments, **named)
        spent[stage] += time.process_time() - start
        return result

    return timed


def stages(evaluator: Evaluator, turns: Sequence[Turn]) -> dict[str, float]:
    """CPU seconds by stage of one round in which every question is new; what is left is the judge and the score."""
    gc.collect()
    with stopwatches() as spent:
        start = time.process_time()
        whole(evaluator, turns, every_question_new=True)
        total = time.process_time() - start
    return dict(spent) | {"  judge, score, the rest": total - spent.total()}


def measure(turns: Sequence[Turn], rounds: int) -> dict[str, float]:
    """Seconds of CPU over all turns, by what was done."""
    evaluator = Evaluator()

    def as_logged() -> None:
        forget_questions()
        whole(evaluator, turns)

    return {
        "parse_one": cpu(lambda: parse_all(turns), rounds),
        WHOLE: cpu(as_logged, rounds),
        "every question new": cpu(lambda: whole(evaluator, turns, every_question_new=True), rounds),
        "every question known": cpu(lambda: whole(evaluator, turns), rounds),
    } | stages(evaluator, turns)


def main() -> None:
    """One table a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="+", type=Path, help="JSON Lines files of turns")
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the least of (default 3)")
    parser.add_argument("--limit", type=int, default=2000, help="turns of each file (default 2000)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    documents = []
    for path in options.logs:
        turns = load(path, options.limit)
        seconds = measure(turns, options.rounds)
        documents.append({"log": path.name, "turns": len(turns), "seconds": seconds})
        if not options.json:
            show(path.name, len(turns), seconds)
    if options.json:
        print(json.dumps(documents))


def show(name: str, turns: int, seconds: dict[str, float]) -> None:
    """Print one file's table."""
    parse = seconds["parse_one"]
    print(f"{name}: {turns} turns, CPU per turn, and how many bare parses that is")
    for what, spent in seconds.items():
        print(f"  {what:26} {1000 * spent / turns:7.3f} ms  {spent / parse:6.2f} x")
    ratio = seconds[WHOLE] / parse
    print(f"  {turns / seconds[WHOLE]:.0f} turns a CPU-second; {ratio:.1f} x (the goal is {GOAL:g} x)")


if __name__ == "__main__":
    main()
