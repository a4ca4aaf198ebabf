"""The gold does not run."""

from collections.abc import Iterator

from stef.gold.validate.checks import Needs
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject
from stef.records.result import Failure, FailureKind

NAME = "runs"
TITLE = "the gold does not run"
NEEDS = Needs.DATABASE

_WAYS = {
    FailureKind.NOT_ONE_QUERY: "write one query that only reads",
    FailureKind.TIMEOUT: "make it faster, or give it more time with --timeout",
    FailureKind.DATABASE_DOWN: "the database is at fault, not the gold: try again",
}


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each query that fails."""
    if subject.away is not None and subject.case.gold_sql:
        yield Remark(NAME, Severity.DOUBTS, f"could not be looked at: {subject.away}", "give the database's right URL")
        return
    for gold in subject.golds:
        if isinstance(gold.executed, Failure):
            yield _failed(subject, gold, gold.executed)


def _failed(subject: Subject, gold: Gold, failure: Failure) -> Remark:
    near = f"near it are {', '.join(failure.near)}" if failure.near else ""
    ours = failure.kind is FailureKind.DATABASE_DOWN
    return Remark(
        NAME,
        Severity.DOUBTS if ours else Severity.FAILS,
        f"{subject.which(gold)}does not run ({failure.kind}): {failure.message}",
        _WAYS.get(failure.kind) or near or "mend the query",
        gold.index,
        facts={"kind": failure.kind.value, "near": list(failure.near)},
    )
