"""What a person sees while a gold run goes on."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from stef.cli.screen import harmless, say
from stef.runs.gold.job import GoldProgress, GoldWatcher


@contextmanager
def watching(quiet: bool) -> Iterator[GoldWatcher]:
    """A watcher that writes to standard error: remarks, and on a terminal how far the run is."""
    if quiet:
        yield GoldWatcher()
    elif sys.stderr.isatty():
        with _bar() as progress:
            yield GoldWatcher(progress, _remark)
    else:
        yield GoldWatcher(remark=_remark)


def _remark(text: str) -> None:
    say(f"stef: {harmless(text)}")


@contextmanager
def _bar() -> Iterator[Callable[[GoldProgress], None]]:
    from rich.console import Console  # noqa: PLC0415  heavy
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        BarColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        TextColumn("left", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("asking")

        def advance(progress: GoldProgress) -> None:
            before = f", {progress.resumed:,} of them before" if progress.resumed else ""
            failed = f", {progress.agent_faults:,} failed" if progress.agent_faults else ""
            words = f"{progress.done:,} of {progress.planned:,} turns{before}{failed}"
            bar.update(task, total=progress.planned, completed=progress.done, description=words)

        yield advance
