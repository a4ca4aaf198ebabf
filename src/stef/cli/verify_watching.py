"""What a person sees while a log is verified."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from stef.cli.watching import watching as watching_scores
from stef.runs.verify.job import VerifyProgress, VerifyWatcher


@contextmanager
def watching(quiet: bool) -> Iterator[VerifyWatcher]:
    """A watcher that writes to standard error; broken lines are told even where `quiet`."""
    with ExitStack() as stack:
        log = stack.enter_context(watching_scores(quiet=True))
        if quiet:
            yield VerifyWatcher(bad_line=log.bad_line)
            return
        told = stack.enter_context(watching_scores(quiet=False)) if not sys.stderr.isatty() else log
        progress = stack.enter_context(_bar()) if sys.stderr.isatty() else _nothing
        yield VerifyWatcher(mapped=told.mapped, bad_line=log.bad_line, progress=progress, remark=told.remark)


def _nothing(_progress: VerifyProgress) -> None:
    pass


@contextmanager
def _bar() -> Iterator[Callable[[VerifyProgress], None]]:
    from rich.console import Console  # noqa: PLC0415  heavy
    from rich.progress import Progress as Bar  # noqa: PLC0415
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)

        def advance(progress: VerifyProgress) -> None:
            resumed = f", {progress.resumed:,} of them before" if progress.resumed else ""
            bar.update(task, description=f"{progress.turns:,} answers looked at{resumed}")

        yield advance
