"""`--fail-on`: what ends a command with exit code 1, when the user asks for it."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import assert_never

from stef.errors import UserError
from stef.runs.monitor.model import Monitored
from stef.runs.monitor.words import sentence


class FailOn(StrEnum):
    """A gate."""

    DRIFT = "drift"  # the last change of scores, readable SQL or declined turns is for the worse
    NEW_DRIFT = "new-drift"  # … and the alarm was raised in the last period
    QUESTIONS = "questions"  # what is asked drifts


def read_gates(texts: Sequence[str]) -> tuple[FailOn, ...]:
    """The gates of these names. Raises UserError for an unknown one."""
    known = {gate.value: gate for gate in FailOn}
    unknown = [text for text in texts if text not in known]
    if unknown:
        raise UserError(f"--fail-on {unknown[0]}: no such gate; there are {', '.join(known)}")
    return tuple(known[text] for text in dict.fromkeys(texts))


def failures(gates: Sequence[FailOn], found: Monitored) -> list[str]:
    """Why each gate fails, in words; only the series that go on are looked at."""
    return [f"{gate.value}: {one}" for gate in gates for one in _failures(gate, found)]


def _failures(gate: FailOn, found: Monitored) -> Iterator[str]:
    for each in found.current:
        lead = f"{each.name}: " if each.name else ""
        last = each.periods[-1].period
        match gate:
            case FailOn.DRIFT:
                yield from (f"{lead}{sentence(change, {})}" for change in each.standing)
            case FailOn.NEW_DRIFT:
                yield from (f"{lead}{sentence(change, {})}" for change in each.standing if change.raised == last)
            case FailOn.QUESTIONS:
                yield from (f"{lead}{one.figure} from {one.since.label} on" for one in each.question_changes)
            case _:
                assert_never(gate)
