"""Rules over the gold's SQL: joins, aggregates, conditions that look wrong whatever was asked."""

from collections.abc import Iterator

from stef.gold.validate.checks import Needs
from stef.gold.validate.judged import assessed
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Subject

NAME = "lint"
TITLE = "a rule doubts the SQL itself"
NEEDS = Needs.JUDGE

_OF_SQL = ("S13", "S4", "S5", "S6")


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each finding on the SQL alone."""
    for gold in subject.golds:
        seen = assessed(subject, gold)
        for finding in seen.findings if seen is not None else ():
            if finding.code.startswith(_OF_SQL):
                yield Remark(
                    NAME,
                    Severity.DOUBTS,
                    f"{subject.which(gold)}{finding.code} {finding.title}: {finding.detail}",
                    f"`stef findings {finding.code}` says why",
                    gold.index,
                    facts={"code": finding.code},
                )
