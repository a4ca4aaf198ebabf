"""Rows that repeat because a join multiplies them."""

from collections.abc import Iterator

from stef.alignment.facts import columns_of
from stef.gold.validate.checks import Needs
from stef.gold.validate.keys import meets_twice
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject
from stef.gold.values import NotComparableError, canonical
from stef.records.spec import Select
from stef.sql.rewrite import with_distinct

NAME = "repeated_rows"
TITLE = "a join repeats rows of the answer"
NEEDS = Needs.DATABASE


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each query that joins, groups nothing, and shows a row more than once."""
    for gold in subject.golds:
        result, resolved = gold.result, gold.resolved
        if result is None or resolved is None or resolved.distinct or resolved.grouped or not _repeats(gold):
            continue
        try:
            rows = list(zip(*map(canonical, result.columns), strict=True))
        except NotComparableError:
            continue
        distinct = len(set(rows))
        if distinct < len(rows) and (sql := with_distinct(gold.sql, gold.dialect)):
            yield Remark(
                NAME,
                Severity.DOUBTS,
                f"{subject.which(gold)}shows {len(rows):,} rows, {distinct:,} different ones: a join repeats them",
                "say DISTINCT where each is meant once, or `compare_on: id_set` where repeats do not count",
                gold.index,
                sql,
                {"rows": len(rows), "distinct": distinct},
            )


def _repeats(gold: Gold) -> bool:
    """Whether the join meets rows of a table that is shown more than once: namesakes are no repetition."""
    spec = gold.reading.spec
    if not isinstance(spec, Select) or len(spec.sources) < 2 or any(source.query for source in spec.sources):
        return False
    shown = {column.sources for one in spec.projections for column in columns_of(one.expr) if len(column.sources) == 1}
    return any(meets_twice(gold, source) is not None for (source,) in sorted(shown))
