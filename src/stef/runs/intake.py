"""What comes in: turns of the log, part by part, without those that are in the RUN already."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NoReturn

from stef.errors import InputError, RunExistsError
from stef.evaluator import Evaluator
from stef.rules import RuleBook
from stef.runs.folder import PART_ROWS, RunFolder
from stef.runs.job import Progress, ScoreJob, Watcher
from stef.runs.read import read_records
from stef.runs.records import BadLine, Item
from stef.runs.run import Run
from stef.runs.sources import Source
from stef.runs.turns import Mapper, MappingNotes, Row

PART_ROWS_OF_MODELS = 1_000
"""Input rows of a part where a model is asked: a part can be looked at the sooner."""

_KEPT_BAD_LINES = 100
_MOST_APPS = 20


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
        self._bad: list[str] = []
        self._turns = 0
        self._left_out = 0
        self._without_rules: Counter[str] = Counter()

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
            _check_same_turns(self._folder, number, turns)
            self._progress.resumed += len(turns)
            self._progress.turns += len(turns)
            self._watcher.progress(self._progress)
            yield number, []

    def nothing_found(self) -> NoReturn:
        """Raise InputError for a log without a single turn."""
        if self._left_out:
            raise InputError(f"--since and --sample leave none of the {self._left_out} turns of the log")
        first_bad = f"; the first: {self._bad[0]}" if self._bad else ""
        raise InputError(f"no usable turn in the log: {self._progress.bad_lines} broken lines{first_bad}")

    def facts(self) -> dict[str, Any]:
        """What run.json says of the input."""
        notes = self.notes
        return {
            "counts": {
                "turns": self._turns,
                **({"left_out": self._left_out} if self._job.choice.settings() else {}),
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
        }

    def _within_limit(self, items: Iterable[Row | BadLine], chosen: Callable[[Row], bool]) -> Iterator[Row]:
        """The turns, up to the limit; broken lines are counted on the way."""
        for item in items:
            if isinstance(item, BadLine):
                self._broken(item)
                continue
            if not chosen(item):
                self._left_out += 1
                continue
            if self._job.limit is not None and self._turns >= self._job.limit:
                return
            self._turns += 1
            if not self._book.knows(item.turn.app):
                self._without_rules[item.turn.app or "(none)"] += 1
            yield item

    def _broken(self, line: BadLine) -> None:
        self._progress.bad_lines += 1
        if self._job.strict:
            raise InputError(f"{line} (--strict stops at the first broken line)")
        if len(self._bad) < _KEPT_BAD_LINES:
            self._bad.append(str(line))
        self._watcher.bad_line(line)


def _check_same_turns(folder: RunFolder, number: int, rows: list[Row]) -> None:
    """A part that is taken over must hold these very turns."""
    stored = Run(folder.path, {}).part_rows(folder.part(number), ("row", "id", "question"))
    read = [(row.row, row.turn.id, row.turn.question) for row in rows]
    if [(entry["row"], entry["id"], entry["question"]) for entry in stored] != read:
        raise RunExistsError(
            f"{folder.part(number)}: holds other turns than the log has now: it changed. Give -o a new folder"
        )
