"""What each part came to, and what run.json says of all of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from stef.runs.facts import InputCounts, input_facts, nothing_found
from stef.runs.job import Progress, ScoreJob, Watcher
from stef.runs.records import BadLine
from stef.runs.turns import MappingNotes
from stef.runs.usable import MOST_KEPT, BrokenLines


@dataclass(slots=True)
class Receipt:
    """What a part came to. `resumed`: it was there already. `failure`: what ends the run."""

    part: int
    turns: int = 0
    left_out: int = 0
    resumed: bool = False
    bad: list[BadLine] = field(default_factory=list)
    bad_lines: int = 0
    without_rules: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    notes: MappingNotes = field(default_factory=MappingNotes)
    failure: Exception | None = None

    def add_bad(self, line: BadLine) -> None:
        """Count a line that holds no turn."""
        self.bad_lines += 1
        if len(self.bad) < MOST_KEPT:
            self.bad.append(line)


def tell(watcher: Watcher, progress: Progress, receipt: Receipt) -> None:
    """Add what a part came to, and tell who watches."""
    progress.turns += receipt.turns
    progress.resumed += receipt.turns if receipt.resumed else 0
    progress.bad_lines += receipt.bad_lines
    progress.unscored.update(receipt.reasons)
    for line in receipt.bad:
        watcher.bad_line(line)
    watcher.progress(progress)


def facts_of(job: ScoreJob, receipts: Sequence[Receipt]) -> dict[str, Any]:
    """What run.json says of the input, as on one machine; `receipts` in the order of the parts.

    Raises InputError where there is no turn.
    """
    counts = InputCounts(
        sum(one.turns for one in receipts),
        sum(one.left_out for one in receipts),
        sum((one.without_rules for one in receipts), Counter()),
    )
    broken = BrokenLines(strict=False)
    broken.count = sum(one.bad_lines for one in receipts)
    broken.first = [str(line) for one in receipts for line in one.bad][:MOST_KEPT]
    if not counts.turns:
        raise nothing_found(counts, broken)
    return input_facts(job, counts, broken, _together([one.notes for one in receipts]))


def _together(found: Sequence[MappingNotes]) -> MappingNotes:
    """The notes of all parts: what was met first stands."""
    notes = MappingNotes()
    for one in found:
        notes.aliases = {**notes.aliases, **{k: v for k, v in one.aliases.items() if k not in notes.aliases}}
        notes.dropped |= one.dropped
        notes.unreadable += one.unreadable
        notes.examples = {**one.examples, **notes.examples}
    return notes
