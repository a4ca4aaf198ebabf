"""The answer is not the recorded one any more."""

from collections.abc import Iterator

from stef.gold.validate.checks import Needs
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Subject
from stef.records.gold import Doubt

NAME = "moved"
TITLE = "the answer is not the recorded one"
NEEDS = Needs.DATABASE


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each query whose answer moved, with what moved."""
    recorded = subject.case.recorded_answer
    if recorded is None:
        return
    day = f" ({recorded.recorded:%Y-%m-%d})" if recorded.recorded is not None else ""
    for gold, state in zip(subject.golds, subject.states, strict=True):
        if Doubt.MOVED in state.doubts:
            moved = state.detail.rpartition("; ")[2]
            yield Remark(
                NAME,
                Severity.FAILS,
                f"{subject.which(gold)}gives another answer than recorded{day}: {moved}",
                "find out why the data moved; then record the answer anew with --record",
                gold.index,
            )
