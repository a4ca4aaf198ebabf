"""Logs → RUN: read, map, score side by side, write part by part; a stop at any moment loses nothing that was paid."""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

from stef.errors import BudgetError, StoppedError
from stef.evaluator import Evaluator
from stef.llm.replies import KeepNothing
from stef.runs.calls import CALLS, CallLog, total_calls
from stef.runs.engine import Engine, engine_of, expected_of
from stef.runs.flow import Flow, Settle
from stef.runs.folder import COMPLETE, RunFolder
from stef.runs.incoming import known_first, settled, sources_of
from stef.runs.intake import Intake, chosen_rows, part_rows_of
from stef.runs.job import Finished, Progress, ScoreJob, Watcher
from stef.runs.parts import Assembly, Chunk, chunks_of
from stef.runs.private import private_store
from stef.runs.read import read_records, readable_sources
from stef.runs.run import open_run
from stef.runs.sources import Source, logs_shown
from stef.runs.stopping import stop_on_interrupt

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

__all__ = ["Finished", "Progress", "ScoreJob", "Watcher", "score_log"]


def score_log(job: ScoreJob, evaluator: Evaluator, calls: CallLog, watcher: Watcher | None = None) -> Finished:
    """Score every turn of the logs into the RUN folder `job.out`, going on where an unfinished run stopped.

    Raises InputError for logs that cannot be read (or, where `job.strict`, for the first broken line), RunExistsError
    for a folder with something else in it, StoreError, JudgeSetupError, JudgeDownError and BudgetError from the calls,
    and StoppedError after a Ctrl-C; finished parts stay, and so does every judgement.
    """
    watcher = watcher or Watcher()
    with sources_of(job.logs, job.query) as found:
        ready = found if job.settle is None else settled(known_first(found, job.out), job.out, job.settle)
        sources = readable_sources(ready, job.encoding, watcher.remark)
        settings = settings_of(job, evaluator, [source.fingerprint() for source in sources])
        folder = RunFolder(job.out, settings, may_grow=job.settle is not None)
        if folder.complete:
            return Finished(open_run(job.out), already=True)
        scoring = _Scoring(job, evaluator, folder, watcher, calls)
        with asyncio.Runner() as runner:
            try:
                runner.run(scoring.all_parts(sources))
            except asyncio.CancelledError as error:  # a second Ctrl-C
                raise StoppedError("stopped") from error
            finally:
                runner.run(evaluator.close())
    return Finished(open_run(job.out), already=False)


def settings_of(job: ScoreJob, evaluator: Evaluator, inputs: list[dict[str, Any]]) -> dict[str, Any]:
    """All that decides what stands in the RUN."""
    return {
        "inputs": inputs,
        **job.fields.settings(),
        "encoding": job.encoding,
        "limit": job.limit,
        **job.choice.settings(),
        **({} if job.query is None else {"query": job.query.settings()}),
        "part_rows": job.part_rows or part_rows_of(evaluator),
        "evaluation": evaluator.settings(),
        **({} if job.replies is None else {"replies": Source(job.replies, job.replies.name).fingerprint()}),
    }


class _Scoring:
    """One pass over the input."""

    def __init__(
        self, job: ScoreJob, evaluator: Evaluator, folder: RunFolder, watcher: Watcher, calls: CallLog
    ) -> None:
        self._job = job
        self._evaluator = evaluator
        self._folder = folder
        self._watcher = watcher
        self._calls = calls
        self._progress = Progress()
        self._intake = Intake(job, evaluator.book, folder, watcher, self._progress)
        self._assembly = Assembly()
        # Reading waits for disks and pipes, writing for disks; the calls go on meanwhile.
        self._reading = ThreadPoolExecutor(1, "stef-read")
        self._writing = ThreadPoolExecutor(1, "stef-write")

    async def all_parts(self, sources: list[Source]) -> None:
        """Write every part that is not there yet, then run.json as complete."""
        try:
            await self._all_parts(sources)
        finally:
            self._reading.shutdown()
            self._writing.shutdown()

    async def _all_parts(self, sources: list[Source]) -> None:
        encoding = self._job.encoding
        chosen = await self._read(lambda: chosen_rows(self._job, self._evaluator, sources))
        self._progress.expected = expected_of(self._job, sources)
        parts = self._intake.parts(read_records(sources, encoding=encoding), chosen)
        first = await self._read(lambda: next(parts, None))
        self._watcher.mapped(self._intake.notes)
        if first is None:
            self._intake.nothing_found()
        self._folder.make()
        with self._folder.locked(), ExitStack() as stack:
            self._folder.grow()
            kept = None
            if not self._evaluator.answers_at_once and self._job.replies is None:
                kept = stack.enter_context(private_store(self._job, self._evaluator, self._folder.path))
            keeper = KeepNothing() if kept is None else kept.replies
            stack.enter_context(self._calls.writing_to(self._folder.path, keeper))
            async with AsyncExitStack() as engines:
                engine = await engines.enter_async_context(
                    engine_of(self._job, self._evaluator, self._calls, kept, sources)
                )
                stack.enter_context(stop_on_interrupt(engine.stop, self._watcher.remark))
                flow = Flow(engine.most_rows)
                try:
                    await self._through(flow, engine, first, lambda: next(parts, None))
                finally:
                    await flow.cancel()
            if kept is not None and self._job.settle is None:
                kept.done()
            self._folder.save(COMPLETE, self._facts())

    async def _through(self, flow: Flow, engine: Engine, first: Any, following: Callable[[], Any]) -> None:
        """Every part through the engine."""
        part = first
        try:
            while part is not None:
                number, rows = part
                for chunk in chunks_of(number, rows, engine.chunk_rows):
                    if engine.stopped:
                        raise StoppedError("stopped")
                    engine.check_budget()
                    await flow.start(partial(self._chunk, chunk, engine), len(chunk.rows))
                part = await self._read(following)
        except (StoppedError, BudgetError):
            await flow.end()
            raise
        await flow.end()
        engine.check_budget()

    async def _chunk(self, chunk: Chunk, engine: Engine, settle: Settle) -> None:
        table = await engine.work(chunk.rows, settle)
        engine.check_budget()
        self._count(table)
        whole = self._assembly.add(chunk, table)
        if whole is not None:
            engine.check_answered(whole)
            write = self._folder.write_table
            await asyncio.get_running_loop().run_in_executor(self._writing, write, chunk.part, whole)

    def _count(self, table: "pa.Table") -> None:
        reasons = Counter(table["unscored_reason"].to_pylist())
        progress = self._progress
        progress.turns += table.num_rows
        progress.unscored.update({reason: n for reason, n in reasons.items() if reason is not None})
        progress.cost, progress.calls, progress.kept = self._calls.cost, self._calls.made, self._calls.hits
        self._watcher.progress(progress)

    async def _read(self, work: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._reading, work)

    def _facts(self) -> dict[str, Any]:
        return {
            "logs": logs_shown(self._job.logs),
            **self._intake.facts(),
            "calls": total_calls(self._folder.path / CALLS),
        }
