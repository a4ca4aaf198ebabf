"""What is right for a case, as far as the outcome of the turn decides it."""

from stef.records.case import Case, CaseKind, Expected
from stef.records.gold import Outcome

_REFUSALS = (Expected.DECLINE, Expected.UNSUPPORTED)


def expects_answer(case: Case) -> bool:
    """Whether an answer can be right for the case, so that golds are compared."""
    if case.kind is CaseKind.UNANSWERABLE:
        return False
    if case.kind is CaseKind.AMBIGUOUS:
        return case.expect not in _REFUSALS
    return not isinstance(case.expect, Expected) or case.expect is Expected.ANSWER


def right_outcome(case: Case, outcome: Outcome) -> bool | None:
    """Whether the outcome alone is right or wrong; None where the answer decides.

    Declining is right where nothing can be answered, asking back only where the case accepts it, and a failure never.
    """
    accepts_clarifying = case.expect is Expected.CLARIFY
    if expects_answer(case):
        if outcome is Outcome.ANSWERED:
            return None
        return outcome is Outcome.CLARIFIED and accepts_clarifying
    if outcome is Outcome.CLARIFIED:
        return accepts_clarifying
    # A question that only needs clearing up may not be turned down.
    declinable = case.kind is CaseKind.UNANSWERABLE or case.expect in _REFUSALS
    return outcome is Outcome.DECLINED and declinable
