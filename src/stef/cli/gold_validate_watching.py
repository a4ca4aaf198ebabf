"""Progress of a validation, on a terminal."""

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stef.gold.validate.recorder import Recorder
    from stef.gold.validate.subject import Subject


@contextmanager
def watching(cases: int, *, quiet: bool, recorder: "Recorder | None") -> "Iterator[Callable[[int, Subject], None]]":
    """What is told of each case: a line of progress on a terminal, and its answer to whoever records."""
    take = recorder.take if recorder is not None else lambda _subject: None
    if quiet or not sys.stderr.isatty():
        yield lambda _count, subject: take(subject)
        return
    from rich.console import Console  # noqa: PLC0415  heavy
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    columns = (TextColumn("validating"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=cases)

        def told(number: int, subject: "Subject") -> None:
            take(subject)
            progress.update(task, completed=number)

        yield told
