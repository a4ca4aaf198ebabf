"""`stef monitor` on real agents' SQL: one takes over from another on a known day."""

import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stef.cli.app import build
from stef.runs.monitor import Blame, Monitored, monitor_runs
from stef.runs.run import open_run

pytestmark = pytest.mark.shared
START = datetime(2025, 11, 3, 8, tzinfo=UTC)
DAYS, CHANGE, SIZE = 28, 14, 60


def watched(shared_dir: Path, folder: Path, before: str, after: str) -> Monitored:
    """`SIZE` questions a day, drawn anew each day; on day `CHANGE` the agent `after` takes over."""
    lines = (shared_dir / "data" / "turns" / "spider_agents.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    by_agent = {name: [row for row in rows if row["agent"] == name] for name in (before, after)}
    source = random.Random(11)
    log = folder / "log.jsonl"
    with log.open("w", encoding="utf-8") as file:
        for day in range(DAYS):
            for at, row in enumerate(source.choices(by_agent[before if day < CHANGE else after], k=SIZE)):
                moment = (START + timedelta(days=day, minutes=at)).isoformat()
                turn = {**row, "id": f"{day}-{at}", "agent": "bot", "timestamp": moment}
                file.write(json.dumps(turn) + "\n")
    done = CliRunner().invoke(build(), ["score", str(log), "-o", str(folder / "run"), "-q"])
    assert done.exit_code == 0, done.output
    return monitor_runs([open_run(folder / "run")])


def test_a_worse_agent_is_seen_and_its_sql_blamed(shared_dir: Path, tmp_path: Path) -> None:
    """An agent whose SQL scores 3 points lower is seen within days, dated rightly, and the questions are not blamed."""
    (series,) = watched(shared_dir, tmp_path, "supersql_gpt4", "codex_few_shot").series
    worse = [change for change in series.changes if change.worse]
    assert worse
    first = min(worse, key=lambda change: change.raised)
    true = series.periods[CHANGE].period
    assert true <= first.raised
    assert first.earliest <= true <= first.latest
    assert {change.cause.blame for change in worse if change.cause} <= {Blame.SQL}
    assert series.question_changes == ()


def test_the_same_agent_raises_no_alarm(shared_dir: Path, tmp_path: Path) -> None:
    """Where nothing changes, nothing is said to."""
    (series,) = watched(shared_dir, tmp_path, "supersql_gpt4", "supersql_gpt4").series
    assert series.changes == ()
    assert series.question_changes == ()
