"""How the turns of a run are worked on: where, how many at once, and what ends it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from stef.errors import BudgetError
from stef.evaluator import Evaluator
from stef.records.reasons import UnscoredReason
from stef.runs.calls import CallLog
from stef.runs.expecting import expected_turns
from stef.runs.job import ScoreJob
from stef.runs.judging import Judging
from stef.runs.kernel import Kernel, KernelSpec
from stef.runs.private import Kept
from stef.runs.sources import Source
from stef.runs.workers import WORTH_A_POOL, Workers, cpus
from stef.runs.working import Asking, AskingElsewhere, AtOnce, AtOnceElsewhere, Work

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

_CHUNK = 250
_CHUNK_OF_CALLS = 50
_CHUNKS_A_WORKER = 3
_TURNS_A_CALL = 4
"""Turns under way for each call that may be in flight: some are read, some need none, some wait to be asked again."""


class Engine:
    """Works on chunks of turns. `most_rows` of them at once keep it busy."""

    def __init__(
        self, work: Work, chunk_rows: int, most_rows: int, judging: Judging | None = None, calls: CallLog | None = None
    ) -> None:
        self.work = work
        self.chunk_rows = chunk_rows
        self.most_rows = most_rows
        self.stopped = False
        self._judging = judging
        self._calls = calls

    def stop(self) -> int:
        """Take up nothing new; how many calls are under way."""
        self.stopped = True
        gate = None if self._calls is None else self._calls.gate
        if gate is None:
            return 0
        gate.stop()
        return gate.state.in_flight

    def check_budget(self) -> None:
        """Raise BudgetError where the budget did not last."""
        spent = None if self._judging is None else self._judging.spent
        if spent is not None:
            raise BudgetError(f"{spent}; what was judged is kept, and the same command with a greater --budget goes on")

    def check_answered(self, part: "pa.Table") -> None:
        """Raise JudgeUnavailableError where turns of this part were put to the judge and it answered none."""
        if self._judging is None:
            return
        reasons = part["unscored_reason"].to_pylist()
        silent = reasons.count(UnscoredReason.JUDGE_UNAVAILABLE.value)
        answered = reasons.count(None) + reasons.count(UnscoredReason.JUDGE_REPLY_INVALID.value)
        self._judging.check_answered(silent, answered)


@asynccontextmanager
async def engine_of(
    job: ScoreJob, evaluator: Evaluator, calls: CallLog, kept: Kept | None, sources: list[Source]
) -> AsyncIterator[Engine]:
    """The engine for a job: in this process, or with workers where there are many turns or the job asks for them."""
    at_once = evaluator.answers_at_once
    spec = KernelSpec.of(evaluator)
    kernel = Kernel(evaluator, spec.key, spec.readings)
    judging = None if at_once else _judging(job, evaluator, calls, kept)
    count = 1 if evaluator.reader is not None else _workers(job, expected_of(job, sources))
    if count == 1:
        yield _here(job, kernel, judging, calls)
        return
    async with Workers(spec, count) as workers:
        rows = _CHUNK * _CHUNKS_A_WORKER * count
        if judging is None:
            yield Engine(AtOnceElsewhere(kernel, workers), _CHUNK, rows)
        else:
            most = rows + _TURNS_A_CALL * job.concurrency
            yield Engine(AskingElsewhere(kernel, judging, workers), _CHUNK_OF_CALLS, most, judging, calls)


def _here(job: ScoreJob, kernel: Kernel, judging: Judging | None, calls: CallLog) -> Engine:
    if judging is None:
        return Engine(AtOnce(kernel), _CHUNK, _CHUNK)
    most = _TURNS_A_CALL * job.concurrency + 2 * _CHUNK_OF_CALLS
    return Engine(Asking(kernel, judging), _CHUNK_OF_CALLS, most, judging, calls)


def _judging(job: ScoreJob, evaluator: Evaluator, calls: CallLog, kept: Kept | None) -> Judging:
    table = None if kept is None else kept.judgements
    # Where there is a gate, it counts the calls themselves.
    at_once = job.concurrency if calls.gate is None else None
    return Judging(evaluator, table, calls, at_once, patient=job.replies is not None)


def _workers(job: ScoreJob, expected: int | None) -> int:
    if job.workers is not None:
        return job.workers
    return cpus() if (expected or 0) >= WORTH_A_POOL else 1


def expected_of(job: ScoreJob, sources: list[Source]) -> int | None:
    """About how many turns a job will score; None where it cannot be told."""
    sample = job.choice.sample
    expected = expected_turns(sources)
    if expected is not None and sample is not None and sample.share is not None:
        expected = round(expected * sample.share)
    most = [count for count in (job.limit, None if sample is None else sample.count) if count is not None]
    return min(most) if expected is None and most else None if expected is None else min([expected, *most])
