"""The answer depends on today's date, or on chance."""

from collections.abc import Iterator

from stef.gold.validate.checks import Needs
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Subject
from stef.sql.volatile import draws_lots, reads_clock

NAME = "today"
TITLE = "the answer depends on the day, or on chance"
NEEDS = Needs.NOTHING


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each query that reads the clock or draws lots."""
    for gold in subject.golds:
        which = subject.which(gold)
        if clock := reads_clock(gold.sql, gold.dialect):
            yield Remark(
                NAME,
                Severity.DOUBTS,
                f"{which}depends on today's date: {clock}",
                "write the date, so that the answer stays; the question has to say it too",
                gold.index,
                facts={"expression": clock},
            )
        if lots := draws_lots(gold.sql, gold.dialect):
            yield Remark(
                NAME,
                Severity.FAILS,
                f"{which}depends on chance: {lots}",
                "order by something that stays",
                gold.index,
                facts={"expression": lots},
            )
