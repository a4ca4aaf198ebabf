"""Logs → RUN: read, map, assess part by part, write; a stop at any moment loses no finished part."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from stef.errors import InputError, RunExistsError
from stef.evaluator import Evaluator
from stef.runs.assess import assess_rows, needs_no_calls
from stef.runs.calls import CALLS, REPLIES, CallLog, total_calls
from stef.runs.columns import assessment_columns, turn_columns
from stef.runs.folder import COMPLETE, PART_ROWS, RunFolder
from stef.runs.mapping import FieldMap
from stef.runs.read import read_records, readable_sources
from stef.runs.records import BadLine
from stef.runs.run import Run, open_run
from stef.runs.sources import STDIN, Source, find_sources
from stef.runs.turns import Mapper, MappingNotes, Row

PART_ROWS_OF_MODELS = 100
"""Input rows of a part where a model is asked: what a kill can lose has been paid for."""

_KEPT_BAD_LINES = 100
_MOST_APPS = 20


@dataclass(frozen=True, slots=True)
class ScoreJob:
    """What to score and where to: the logs as a user names them, the folder, and how to read.

    `part_rows` input rows go into one Parquet file (chosen by the judge where None). `replies`: the file that the
    judge's replies come from, where no server is asked.
    """

    logs: tuple[str, ...]
    out: Path
    fields: FieldMap = field(default_factory=FieldMap)
    encoding: str | None = None
    limit: int | None = None
    strict: bool = False
    concurrency: int = 16
    part_rows: int | None = None
    replies: Path | None = None


@dataclass(slots=True)
class Progress:
    """How far a run is, for whoever watches. `resumed` turns were there already."""

    turns: int = 0
    resumed: int = 0
    bad_lines: int = 0


@dataclass(frozen=True, slots=True)
class Watcher:
    """Whoever is told of a run as it goes on: what mapping did, broken lines, progress, remarks."""

    mapped: Callable[[MappingNotes], None] = lambda _notes: None
    bad_line: Callable[[BadLine], None] = lambda _line: None
    progress: Callable[[Progress], None] = lambda _progress: None
    remark: Callable[[str], None] = lambda _text: None


@dataclass(frozen=True, slots=True)
class Finished:
    """A complete RUN. `already`: it was complete before."""

    run: Run
    already: bool


def score_log(job: ScoreJob, evaluator: Evaluator, calls: CallLog, watcher: Watcher | None = None) -> Finished:
    """Score every turn of the logs into the RUN folder `job.out`, going on where an unfinished run stopped.

    Raises InputError for logs that cannot be read (or, where `job.strict`, for the first broken line), RunExistsError
    for a folder with something else in it, JudgeSetupError and BudgetError from the judge; finished parts stay.
    """
    watcher = watcher or Watcher()
    with find_sources(job.logs) as found:
        sources = readable_sources(found, job.encoding, watcher.remark)
        settings = _settings(job, evaluator, [source.fingerprint() for source in sources])
        folder = RunFolder(job.out, settings)
        if folder.complete:
            return Finished(open_run(job.out), already=True)
        scoring = _Scoring(job, evaluator, folder, watcher, settings["part_rows"])
        with asyncio.Runner() as runner:
            try:
                scoring.all_parts(read_records(sources, encoding=job.encoding), calls, runner)
            finally:
                runner.run(evaluator.close())
    return Finished(open_run(job.out), already=False)


def _settings(job: ScoreJob, evaluator: Evaluator, inputs: list[dict[str, Any]]) -> dict[str, Any]:
    """All that decides what stands in the RUN."""
    evaluation = evaluator.settings()
    return {
        "inputs": inputs,
        **job.fields.settings(),
        "encoding": job.encoding,
        "limit": job.limit,
        "part_rows": job.part_rows or (PART_ROWS if needs_no_calls(evaluator) else PART_ROWS_OF_MODELS),
        "evaluation": evaluation,
        **({} if job.replies is None else {"replies": Source(job.replies, job.replies.name).fingerprint()}),
    }


class _Scoring:
    """One pass over the input."""

    def __init__(
        self, job: ScoreJob, evaluator: Evaluator, folder: RunFolder, watcher: Watcher, part_rows: int
    ) -> None:
        self._job = job
        self._evaluator = evaluator
        self._folder = folder
        self._watcher = watcher
        self._part_rows = part_rows
        self._progress = Progress()
        self._bad: list[str] = []
        self._without_rules: Counter[str] = Counter()
        self._mapper = Mapper(job.fields)

    def all_parts(self, items: Iterable[Any], calls: CallLog, runner: asyncio.Runner) -> None:
        """Write every part that is not there yet, then run.json as complete."""
        rows = self._within_limit(self._mapper.rows(items))
        parts = ((number, [*part]) for number, part in groupby(rows, key=lambda row: row.row // self._part_rows))
        first = next(parts, None)
        self._watcher.mapped(self._mapper.notes)
        if first is None:
            first_bad = f"; the first: {self._bad[0]}" if self._bad else ""
            raise InputError(f"no usable turn in the log: {self._progress.bad_lines} broken lines{first_bad}")
        self._folder.make()
        with self._folder.locked(), calls.writing_to(self._folder.path):
            self._part(*first, runner)
            for number, part in parts:
                self._part(number, part, runner)
        self._folder.save(COMPLETE, self._facts())
        (self._folder.path / REPLIES).unlink(missing_ok=True)

    def _within_limit(self, items: Iterable[Row | BadLine]) -> Iterator[Row]:
        """The turns, up to the limit; broken lines are counted on the way."""
        turns = 0
        for item in items:
            if isinstance(item, BadLine):
                self._broken(item)
                continue
            if self._job.limit is not None and turns >= self._job.limit:
                return
            turns += 1
            if not self._evaluator.book.knows(item.turn.app):
                self._without_rules[item.turn.app or "(none)"] += 1
            yield item

    def _broken(self, line: BadLine) -> None:
        self._progress.bad_lines += 1
        if self._job.strict:
            raise InputError(f"{line} (--strict stops at the first broken line)")
        if len(self._bad) < _KEPT_BAD_LINES:
            self._bad.append(str(line))
        self._watcher.bad_line(line)

    def _part(self, number: int, rows: list[Row], runner: asyncio.Runner) -> None:
        path = self._folder.part(number)
        if path.exists():
            _check_same_turns(self._folder, number, rows)
            self._progress.resumed += len(rows)
            self._progress.turns += len(rows)
            self._watcher.progress(self._progress)
            return
        self._folder.write_part(number, runner.run(self._assessed(rows)))

    async def _assessed(self, rows: list[Row]) -> list[dict[str, Any]]:
        columns: list[dict[str, Any]] = []
        patient = self._job.replies is not None
        assessing = assess_rows(self._evaluator, rows, self._job.concurrency, patient=patient)
        async with aclosing(assessing) as assessed:
            async for row, assessment in assessed:
                turn = turn_columns(row.row, row.place, row.turn)
                columns.append({**turn, **assessment_columns(assessment)})
                self._progress.turns += 1
                self._watcher.progress(self._progress)
        columns.sort(key=lambda column: column["row"])
        return columns

    def _facts(self) -> dict[str, Any]:
        notes = self._mapper.notes
        return {
            "logs": [log if log == STDIN else str(Path(log).absolute()) for log in self._job.logs],
            "counts": {
                "turns": self._progress.turns,
                "bad_lines": self._progress.bad_lines,
                "without_rules": self._without_rules.total(),
            },
            "apps_without_rules": [app for app, _ in self._without_rules.most_common(_MOST_APPS)],
            "bad_lines": self._bad,
            "mapping": {
                "aliases": notes.aliases,
                "dropped": list(notes.dropped),
                "unreadable": dict(notes.unreadable),
                "examples": notes.examples,
            },
            "calls": total_calls(self._folder.path / CALLS),
        }


def _check_same_turns(folder: RunFolder, number: int, rows: list[Row]) -> None:
    """A part that is taken over must hold these very turns."""
    stored = Run(folder.path, {}).part_rows(folder.part(number), ("row", "id", "question"))
    read = [(row.row, row.turn.id, row.turn.question) for row in rows]
    if [(entry["row"], entry["id"], entry["question"]) for entry in stored] != read:
        raise RunExistsError(
            f"{folder.part(number)}: holds other turns than the log has now: it changed. Give -o a new folder"
        )
