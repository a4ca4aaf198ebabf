"""What each part came to, and what run.json says of all of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from stef.errors import InputError
from stef.runs.job import Progress, ScoreJob, Watcher
from stef.runs.records import BadLine
from stef.runs.turns import MappingNotes
from stef.runs.usable import BrokenLines

_MOST_BAD_LINES: Final = 100
_MOST_APPS: Final = 20


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
        if len(self.bad) < _MOST_BAD_LINES:
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
    turns = sum(one.turns for one in receipts)
    bad = [str(line) for one in receipts for line in one.bad][:_MOST_BAD_LINES]
    bad_lines = sum(one.bad_lines for one in receipts)
    left_out = sum(one.left_out for one in receipts)
    if not turns and left_out:
        raise InputError(f"--since and --sample leave none of the {left_out} turns of the log")
    if not turns:
        broken = BrokenLines(strict=False)
        broken.count, broken.first = bad_lines, bad
        raise broken.no_turn()
    without: Counter[str] = sum((one.without_rules for one in receipts), Counter())
    notes = _together([one.notes for one in receipts])
    return {
        "counts": {
            "turns": turns,
            **({"left_out": left_out} if job.choice.settings() else {}),
            "bad_lines": bad_lines,
            "without_rules": without.total(),
        },
        "apps_without_rules": [app for app, _ in without.most_common(_MOST_APPS)],
        "bad_lines": bad,
        "mapping": {
            "aliases": notes.aliases,
            "dropped": list(notes.dropped),
            "unreadable": dict(notes.unreadable),
            "examples": notes.examples,
        },
    }


def _together(found: Sequence[MappingNotes]) -> MappingNotes:
    """The notes of all parts: what was met first stands."""
    notes = MappingNotes()
    for one in found:
        notes.aliases = {**notes.aliases, **{k: v for k, v in one.aliases.items() if k not in notes.aliases}}
        notes.dropped |= one.dropped
        notes.unreadable += one.unreadable
        notes.examples = {**one.examples, **notes.examples}
    return notes
