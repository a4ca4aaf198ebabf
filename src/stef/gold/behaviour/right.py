"""What is right for a case, as far as the outcome of the turn decides it."""

from stef.records.case import Case, CaseKind, Expected
from stef.records.gold import Outcome

_REFUSALS = (Expected.DECLINE, Expected.UNSUPPORTED)
OUTCOME = "outcome"
"""The key of `expect` that says what is right in place of an answer, where it also holds expectations of stages."""


def expected_of(case: Case) -> Expected:
    """What is right for the case: an answer (for one of several readings, too), asking back, or a refusal.

    An unanswerable case that accepts asking back is one to decline; an ambiguous one that accepts it may be answered
    as well.
    """
    said = _said(case)
    if case.kind is CaseKind.UNANSWERABLE:
        return said if said in _REFUSALS else Expected.DECLINE
    return said or Expected.ANSWER


def expects_answer(case: Case) -> bool:
    """Whether an answer can be right for the case, so that golds are compared."""
    expected = expected_of(case)
    if expected is Expected.CLARIFY:
        return case.kind is CaseKind.AMBIGUOUS and bool(case.gold_sql)
    return expected is Expected.ANSWER


def accepts_clarifying(case: Case) -> bool:
    """Whether asking back is right, be it beside something else."""
    return _said(case) is Expected.CLARIFY


def right_outcome(case: Case, outcome: Outcome) -> bool | None:
    """Whether the outcome alone is right or wrong; None where the answer decides.

    Declining is right where nothing can be answered, as is a query whose words say so; asking back only where the case
    accepts it; a failure never.
    """
    if outcome is Outcome.CLARIFIED:
        return accepts_clarifying(case)
    if outcome in {Outcome.ANSWERED, Outcome.FELL_BACK} and expects_answer(case):
        return None
    expected = expected_of(case)
    # A question that only needs clearing up may not be turned down.
    declined = outcome in {Outcome.DECLINED, Outcome.FELL_BACK} and expected in _REFUSALS
    return declined or (outcome is Outcome.SMALL_TALK and expected is Expected.UNSUPPORTED)


def _said(case: Case) -> Expected | None:
    """What the case says in so many words."""
    if not isinstance(case.expect, dict):
        return case.expect
    word = case.expect.get(OUTCOME)
    return Expected(word) if isinstance(word, str) and word in set(Expected) else None
