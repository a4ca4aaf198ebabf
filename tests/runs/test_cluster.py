"""A run over a Ray cluster: the same parts as on one machine, byte for byte."""

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stef.errors import InputError, UserError
from stef.evaluator import Evaluator
from stef.judge.doubles import ScriptedJudge
from stef.llm.gate import Limits
from stef.records.judgement import Judgement, Verdict
from stef.records.request import JudgeRequest
from stef.runs.calls import CallLog
from stef.runs.job import ScoreJob
from stef.runs.pieces import parts_of, records_of
from stef.runs.read import read_records
from stef.runs.score import score_log
from stef.runs.sources import find_sources

pytestmark = pytest.mark.xdist_group("ray")
TURNS = 45


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two Parquet files with small row groups; some turns are broken, some questions come again."""
    folder = tmp_path_factory.mktemp("logs")
    rows = [
        {
            "question": None if at == 7 else f"How many orders were placed in {2000 + at % 30}?",
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


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A cluster reads Parquet; another log is the user's mistake."""
    (tmp_path / "log.jsonl").write_text('{"question": "What?"}\n')
    with find_sources([str(tmp_path / "log.jsonl")]) as sources, pytest.raises(InputError, match="Parquet"):
        list(parts_of(sources, 10))


def symbolic(_: CallLog) -> Evaluator:
    """A judge that answers at once."""
    return Evaluator()


class ByRequest(ScriptedJudge):
    """Answers by what is asked, and writes down in a file that it was asked."""

    def __init__(self, asked: Path) -> None:
        super().__init__(self._answer, "by-request")
        self._asked = asked

    def _answer(self, request: JudgeRequest) -> Judgement:
        with self._asked.open("a", encoding="utf-8") as file:
            file.write(f"{request.question}\n")
        share = hashlib.sha256(request.question.encode()).digest()[0] / 255
        verdict = Verdict.CORRECT if share > 0.5 else Verdict.INCORRECT
        return Judgement(verdict=verdict, confidence=max(share, 1 - share), reasons=("so it is",), judge="by-request")


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """Ray on this machine."""
    pytest.importorskip("ray.data", reason="needs ray: pip install 'stef[ray]'")
    import ray
    from ray import cloudpickle

    # The judge of this module goes to the actors as it stands here.
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 * 2**20)
    yield ray
    ray.shutdown()


def parts(run: Path) -> dict[str, bytes]:
    """The bytes of each part."""
    return {part.name: part.read_bytes() for part in sorted((run / "turns").glob("*.parquet"))}


def about(run: Path) -> dict[str, Any]:
    """What run.json says, without where it lies."""
    held: dict[str, Any] = json.loads((run / "run.json").read_text("utf-8"))
    return {name: value for name, value in held.items() if name not in {"calls", "started", "ended"}}


def test_the_same_run_as_on_one_machine(ray: Any, logs: Path, tmp_path: Path) -> None:
    """Parts, counts, settings and notes are those of a local run; what is there already is taken over."""
    from stef.runs.cluster import Cluster, score_on_cluster

    def job(out: str) -> ScoreJob:
        return ScoreJob((str(logs),), tmp_path / out, part_rows=10)

    score_log(job("here"), Evaluator(), CallLog())
    score_on_cluster(job("there"), symbolic, Limits(), Cluster())
    assert parts(tmp_path / "there") == parts(tmp_path / "here")
    assert len(parts(tmp_path / "there")) == 5
    assert about(tmp_path / "there") == about(tmp_path / "here")
    assert about(tmp_path / "there")["counts"]["bad_lines"] == 1


def test_calls_go_through_one_ledger_and_are_paid_once(ray: Any, logs: Path, tmp_path: Path) -> None:
    """With a judge that is called: the same parts, and after a kill only what was not judged yet is asked."""
    from stef.runs.cluster import Cluster, score_on_cluster

    def job(out: str) -> ScoreJob:
        return ScoreJob((str(logs),), tmp_path / out, part_rows=10, concurrency=4)

    def make(_: CallLog) -> Evaluator:
        return Evaluator(judge=ByRequest(tmp_path / "asked"))

    score_log(job("here"), make(CallLog()), CallLog())
    here = (tmp_path / "asked").read_text("utf-8").splitlines()
    (tmp_path / "asked").unlink()
    score_on_cluster(job("there"), make, Limits(4), Cluster(askers=2))
    there = (tmp_path / "asked").read_text("utf-8").splitlines()
    assert parts(tmp_path / "there") == parts(tmp_path / "here")
    assert set(there) == set(here)

    # As a kill would leave it: two parts are missing, and the run is not complete.
    for number in (1, 3):
        (tmp_path / "there" / "turns" / f"part-{number:05d}.parquet").unlink()
    held = json.loads((tmp_path / "there" / "run.json").read_text("utf-8"))
    (tmp_path / "there" / "run.json").write_text(json.dumps({**held, "state": "running"}))
    score_on_cluster(job("there"), make, Limits(4), Cluster())
    assert parts(tmp_path / "there") == parts(tmp_path / "here")


def test_what_only_one_machine_can_do_is_refused(ray: Any, logs: Path, tmp_path: Path) -> None:
    """--limit counts usable turns in their order, which no part knows by itself."""
    from stef.runs.cluster import Cluster, score_on_cluster

    with pytest.raises(UserError, match="--limit"):
        score_on_cluster(ScoreJob((str(logs),), tmp_path / "run", limit=3), symbolic, Limits(), Cluster())
    assert not (tmp_path / "run").exists()
