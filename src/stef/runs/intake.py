"""What comes in: turns of the log, part by part, without those that are in the RUN already."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NoReturn

from stef.evaluator import Evaluator
from stef.rules import RuleBook
from stef.runs.facts import InputCounts, input_facts, nothing_found
from stef.runs.folder import PART_ROWS, RunFolder
from stef.runs.job import Progress, ScoreJob, Watcher
from stef.runs.read import read_records
from stef.runs.records import BadLine, Item
from stef.runs.sources import Source
from stef.runs.turns import Mapper, MappingNotes, Row
from stef.runs.usable import BrokenLines, check_same_turns, usable_turns

PART_ROWS_OF_MODELS = 1_000
"""Input rows of a part where a model is asked: a part can be looked at the sooner."""


def part_rows_of(evaluator: Evaluator) -> int:
    """How many input rows go into one part, where nobody says so."""
    return PART_ROWS if evaluator.answers_at_once else PART_ROWS_OF_MODELS


def chosen_rows(job: ScoreJob, evaluator: Evaluator, sources: Sequence[Source]) -> Callable[[Row], bool]:
    """Says of each turn whether the job's choice takes it. Raises InputError as reading the log does."""

    def rows() -> Iterator[Row]:
        for item in Mapper(job.fields).rows(read_records(sources, encoding=job.encoding)):
            if isinstance(item, Row):
                yield item

    return job.choice.test(rows, evaluator)


class Intake:
    """Reads the log of `job` once. `notes` and `facts` grow as it does."""

    def __init__(self, job: ScoreJob, book: RuleBook, folder: RunFolder, watcher: Watcher, progress: Progress) -> None:
        self._job = job
        self._book = book
        self._folder = folder
        self._watcher = watcher
        self._progress = progress
        self._mapper = Mapper(job.fields)
        self._broken = BrokenLines(job.strict, self._tell)
        self._counts = InputCounts()

    @property
    def notes(self) -> MappingNotes:
        """What mapping did on its own."""
        return self._mapper.notes

    def parts(
        self, items: Iterable[Item], chosen: Callable[[Row], bool] = lambda _row: True
    ) -> Iterator[tuple[int, list[Row]]]:
        """The number and the turns of every part; those of a part that is written already are left out.

        Raises InputError as `read_records` and `Mapper` do, and RunExistsError where a written part holds other turns.
        """
        size = self._folder.settings["part_rows"]
        rows = self._within_limit(self._mapper.rows(items), chosen)
        for number, part in groupby(rows, key=lambda row: row.row // size):
            turns = list(part)
            if not self._folder.part(number).exists():
                yield number, turns
                continue
            check_same_turns(self._folder, number, turns)
            self._progress.resumed += len(turns)
            self._progress.turns += len(turns)
            self._watcher.progress(self._progress)
            yield number, []

    def nothing_found(self) -> NoReturn:
        """Raise InputError for a log without a single turn."""
        raise nothing_found(self._counts, self._broken)

    def facts(self) -> dict[str, Any]:
        """What run.json says of the input."""
        return input_facts(self._job, self._counts, self._broken, self.notes)

    def _within_limit(self, items: Iterable[Row | BadLine], chosen: Callable[[Row], bool]) -> Iterator[Row]:
        """The turns, up to the limit; broken lines, and turns that are not chosen, are counted on the way."""

        def taken(row: Row) -> bool:
            take = chosen(row)
            self._counts.left_out += not take
            return take

        for item in usable_turns(items, self._job.limit, self._broken, taken):
            self._counts.turns += 1
            if not self._book.knows(item.turn.app):
                self._counts.without_rules[item.turn.app or "(none)"] += 1
            yield item

    def _tell(self, line: BadLine) -> None:
        self._progress.bad_lines += 1
        self._watcher.bad_line(line)
