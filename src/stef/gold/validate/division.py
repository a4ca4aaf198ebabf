"""A division of whole numbers that loses its fraction, seen in the answer."""

from collections.abc import Iterator

from stef.gold.exact import exact_match
from stef.gold.validate.checks import Needs
from stef.gold.validate.orphans import in_words
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Subject
from stef.gold.values import NotComparableError
from stef.records.result import Result
from stef.sql.rewrite import with_real_division

NAME = "whole_division"
TITLE = "a division loses its fraction"
NEEDS = Needs.DATABASE


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each query whose answer is another one where divisions keep their fraction."""
    for gold in subject.golds:
        sql = with_real_division(gold.sql, gold.dialect) if gold.result is not None else None
        mended = gold.place.run(sql) if sql is not None and gold.place is not None else None
        if not isinstance(mended, Result) or gold.result is None or sql is None:
            continue
        try:
            changed = exact_match(gold.result, mended, tolerance=subject.case.tolerance) is False
        except NotComparableError:
            continue
        if changed:
            yield Remark(
                NAME,
                Severity.DOUBTS,
                f"{subject.which(gold)}divides whole numbers, and the fraction is lost: the answer is "
                f"{in_words(gold.result)}, with the fraction {in_words(mended)}",
                "make one side real, as proposed; or round on purpose",
                gold.index,
                sql,
            )
