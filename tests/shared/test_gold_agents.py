"""Every system of the public logs through a whole gold run: verdicts against the labels, rescoring, golds as agents."""

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from stef.gold.cases import load_cases
from stef.rules import RuleBook
from stef.runs.gold.columns import COMPONENTS
from stef.runs.gold.job import GoldJob
from stef.runs.gold.rescore import rescore_gold
from stef.runs.gold.run import run_gold
from stef.runs.gold.summary import summarise_gold

pytestmark = pytest.mark.shared

# The labels of these two follow golds that keep every row that ties; the golds here keep one of them (LIMIT 1).
OTHER_GOLDS = {"bird-mini-0736", "bird-mini-0769"}


def rows_of(run: Path) -> list[dict[str, Any]]:
    """All rows of a gold RUN."""
    return [row for part in sorted((run / "results").glob("*.parquet")) for row in pq.read_table(part).to_pylist()]


def labels(shared: Path, name: str) -> dict[str, bool]:
    """Turn to label."""
    lines = (shared / "data" / "labels" / f"{name}.jsonl").read_text().splitlines()
    return {line["id"]: line["correct"] for line in map(json.loads, lines)}


def job(shared: Path, out: Path, gold: str, databases: str, agents: str, chosen: str | None = None) -> GoldJob:
    """A gold set against the agents of one log."""
    data = shared / "data"
    return GoldJob(
        cases=(str(data / "gold" / f"{gold}.jsonl"),),
        database=f"sqlite:///{data}/databases/{databases}/{{database}}.sqlite",
        agents=(f"replay:{agents}",),
        out=out,
        chosen=chosen,
    )


@pytest.fixture(scope="module")
def spider(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """All 11 systems on Spider."""
    out = tmp_path_factory.mktemp("spider") / "run"
    turns = shared_dir / "data" / "turns" / "spider_agents.jsonl"
    return run_gold(job(shared_dir, out, "spider", "spider", str(turns))).run


def test_spider(spider: Any, shared_dir: Path, report: Callable[[str], None]) -> None:
    """Every turn is scored, without a scorer fault, and exact match agrees with the labels on 99.5 % and more."""
    label = labels(shared_dir, "spider_agents")
    rows = rows_of(spider.path)
    assert {row["id"] for row in rows} == label.keys()
    assert summarise_gold(spider).overview.scorer_faults == ()
    agree = sum(row["exact_match"] is label[row["id"]] for row in rows)
    report(f"gold run, Spider: exact match agrees with {agree} of {len(rows)} labels")
    assert agree / len(rows) >= 0.995


def test_spider_rescored(spider: Any, tmp_path: Path) -> None:
    """Rescoring gives every column and every record again."""
    again = rescore_gold(spider, RuleBook.load(None), tmp_path / "again").run
    assert rows_of(again.path) == rows_of(spider.path)


def test_superhero(shared_dir: Path, tmp_path: Path, report: Callable[[str], None]) -> None:
    """All 22 systems on the questions that have a gold here, by BIRD's convention."""
    turns = shared_dir / "data" / "turns" / "superhero_agents.jsonl"
    run = run_gold(job(shared_dir, tmp_path / "run", "bird", "bird", str(turns), "superhero")).run
    label = labels(shared_dir, "superhero_agents")
    assert summarise_gold(run).overview.scorer_faults == ()
    rows = rows_of(run.path)
    same = [row for row in rows if row["case_id"] not in OTHER_GOLDS]
    agree = sum(row["bird_ex"] is label[row["id"]] for row in same)
    others = sum(row["bird_ex"] is label[row["id"]] for row in rows) - agree
    report(
        f"gold run, superhero: bird_ex agrees with {agree} of {len(same)} labels; {others} of {len(rows) - len(same)} "
        "on two questions whose labels follow another gold"
    )
    assert agree / len(same) >= 0.995


SETS = [("spider", "spider", None), ("bird", "bird", "superhero"), ("defog_rules", "defog", None)]


@pytest.mark.parametrize(("gold", "databases", "chosen"), SETS)
def test_gold_against_gold(
    shared_dir: Path, tmp_path: Path, gold: str, databases: str, chosen: str | None, report: Callable[[str], None]
) -> None:
    """An agent that answers with the golds is right, and has 1 or nothing in every figure, never less."""
    found = load_cases(shared_dir / "data" / "gold" / f"{gold}.jsonl").cases
    turns = tmp_path / "turns.jsonl"
    lines = [
        {
            "case_id": case.id,
            "question": case.question,
            "sql": case.gold_sql[0],
            "agent": "gold",
            "database": case.database,
        }
        for case in found
        if case.gold_sql
    ]
    turns.write_text("".join(json.dumps(line) + "\n" for line in lines))
    rows = rows_of(run_gold(job(shared_dir, tmp_path / "run", gold, databases, str(turns), chosen)).run.path)
    shares = [
        f"{name}_{which}" for name in ("set", "columns", "cells", *COMPONENTS) for which in ("precision", "recall")
    ]
    flags = ["correct", "exact_match", "exact_match_positional", "bird_ex", "spider_ex", "order_equal", "limit_equal"]
    less: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["gold_index"] not in (0, None):
            continue
        for name in (*shares, *flags):
            if row[name] not in (None, 1):
                less[name].append(row["id"])
    assert not less
    assert not [row["scorer_fault"] for row in rows if row["scorer_fault"]]
    held = sum(row["held_out"] for row in rows)
    report(f"gold against gold, {gold}: {len(rows)} cases, {held} held out, none less than 1")
