"""Rows that repeat because a join multiplies them."""

from collections.abc import Iterator

from stef.gold.validate.checks import Needs
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Subject
from stef.gold.values import NotComparableError, canonical
from stef.sql.rewrite import with_distinct

NAME = "repeated_rows"
TITLE = "a join repeats rows of the answer"
NEEDS = Needs.DATABASE


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each query that joins, groups nothing, and shows a row more than once."""
    for gold in subject.golds:
        result, resolved = gold.result, gold.resolved
        if result is None or resolved is None or resolved.distinct or resolved.grouped or len(resolved.tables) < 2:
            continue
        try:
            rows = list(zip(*map(canonical, result.columns), strict=True))
        except NotComparableError:
            continue
        distinct = len(set(rows))
        if distinct < len(rows) and (sql := with_distinct(gold.sql, gold.dialect)) and resolved.joins:
            yield Remark(
                NAME,
                Severity.NOTES,
                f"{subject.which(gold)}shows {len(rows):,} rows, {distinct:,} different ones: a join repeats them",
                "say DISTINCT where each is meant once, or `compare_on: id_set` where repeats do not count",
                gold.index,
                sql,
                {"rows": len(rows), "distinct": distinct},
            )
