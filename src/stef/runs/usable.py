"""What of a log can be used: its turns, up to a limit, without the lines that are broken."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from stef.errors import InputError, RunExistsError
from stef.runs.folder import RunFolder
from stef.runs.records import BadLine
from stef.runs.run import Run
from stef.runs.turns import Row

MOST_KEPT: Final = 100
"""Broken lines that are told in words."""


class BrokenLines:
    """Lines that are left out: their `count`, and the `first` of them in words. `strict`: the first one is an error."""

    def __init__(self, strict: bool, told: Callable[[BadLine], None] = lambda _line: None) -> None:
        self.count = 0
        self.first: list[str] = []
        self._strict = strict
        self._told = told

    def leave_out(self, line: BadLine) -> None:
        """Count `line`, and tell whoever watches. Raises InputError where a broken line ends it."""
        self.count += 1
        if self._strict:
            raise InputError(f"{line} (--strict stops at the first broken line)")
        if len(self.first) < MOST_KEPT:
            self.first.append(str(line))
        self._told(line)

    def no_turn(self) -> InputError:
        """What is wrong with a log that holds no usable turn."""
        if not self.count:
            return InputError("no usable turn in the log: it holds none at all")
        return InputError(f"no usable turn in the log: {self.count} broken lines; the first: {self.first[0]}")


def usable_turns(
    items: Iterable[Row | BadLine],
    limit: int | None,
    broken: BrokenLines,
    chosen: Callable[[Row], bool] = lambda _row: True,
) -> Iterator[Row]:
    """The turns among `items` that are chosen, the first `limit` of them where there is a limit."""
    turns = 0
    for item in items:
        if isinstance(item, BadLine):
            broken.leave_out(item)
            continue
        if not chosen(item):
            continue
        if limit is not None and turns >= limit:
            return
        turns += 1
        yield item


def check_same_turns(folder: RunFolder, number: int, rows: list[Row]) -> None:
    """Raise RunExistsError unless part `number`, which is taken over, holds these very turns."""
    stored = Run(folder.path, {}).part_rows(folder.part(number), ("row", "id", "question"))
    read = [(row.row, row.turn.id, row.turn.question) for row in rows]
    if [(entry["row"], entry["id"], entry["question"]) for entry in stored] != read:
        raise RunExistsError(
            f"{folder.part(number)}: holds other turns than the log has now: it changed. Give -o a new folder"
        )
