"""CPU time per turn of the whole symbolic pipeline against a bare `sqlglot.parse_one` of the same SQL, in one run.

python bench/speed.py LOG.jsonl… [--rounds N] [--json]

The pipeline is timed as it runs (prepare, judge, finish): with the readings of questions cached, as for a second
agent on the same questions, and with none cached, as for a log where every question is new (stems stay cached in both).
The stages are timed by themselves; "judge, score" is what the whole has left.
"""

import argparse
import gc
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import sqlglot
from sqlglot.errors import SqlglotError

import stef.question.read
from stef import Evaluator, Turn
from stef.alignment.align import align
from stef.alignment.enrichment import check_enrichment
from stef.alignment.policy import compile_policy
from stef.question.read import read_question
from stef.records.reading import QuestionReading, SqlReading
from stef.rules import load_default
from stef.sql.read import read_sql

GOAL = 8.0
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


def forget_questions() -> None:
    """Empty the caches of whole questions."""
    for thing in vars(stef.question.read).values():
        if hasattr(thing, "cache_clear"):
            thing.cache_clear()


def whole(evaluator: Evaluator, turns: Sequence[Turn]) -> None:
    """The pipeline as a run uses it."""
    prepared = evaluator.prepare(turns)
    evaluator.finish(prepared, evaluator.judge_now(prepared) or [])


def question_readings(turns: Sequence[Turn]) -> list[tuple[QuestionReading, QuestionReading | None]]:
    """Question and enriched question of each turn, as read."""
    return [
        (
            read_question(turn.question, now=None, history=turn.history),
            read_question(turn.enriched_question, now=None) if turn.enriched_question else None,
        )
        for turn in turns
    ]


def sql_readings(turns: Sequence[Turn]) -> list[SqlReading]:
    """SQL of each turn, as read."""
    return [read_sql(turn.sql or "", turn.dialect) for turn in turns]


def measure(turns: Sequence[Turn], rounds: int) -> dict[str, float]:
    """Seconds of CPU over all turns, by what was done."""
    evaluator = Evaluator()
    policy = compile_policy(load_default())

    def new_questions(work: Callable[[], object]) -> Callable[[], object]:
        def forgetful() -> object:
            forget_questions()
            return work()

        return forgetful

    pairs = [
        (question, enriched, sql)
        for (question, enriched), sql in zip(question_readings(turns), sql_readings(turns), strict=True)
        if sql.spec is not None and question.spec is not None
    ]

    def align_all() -> None:
        for question, enriched, sql in pairs:
            align(question, enriched, sql, policy, check_enrichment(question, enriched))

    seconds = {
        "parse_one": cpu(lambda: parse_all(turns), rounds),
        "whole, new questions": cpu(new_questions(lambda: whole(evaluator, turns)), rounds),
        "whole, known questions": cpu(lambda: whole(evaluator, turns), rounds),
        "read question, new": cpu(new_questions(lambda: question_readings(turns)), rounds),
        "read question, known": cpu(lambda: question_readings(turns), rounds),
        "read sql": cpu(lambda: sql_readings(turns), rounds),
        "align": cpu(align_all, rounds),
    }
    stages = seconds["read question, new"] + seconds["read sql"] + seconds["align"]
    return seconds | {"judge, score": max(0.0, seconds["whole, new questions"] - stages)}


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
        print(f"  {what:24} {1000 * spent / turns:7.3f} ms  {spent / parse:6.2f} x")
    ratio = seconds["whole, new questions"] / parse
    print(f"  {turns / seconds['whole, new questions']:.0f} turns a CPU-second; {ratio:.1f} x (the goal is {GOAL:g} x)")


if __name__ == "__main__":
    main()
