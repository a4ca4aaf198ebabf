"""Why a turn has no score. A reason is never a number, and the three kinds are never mixed."""

from enum import StrEnum
from typing import assert_never


class UnscoredReason(StrEnum):
    """Why a turn is unscored."""

    UNPARSABLE = "unparsable"
    NOT_SQL = "not_sql"
    NOT_A_QUERY = "not_a_query"
    SEVERAL_STATEMENTS = "several_statements"
    EMPTY = "empty"
    TOO_LARGE = "too_large"
    DECLINED = "declined"
    CLARIFIED = "clarified"
    JUDGE_UNAVAILABLE = "judge_unavailable"
    JUDGE_REPLY_INVALID = "judge_reply_invalid"
    QUESTION_NOT_READABLE = "question_not_readable"
    BUDGET = "budget"
    HARNESS_FAULT = "harness_fault"


class UnscoredKind(StrEnum):
    """Whose reason it is: the agent's SQL, the agent's behaviour, or stef itself."""

    AGENT = "agent"
    BEHAVIOUR = "behaviour"
    STEF = "stef"


def kind_of(reason: UnscoredReason) -> UnscoredKind:
    """The kind that `reason` belongs to."""
    match reason:
        case (
            UnscoredReason.UNPARSABLE
            | UnscoredReason.NOT_SQL
            | UnscoredReason.NOT_A_QUERY
            | UnscoredReason.SEVERAL_STATEMENTS
            | UnscoredReason.EMPTY
            | UnscoredReason.TOO_LARGE
        ):
            return UnscoredKind.AGENT
        case UnscoredReason.DECLINED | UnscoredReason.CLARIFIED:
            return UnscoredKind.BEHAVIOUR
        case (
            UnscoredReason.JUDGE_UNAVAILABLE
            | UnscoredReason.JUDGE_REPLY_INVALID
            | UnscoredReason.QUESTION_NOT_READABLE
            | UnscoredReason.BUDGET
            | UnscoredReason.HARNESS_FAULT
        ):
            return UnscoredKind.STEF
        case _:
            assert_never(reason)
