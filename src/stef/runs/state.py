"""What became of a turn, as comparisons and monitoring count it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from stef.records.reasons import UnscoredKind


class State(StrEnum):
    """What became of a turn, or of one side of a pair."""

    SCORED = "scored"
    UNREADABLE = "unreadable"  # the agent's SQL could not be read
    DECLINED = "declined"  # the agent declined, or asked back
    UNKNOWN = "unknown"  # stef's own reason, or undecided: nothing is said of the agent


def state_of(row: Mapping[str, Any]) -> State:
    """The state of a row of `turns/`, by its columns `score` and `unscored_kind`."""
    if row["score"] is not None:
        return State.SCORED
    match row["unscored_kind"]:
        case UnscoredKind.AGENT:
            return State.UNREADABLE
        case UnscoredKind.BEHAVIOUR:
            return State.DECLINED
        case _:
            return State.UNKNOWN
