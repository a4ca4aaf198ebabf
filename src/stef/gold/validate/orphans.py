"""Link rows without their parent: the gold's answer counts rows that belong to nothing.

Declared foreign keys say what belongs to what; where a column has none, its name and the values that it shares with
another table's key say it, and the message shows that it was inferred.
"""

from collections.abc import Iterator

from stef.gold.exact import exact_match
from stef.gold.validate.checks import Needs
from stef.gold.validate.links import Orphaned, orphaned
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject
from stef.gold.values import NotComparableError
from stef.records.case import Tolerance
from stef.records.result import Result
from stef.sql.rewrite import without_orphans

NAME = "orphans"
TITLE = "rows without their parent change the answer"
NEEDS = Needs.DATABASE


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each query whose answer is another one without the orphans of the tables that it reads."""
    for gold in subject.golds:
        if gold.result is None or gold.resolved is None or gold.place is None:
            continue
        found = [one for table in sorted(gold.resolved.tables) for one in orphaned(gold.place, table)]
        if found:
            yield from _without(subject, gold, found)


def _without(subject: Subject, gold: Gold, found: list[Orphaned]) -> Iterator[Remark]:
    """The remark for the links that matter: each by itself first, so that the proposal mends no more than it must."""
    matter = [one for one in found if _changes(gold, [one], subject.case.tolerance) is not None]
    chosen = matter or found
    changed = _changes(gold, chosen, subject.case.tolerance)
    if changed is None:
        return
    sql, before, after = changed
    yield Remark(
        NAME,
        Severity.FAILS,
        f"{subject.which(gold)}counts rows without a parent: {'; '.join(map(str, chosen))}. "
        f"Without them the answer is {after}, not {before}",
        "keep them out as proposed, or mend the data",
        gold.index,
        sql,
        {
            "links": [one.to_json() for one in chosen],
            "answer": before,
            "answer_without": after,
        },
    )


def _changes(gold: Gold, links: list[Orphaned], tolerance: Tolerance) -> tuple[str, str, str] | None:
    """The query without these orphans, and both answers in words; None where the answer stays."""
    sql = without_orphans(gold.sql, gold.dialect, [one.link for one in links])
    if sql is None or gold.place is None or gold.result is None:
        return None
    mended = gold.place.run(sql)
    if not isinstance(mended, Result):
        return None
    try:
        if exact_match(gold.result, mended, tolerance=tolerance) is not False:
            return None
    except NotComparableError:
        return None
    return sql, in_words(gold.result), in_words(mended)


def in_words(result: Result) -> str:
    """An answer in a few words: the value of a scalar, else its size."""
    if result.rows == 1 and len(result.columns) == 1:
        text = repr(next(iter(result.columns[0])))
        return text if len(text) <= 60 else text[:59] + "…"
    return f"{result.rows:,} {'row' if result.rows == 1 else 'rows'}"
