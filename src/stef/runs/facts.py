"""What run.json says of a log that was scored, whoever read it."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from stef.errors import InputError
from stef.runs.job import ScoreJob
from stef.runs.turns import MappingNotes
from stef.runs.usable import BrokenLines

_MOST_APPS: Final = 20


@dataclass(slots=True)
class InputCounts:
    """Turns that are scored, turns that a choice left out, and of each app without rules how many turns."""

    turns: int = 0
    left_out: int = 0
    without_rules: Counter[str] = field(default_factory=Counter)


def input_facts(job: ScoreJob, counts: InputCounts, broken: BrokenLines, notes: MappingNotes) -> dict[str, Any]:
    """The counts, the first broken lines, and what mapping did on its own."""
    return {
        "counts": {
            "turns": counts.turns,
            **({"left_out": counts.left_out} if job.choice.settings() else {}),
            "bad_lines": broken.count,
            "without_rules": counts.without_rules.total(),
        },
        "apps_without_rules": [app for app, _ in counts.without_rules.most_common(_MOST_APPS)],
        "bad_lines": broken.first,
        "mapping": {
            "aliases": notes.aliases,
            "dropped": list(notes.dropped),
            "unreadable": dict(notes.unreadable),
            "examples": notes.examples,
        },
    }


def nothing_found(counts: InputCounts, broken: BrokenLines) -> InputError:
    """Why a log has not a single turn to score."""
    if counts.left_out:
        return InputError(f"--since and --sample leave none of the {counts.left_out} turns of the log")
    return broken.no_turn()
