"""A LIMIT that cuts through rows that tie: which of them stands in the answer is left to the database."""

from collections.abc import Iterator
from itertools import groupby

from stef.gold.exact import table_of, ties
from stef.gold.ranked import Ranked, ranked_by
from stef.gold.validate.checks import Needs
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject
from stef.gold.values import NotComparableError
from stef.records.case import Tolerance
from stef.sql.rewrite import with_tie_breakers

NAME = "ties"
TITLE = "rows tie where LIMIT cuts"
NEEDS = Needs.DATABASE


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each query whose LIMIT or OFFSET cuts through different rows that are one in all sort keys."""
    for gold in subject.golds:
        if gold.result is None or gold.place is None or gold.resolved is None or not gold.resolved.ordered:
            continue
        if gold.resolved.limit is None and gold.resolved.offset is None:
            continue
        ranked = ranked_by(gold.sql, gold.dialect, gold.place.run)
        cut = None if ranked is None else cut_through(ranked, subject.case.tolerance)
        if cut is not None:
            yield _tied(subject, gold, *cut)


def _tied(subject: Subject, gold: Gold, tied: int, places: int, key: str) -> Remark:
    return Remark(
        NAME,
        Severity.DOUBTS,
        f"{subject.which(gold)}cuts through a tie: {tied:,} rows tie ({key}) for {places:,} "
        f"{'place' if places == 1 else 'places'}; which of them is shown is chance",
        "say in question and query which one counts, or ask for all of them",
        gold.index,
        with_tie_breakers(gold.sql, gold.dialect),
        {"tied": tied, "places": places},
    )


def cut_through(ranked: Ranked, tolerance: Tolerance) -> tuple[int, int, str] | None:
    """How many rows tie at the cut, for how many places, and at what; None where the cut divides no tie.

    Rows that tie and show the same are one to the reader: they do not count.
    """
    try:
        whole = table_of(ranked.result)
    except NotComparableError:
        return None
    if whole.cut:
        return None
    end = whole.rows if ranked.limit is None else min(whole.rows, ranked.offset + ranked.limit)
    keys = whole.columns[ranked.width :]
    shown = list(zip(*whole.columns[: ranked.width], strict=True))
    first = 0
    for _, group in groupby(ties(keys, whole.rows, tolerance)):
        last = first + len(list(group))
        places = min(last, end) - max(first, ranked.offset)
        if 0 < places < last - first and len(set(shown[first:last])) > 1:
            return (
                last - first,
                places,
                ", ".join(repr(column[first])[:30] for column in ranked.result.columns[ranked.width :]),
            )
        first = last
    return None
