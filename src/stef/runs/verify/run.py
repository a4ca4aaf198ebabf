"""Logs → the ladder → RUN, part by part; a stop at any moment loses no finished part and no reply that was paid for."""

import asyncio
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import Any

from stef.databases import Databases
from stef.databases.urls import safe_url
from stef.rules import RuleBook
from stef.runs.calls import CALLS, REPLIES, CallLog, current_row, total_calls
from stef.runs.folder import COMPLETE
from stef.runs.read import read_records, readable_sources
from stef.runs.records import BadLine
from stef.runs.rescore import hashes_of
from stef.runs.run import Run
from stef.runs.sources import find_sources
from stef.runs.turns import Mapper, Row
from stef.runs.usable import BrokenLines, check_same_turns, usable_turns
from stef.runs.verify.columns import check_columns
from stef.runs.verify.folder import VERIFY, CheckFolder
from stef.runs.verify.job import Verified, VerifyJob, VerifyProgress, VerifyWatcher
from stef.verify import Means, Places
from stef.verify.candidate import Candidate
from stef.verify.check import check
from stef.version import VERSION


def verify_log(
    job: VerifyJob,
    means: Means,
    calls: CallLog,
    watcher: VerifyWatcher | None = None,
    scores: Mapping[int, float | None] | None = None,
) -> Verified:
    """Put every turn of the logs on the ladder; into the RUN folder `job.out`, where there is one.

    An unfinished RUN goes on where it stopped. `scores`: Φ by row, to stand beside the outcomes. Raises InputError for
    logs that cannot be read, RunExistsError for a folder with something else, UserError or StefError where no database
    can be reached, JudgeSetupError and AgentSetupError; finished parts stay.
    """
    watcher = watcher or VerifyWatcher()
    book = RuleBook.load(job.rules)
    with ExitStack() as stack:
        found = stack.enter_context(find_sources(job.logs))
        sources = readable_sources(found, job.encoding, watcher.remark)
        folder = None
        if job.out is not None:
            settings = _settings(job, means, book, [source.fingerprint() for source in sources])
            folder = CheckFolder(job.out, settings)
            if folder.complete:
                return Verified(lambda: rows_of(job.out), folder.run, job.out, already=True)
            folder.make()
            stack.enter_context(folder.locked())
        kept_in = job.out or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stef-")))
        stack.enter_context(calls.writing_to(kept_in))
        databases = stack.enter_context(Databases(job.database))
        passing = _Pass(job, means, book, Places(databases, job.limits), watcher)
        rows = passing.all_parts(read_records(sources, encoding=job.encoding), folder, scores or {})
        facts = {**passing.facts(), "calls": total_calls(kept_in / CALLS)}
        if folder is not None:
            folder.save(COMPLETE, facts)
    if job.out is not None:
        (job.out / REPLIES).unlink(missing_ok=True)
    return Verified((lambda: rows) if job.out is None else (lambda: rows_of(job.out)), facts, job.out)


def rows_of(path: Path | None) -> Iterator[dict[str, Any]]:
    """The rows of a RUN of `stef verify`, in order. Raises InputError where it cannot be read."""
    parts = [] if path is None else sorted((path / CheckFolder.PARTS).glob("part-*.parquet"))
    for part in parts:
        yield from Run(part.parent.parent, {}).part_rows(part)


def _settings(job: VerifyJob, means: Means, book: RuleBook, inputs: list[dict[str, Any]]) -> dict[str, Any]:
    """All that decides what stands in the RUN; a password in the URL does not."""
    return {
        "kind": VERIFY,
        "inputs": inputs,
        **job.fields.settings(),
        "encoding": job.encoding,
        "limit": job.limit,
        "part_rows": job.rows_of_part,
        "database": safe_url(job.database),
        "limits": {"timeout": job.limits.timeout, "rows": job.limits.rows, "cells": job.limits.cells},
        "rules": hashes_of(book),
        "rungs": [rung.value for rung in means.rungs],
        "prior": means.prior,
        "settled": means.settled,
        "dialect": means.dialect,
        "asks": dict(job.asks),
        "version": VERSION,
    }


class _Pass:
    """One pass over the input."""

    def __init__(self, job: VerifyJob, means: Means, book: RuleBook, places: Places, watcher: VerifyWatcher) -> None:
        self._job = job
        self._means = means
        self._book = book
        self._places = places
        self._watcher = watcher
        self._progress = VerifyProgress()
        self._broken = BrokenLines(job.strict, self._tell)
        self._mapper = Mapper(job.fields)

    def all_parts(
        self, items: Iterable[Any], folder: CheckFolder | None, scores: Mapping[int, float | None]
    ) -> list[dict[str, Any]]:
        """Every part that is not there yet; the rows, where nothing is written."""
        kept: list[dict[str, Any]] = []
        size = self._job.rows_of_part
        with asyncio.Runner() as runner:
            try:
                for number, part in groupby(self._turns(items), key=lambda row: row.row // size):
                    rows = [*part]
                    if folder is not None and folder.part(number).exists():
                        check_same_turns(folder, number, rows)
                        self._step(len(rows), resumed=True)
                        continue
                    done = runner.run(self._part(rows, scores))
                    self._places.raise_where_none()
                    if folder is None:
                        kept += done
                    else:
                        folder.write_part(number, done)
            finally:
                runner.run(self._close())
        if not self._progress.turns:
            raise self._broken.no_turn()
        return kept

    async def _close(self) -> None:
        if self._means.client is not None:
            await self._means.client.close()

    def _turns(self, items: Iterable[Any]) -> Iterator[Row]:
        return usable_turns(self._mapped(items), self._job.limit, self._broken)

    def _mapped(self, items: Iterable[Any]) -> Iterator[Row | BadLine]:
        told = False
        for item in self._mapper.rows(items):
            if not told:
                self._watcher.mapped(self._mapper.notes)
                told = True
            yield item

    def _tell(self, line: BadLine) -> None:
        self._progress.bad_lines += 1
        self._watcher.bad_line(line)

    async def _part(self, rows: list[Row], scores: Mapping[int, float | None]) -> list[dict[str, Any]]:
        free = asyncio.Semaphore(self._job.concurrency)

        async def one(row: Row) -> dict[str, Any]:
            async with free:
                current_row.set(row.row)
                place = await asyncio.to_thread(self._places.get, row.turn.database)
                rules = self._book.for_app(row.turn.app)
                found = await check(Candidate(row.turn, place, self._means.dialect, rules), self._means)
            self._step(1)
            return check_columns(row, found, scores.get(row.row))

        tasks = [asyncio.create_task(one(row)) for row in rows]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    def _step(self, turns: int, *, resumed: bool = False) -> None:
        self._progress.turns += turns
        self._progress.resumed += turns if resumed else 0
        self._watcher.progress(self._progress)

    def facts(self) -> dict[str, Any]:
        """What stands in run.json beside the settings."""
        notes = self._mapper.notes
        return {
            "counts": {"turns": self._progress.turns, "bad_lines": self._broken.count},
            "bad_lines": self._broken.first,
            "mapping": {"aliases": notes.aliases, "dropped": list(notes.dropped), "unreadable": dict(notes.unreadable)},
        }
