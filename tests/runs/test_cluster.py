"""A run over a Ray cluster: the same parts as on one machine, byte for byte."""

import asyncio
import json
import shutil
import socket
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from judge_kit import JudgeServer

from stef.cli.engines import OnRay
from stef.cli.judges import Asking, JudgeChoice
from stef.errors import BudgetError, InputError, RunExistsError, StefError, UserError
from stef.evaluator import Evaluator
from stef.llm.gate import Gate, Limits
from stef.runs.calls import CallLog
from stef.runs.choosing import Choice, Sample
from stef.runs.cluster.actors import PartWork, Scoring
from stef.runs.cluster.ledger import Ledger
from stef.runs.cluster.means import Means
from stef.runs.cluster.receipts import Receipt, facts_of
from stef.runs.cluster.stage import batch_of, opened
from stef.runs.incoming import Query
from stef.runs.intake import chosen_rows
from stef.runs.job import ScoreJob
from stef.runs.kernel import KernelSpec
from stef.runs.mapping import FieldMap
from stef.runs.pieces import first_turns, parts_of, records_of
from stef.runs.read import read_records
from stef.runs.score import score_log
from stef.runs.sources import Source, find_sources

pytestmark = pytest.mark.xdist_group("ray")
TURNS, PART = 45, 10
DRAWN = Choice(datetime(2026, 1, 3, tzinfo=UTC), Sample(count=45, seed=3))


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two Parquet files with small row groups; some turns are broken, some questions come again in another part."""
    folder = tmp_path_factory.mktemp("logs")
    rows = [
        {
            # All of the third part are broken: a part alone is no log.
            "question": None if at == 7 or 20 <= at < 30 else f"How many orders were placed in {2000 + at % 30}?",
            "timestamp": datetime(2026, 1, 1 + at % 30, tzinfo=UTC),
            "sql": "SELECT FROM" if at % 11 == 0 else f"SELECT COUNT(*) FROM orders WHERE year = {2000 + at % 30}",
            "agent": "bot",
        }
        for at in range(TURNS)
    ]
    for name, held in (("a", rows[:18]), ("b", rows[18:])):
        pq.write_table(pa.Table.from_pylist(held), folder / f"{name}.parquet", row_group_size=7)
    return folder


def test_pieces_are_the_input(logs: Path) -> None:
    """Part by part come the records that one reader of the whole input gives, whatever the size of a part."""
    with find_sources([str(logs)]) as sources:
        whole = list(read_records(sources))
        for size in (1, 7, 10, 18, 100):
            parts = list(parts_of(sources, size))
            assert [record for part in parts for record in records_of(part)] == whole
            assert {part.rows for part in parts[:-1]} <= {size}


def stopped(run: Path, missing: list[int]) -> None:
    """The RUN as a kill would leave it: some parts are missing, and it is not complete."""
    for number in missing:
        (run / "turns" / f"part-{number:05d}.parquet").unlink()
    held = json.loads((run / "run.json").read_text("utf-8"))
    (run / "run.json").write_text(json.dumps({**held, "state": "running"}))


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A cluster reads Parquet; another log is the user's mistake."""
    (tmp_path / "log.jsonl").write_text('{"question": "What?"}\n')
    with find_sources([str(tmp_path / "log.jsonl")]) as sources, pytest.raises(InputError, match="Parquet"):
        list(parts_of(sources, 10))


def symbolic(_: CallLog) -> Evaluator:
    """A judge that answers at once."""
    return Evaluator()


@pytest.fixture(scope="module")
def ray(lake: Any) -> Iterator[Any]:
    """Ray on this machine; its workers have the variables of the catalog."""
    pytest.importorskip("ray.data", reason="needs ray: pip install 'stef[ray]'")
    import ray
    from ray import cloudpickle

    # The judge of this module goes to the actors as it stands here.
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 * 2**20)
    yield ray
    ray.shutdown()


def parts(run: Path) -> dict[str, bytes]:
    """The bytes of each part."""
    return {part.name: part.read_bytes() for part in sorted((run / "turns").glob("*.parquet"))}


def about(run: Path) -> dict[str, Any]:
    """What run.json says, without where it lies."""
    held: dict[str, Any] = json.loads((run / "run.json").read_text("utf-8"))
    return {name: value for name, value in held.items() if name not in {"calls", "started", "ended"}}


def test_a_cluster_that_is_not_there(logs: Path, tmp_path: Path) -> None:
    """It is named at once, and the folder of the RUN can be used again."""
    pytest.importorskip("ray.data", reason="needs ray: pip install 'stef[ray]'")
    from stef.runs.cluster import Cluster, score_on_cluster

    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    with pytest.raises(UserError, match=f"--ray-address {address}: .*refused"):
        score_on_cluster(ScoreJob((str(logs),), tmp_path / "run"), Means(symbolic), Cluster(address))
    assert parts(tmp_path / "run") == {}


def test_the_same_run_as_on_one_machine(ray: Any, lake: Any, logs: Path, tmp_path: Path) -> None:
    """Parts, counts, settings and notes are those of a local run; parts that are there are taken over.

    It reads files of a path and of a URI, and a table.
    """
    from stef.runs.cluster import score_on_cluster

    held = pq.read_table(logs / "b.parquet")
    lake.create_table("app.cluster", schema=held.schema).append(held)
    read = (str(logs / "a.parquet"), f"file://{logs}/b.*", "iceberg:lake.app.cluster")
    job = ScoreJob(read, tmp_path / "there", part_rows=PART, choice=DRAWN, limit=40)
    score_log(replace(job, out=tmp_path / "here"), Evaluator(), CallLog())
    shutil.copytree(tmp_path / "here", tmp_path / "there")
    assert len(parts(tmp_path / "here")) == 6
    stopped(tmp_path / "there", missing=[0, 3, 5])
    score_on_cluster(job, Means(symbolic))
    assert parts(tmp_path / "there") == parts(tmp_path / "here")
    assert about(tmp_path / "there") == about(tmp_path / "here")
    assert about(tmp_path / "there")["counts"]["turns"] == 40


def test_calls_are_paid_once(ray: Any, logs: Path, tmp_path: Path, judge_server: JudgeServer) -> None:
    """With a judge that is called: a spent budget loses nothing, and in all each question is asked as often as here."""
    from stef.runs.cluster import score_on_cluster

    asking = Asking(samples=2, price_in=1000.0, price_out=0.0)
    make = OnRay("ray", None, JudgeChoice("openai:test", base_url=judge_server.url, asking=asking), None, False)
    job = ScoreJob((str(logs),), tmp_path / "there", part_rows=PART, concurrency=4)
    calls = CallLog(gate=Gate(Limits(4)))
    score_log(replace(job, out=tmp_path / "here"), make(calls), calls)
    here = judge_server.asked()
    judge_server.forget()
    with pytest.raises(BudgetError, match=r"budget of \$9 is spent.*the same command with a greater --budget goes on"):
        score_on_cluster(job, Means(make, Limits(4), budget=9.0))
    assert 0 < len(judge_server.asked()) < len(here) / 2
    score_on_cluster(job, Means(make, Limits(4)))
    assert parts(tmp_path / "there") == parts(tmp_path / "here")
    assert about(tmp_path / "there") == about(tmp_path / "here")
    assert sorted(judge_server.asked()) == sorted(here)


def scored(job: ScoreJob, sources: list[Source]) -> list[Receipt]:
    """Every part through the actor of a judge that answers at once, in this process."""
    evaluator = Evaluator()
    chosen = chosen_rows(job, evaluator, sources)
    (job.out / "turns").mkdir(parents=True, exist_ok=True)
    stage = Scoring(PartWork(KernelSpec(evaluator.book), job.fields, job.out, chosen))
    _, end = first_turns(parts_of(sources, PART), job.fields, chosen, job.limit)
    found = [opened(stage(batch_of(Receipt(part.number), part))) for part in parts_of(sources, PART, end)]
    assert all(held is None for _, held in found)
    return [receipt for receipt, _ in found]


@pytest.mark.parametrize(
    "choice", [Choice(), Choice(datetime(2026, 1, 12, tzinfo=UTC)), Choice(None, Sample(share=0.4))]
)
@pytest.mark.parametrize("limit", [None, 1, 5, 17, 500])
def test_a_part_of_a_log(logs: Path, tmp_path: Path, choice: Choice, limit: int | None) -> None:
    """--limit, --since and --sample choose the turns that they choose on one machine."""
    job = ScoreJob((str(logs),), tmp_path / "there", part_rows=PART, limit=limit, choice=choice)
    score_log(replace(job, out=tmp_path / "here"), Evaluator(), CallLog())
    with find_sources(job.logs) as sources:
        receipts = scored(job, sources)
    assert parts(tmp_path / "there") == parts(tmp_path / "here")
    facts = facts_of(job, receipts)
    assert facts["counts"] == about(tmp_path / "here")["counts"]
    assert facts["bad_lines"] == about(tmp_path / "here")["bad_lines"]


def test_a_part_that_holds_other_turns(logs: Path, tmp_path: Path) -> None:
    """It ends the run, as on one machine; Ray would bring back its text alone."""
    job = ScoreJob((str(logs),), tmp_path / "run", part_rows=PART)
    with find_sources(job.logs) as sources:
        assert [one.failure for one in scored(job, sources)] == [None] * 5
        turns = tmp_path / "run" / "turns"
        (turns / "part-00000.parquet").write_bytes((turns / "part-00003.parquet").read_bytes())
        again = scored(job, sources)
    assert isinstance(again[0].failure, RunExistsError)
    assert [one.resumed for one in again[1:]] == [True, False, True, True]


def test_a_bug_is_a_message(tmp_path: Path, logs: Path) -> None:
    """It names the part and what went wrong; the part is not written."""
    (tmp_path / "turns").mkdir()
    with find_sources([str(logs)]) as sources:
        part = next(parts_of(sources, PART))
        stage = Scoring(PartWork(KernelSpec(Evaluator().book), FieldMap(), tmp_path, lambda row: 1 // row.row > 0))
        receipt, held = opened(stage(batch_of(Receipt(part.number), part)))
    assert held is None
    assert isinstance(receipt.failure, StefError)
    assert str(receipt.failure).startswith("part 0: a bug in stef: ZeroDivisionError: ")
    assert parts(tmp_path) == {}


async def test_the_ledger(tmp_path: Path) -> None:
    """Who claims a judgement asks for it; others wait; what a lost asker held is free again; the budget is one."""
    ledger = Ledger(ScoreJob((), tmp_path), Means(symbolic, Limits(1), budget=1.0))
    await ledger.join("a")
    await ledger.join("b")
    assert await ledger.claim("a", b"k") is None
    assert await ledger.claim("a", b"k") is None
    waiting = asyncio.ensure_future(ledger.claim("b", b"k"))
    await asyncio.sleep(0)
    await ledger.settle("b", b"k", b"not mine", keep=False)
    assert not waiting.done()
    await ledger.settle("a", b"k", b"judged", keep=True)
    assert await waiting == b"judged"
    assert await ledger.claim("b", b"k") == b"judged"

    assert await ledger.claim("a", b"lost") is None
    first = await ledger.enter("a", 1.0)
    ticket, _ = await ledger.reserve("a", 10, 0.9)
    held = [asyncio.ensure_future(one) for one in (ledger.claim("b", b"lost"), ledger.enter("b", 1.0))]
    await asyncio.sleep(0.01)
    assert not any(one.done() for one in held)
    await ledger.join("a")  # started anew
    claim, second = await asyncio.gather(*held)
    assert claim is None
    assert second != first

    ticket, why_not = await ledger.reserve("b", 10, 0.9)
    assert ticket and not why_not
    await ledger.spend(ticket, 0.95, 10)
    ticket, why_not = await ledger.reserve("a", 10, 0.9)
    assert not ticket
    assert "the budget of $1 is spent" in why_not
    over = asyncio.ensure_future(ledger.run_out())
    await asyncio.sleep(0)
    assert b"budget" in (await ledger.claim("a", b"another") or b"")
    await ledger.settle("b", b"lost", None, keep=False)
    await over
    await ledger.close(complete=True)
    assert [path.name for path in tmp_path.iterdir()] == []


def test_what_only_one_machine_can_do_is_refused(ray: Any, logs: Path, tmp_path: Path) -> None:
    """It is named, and nothing is written."""
    from stef.runs.cluster import score_on_cluster

    run, log = tmp_path / "run", (str(logs),)
    for job, named in (
        (ScoreJob(log, run, strict=True), "--strict"),
        (ScoreJob(log, run, settle=1.0), "--follow"),
        (ScoreJob((), run, query=Query("sqlite:///x", "SELECT 1")), "--from"),
    ):
        with pytest.raises(UserError, match=named):
            score_on_cluster(job, Means(symbolic))
    assert not run.exists()
