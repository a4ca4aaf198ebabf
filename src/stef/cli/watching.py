"""What a person sees while a log is scored: remarks, broken lines, and on a terminal how far it is."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from stef.cli.progress_line import ProgressLine
from stef.cli.screen import harmless, one_line, say
from stef.runs.job import Progress, Watcher

if TYPE_CHECKING:
    from stef.runs.records import BadLine
    from stef.runs.turns import MappingNotes

_SHOWN_BAD_LINES = 10
_SHOWN_FIELDS = 20


@contextmanager
def watching(quiet: bool) -> Iterator[Watcher]:
    """A Watcher that writes to standard error; broken lines are told even where `quiet`."""
    with ExitStack() as stack:
        progress = stack.enter_context(_bar()) if not quiet and sys.stderr.isatty() else _nothing
        lines = _BadLines()
        stack.callback(lines.rest)
        if quiet:
            yield Watcher(bad_line=lines.one)
        else:
            yield Watcher(mapped=_mapped, bad_line=lines.one, progress=progress, remark=_remark)


def _nothing(_progress: Progress) -> None:
    pass


def _remark(text: str) -> None:
    say(f"stef: {harmless(text)}")


class _BadLines:
    """The first broken lines one by one, the rest as a number."""

    def __init__(self) -> None:
        self._seen = 0

    def one(self, line: "BadLine") -> None:
        self._seen += 1
        if self._seen <= _SHOWN_BAD_LINES:
            say(f"stef: broken line {one_line(str(line), 300)}")

    def rest(self) -> None:
        if self._seen > _SHOWN_BAD_LINES:
            say(f"stef: and {self._seen - _SHOWN_BAD_LINES:,} more broken lines")


def _mapped(notes: "MappingNotes") -> None:
    if notes.aliases:
        taken = ", ".join(f"{target} = {harmless(source)}" for target, source in notes.aliases.items())
        say(f"stef: taken from the log by name: {taken} (--map changes it)")
    if notes.unfound:
        say(f"stef: the first turns hold nothing for {harmless(', '.join(notes.unfound))}")
    if notes.dropped:
        names = [one_line(name, 40) for name in notes.dropped]
        more = f" and {len(names) - _SHOWN_FIELDS} more" if len(names) > _SHOWN_FIELDS else ""
        say(f"stef: not used: {', '.join(names[:_SHOWN_FIELDS])}{more} (--keep NAME keeps a field as metadata)")


@contextmanager
def _bar() -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console  # noqa: PLC0415  heavy
    from rich.progress import Progress as Bar  # noqa: PLC0415
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)

        line = ProgressLine()

        def advance(progress: Progress) -> None:
            bar.update(task, description=line.text(progress))

        yield advance
