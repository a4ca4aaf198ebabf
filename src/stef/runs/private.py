"""What a run keeps while it is under way: in the user's store, or in a file of its own that goes at its end."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stef.evaluator import Evaluator
from stef.judge.protocol import ModelJudge
from stef.runs.calls import REPLIES as FILE
from stef.runs.job import ScoreJob
from stef.runs.store import JUDGEMENTS, REPLIES, Store, Table

PRIVATE_FILES: Final = (FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal")


@dataclass(slots=True)
class Kept:
    """Judgements and replies that were paid for."""

    judgements: Table
    replies: Table
    folder: Path
    complete: bool = False

    def done(self) -> None:
        """The run is complete."""
        self.complete = True


@contextmanager
def private_store(job: ScoreJob, evaluator: Evaluator, folder: Path) -> Iterator[Kept]:
    """Where the judgements of a run are kept. Raises StoreError where the file cannot be used.

    A judge that does not say what it asks has its judgements kept for this run alone: another time, or in another
    version, it may see more of a turn than the key tells.
    """
    shared = job.store is not None and isinstance(evaluator.judge, ModelJudge)
    path = job.store if shared and job.store is not None else folder / FILE
    with Store(path, job.store_scope if shared else "") as store:
        kept = Kept(store.table(JUDGEMENTS), store.table(REPLIES), folder)
        yield kept
    if kept.complete:
        remove_private(folder)


def remove_private(folder: Path) -> None:
    """Remove the file that a run kept for itself."""
    for name in PRIVATE_FILES:
        (folder / name).unlink(missing_ok=True)
