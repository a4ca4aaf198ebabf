"""A LIMIT without an order: which rows stand in the answer is left to the database."""

from collections.abc import Iterator

from stef.gold.validate.checks import Needs
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject
from stef.records.result import Result
from stef.sql.rewrite import without_limit

NAME = "unordered_limit"
TITLE = "LIMIT without an order"
NEEDS = Needs.NOTHING


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each query that keeps some rows of an unordered answer; with a database, where it loses any."""
    for gold in subject.golds:
        resolved = gold.resolved
        if resolved is None or resolved.ordered or resolved.scalar:
            continue
        if (resolved.limit is None and not resolved.offset) or not _loses_rows(gold):
            continue
        yield Remark(
            NAME,
            Severity.DOUBTS,
            f"{subject.which(gold)}keeps {resolved.limit or 'some'} rows of an answer in no order",
            "order it by what the question asks for, or take the LIMIT away",
            gold.index,
        )


def _loses_rows(gold: Gold) -> bool:
    if gold.result is None or gold.place is None:
        return True
    whole = without_limit(gold.sql, gold.dialect)
    executed = None if whole is None else gold.place.run(whole)
    return not isinstance(executed, Result) or executed.rows > gold.result.rows
