"""An agent that is asked the same more than once, and causes that only a whole run shows."""

import json
from pathlib import Path
from typing import Any

import pytest

from stef.records.gold import Bucket
from stef.rules import RuleBook
from stef.runs.gold.job import GoldJob
from stef.runs.gold.rescore import rescore_gold
from stef.runs.gold.run import run_gold
from stef.runs.gold.summary import summarise_gold

COUNT = "SELECT a.Title FROM Album a JOIN Track t USING (AlbumId) GROUP BY a.AlbumId ORDER BY COUNT(*) DESC LIMIT 1"
LENGTH = COUNT.replace("COUNT(*)", "SUM(t.Milliseconds)")


def job(repo: Path, folder: Path, turns: list[dict[str, Any]], **more: Any) -> GoldJob:
    """A run of the example's cases over these turns."""
    log = folder / "turns.jsonl"
    log.write_text("".join(json.dumps({"question": "q", "agent": "bot", **turn}) + "\n" for turn in turns))
    return GoldJob(
        cases=(str(repo / "examples/refusals/cases.yaml"),),
        database=f"sqlite:///{repo}/examples/gold/music.sqlite",
        agents=(f"replay:{log}",),
        out=folder / "run",
        **more,
    )


def test_samples_of_a_log_are_its_turns_in_order(repo: Path, tmp_path: Path) -> None:
    """Each is a row of its own; the readings that they cover are counted, and they are no other phrasings."""
    turns = [{"case_id": "biggest-album", "sql": sql} for sql in (COUNT, LENGTH, "SELECT Title FROM Album LIMIT 1")]
    run = run_gold(job(repo, tmp_path, turns, samples=4)).run
    rows = list(run.rows(("sample", "correct", "gold_index", "id")))
    assert [(row["sample"], row["correct"]) for row in rows] == [(0, True), (1, True), (2, False)]
    assert [row["id"] for row in rows][1:] == ["biggest-album::bot::2", "biggest-album::bot::3"]
    (agent,) = summarise_gold(run).overview.agents
    assert agent.phrasings is None
    assert agent.behaviour is not None
    assert agent.behaviour.readings is not None
    assert (agent.behaviour.readings.covered.value, agent.behaviour.readings.covered.n) == (1.0, 1)


@pytest.mark.parametrize("part_rows", [2, 500])
def test_an_empty_field_is_the_cause_in_every_part(repo: Path, tmp_path: Path, part_rows: int) -> None:
    """Turns without SQL have it as their cause in the Parquet and in the record, also after rescoring."""
    answerable = ("customers-canada", "jazz-tracks", "queen-albums", "largest-invoice")
    turns = [{"case_id": one, "answer": "There are 7."} for one in answerable]
    run = run_gold(job(repo, tmp_path, turns, part_rows=part_rows)).run
    for held in (run, rescore_gold(run, RuleBook.load(None), tmp_path / "again").run):
        rows = list(held.rows(("bucket", "record")))
        assert {row["bucket"] for row in rows} == {Bucket.EMPTY_EXTRACTOR.value}
        assert {json.loads(row["record"])["report"]["bucket"] for row in rows} == {Bucket.EMPTY_EXTRACTOR.value}
        overview = summarise_gold(held).overview
        assert (overview.empty_extractor_failures, overview.own_bugs) == (4, 0)
        assert [(one.field, one.failures) for one in overview.empty_extractors if one.failures] == [("sql", 4)]
