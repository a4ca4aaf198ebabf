"""Ties: which answers a query with ORDER BY and LIMIT may give.

A query that keeps the first row of two that tie may keep either, and a database that shows one of them today may show
the other tomorrow. Where the rows before the LIMIT are known, with the keys that they are sorted by (shown or not), any
answer that the query may give is right.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, product

from stef.gold.exact import Table, namesakes, table_of, ties
from stef.gold.multisets import Columns, Row
from stef.gold.near import is_inexact, near
from stef.gold.values import NotComparableError
from stef.records.case import Tolerance
from stef.records.result import Executed, Failure, Result
from stef.sql.before_limit import before_limit

ORDERS = 720  # orders of columns that are tried


@dataclass(frozen=True, slots=True)
class Ranked:
    """The rows of an ordered query before its LIMIT, in their order.

    The first `width` columns are the query's own, what follows are the keys of its ORDER BY; its answer are `limit`
    rows (None: all) from row `offset` on.
    """

    result: Result
    width: int
    limit: int | None = None
    offset: int = 0


def ranked_by(sql: str, dialect: str | None, run: Callable[[str], Executed]) -> Ranked | None:
    """The rows of the ordered query in `sql` before its LIMIT; `run` runs a query. None where there is no telling."""
    before = before_limit(sql, dialect)
    if before is None:
        return None
    executed = run(before.sql)
    if isinstance(executed, Failure):
        return None
    return Ranked(executed, len(executed.columns) - before.keys, before.limit, before.offset)


@dataclass(frozen=True, slots=True)
class _Run:
    """Rows that tie, and how many of them stand in the answer: all, or fewer where LIMIT or OFFSET cuts the run."""

    rows: Counter[Row]
    shown: int

    @property
    def whole(self) -> bool:
        return self.shown == self.rows.total()


def is_possible(candidate: Table, ranked: Ranked, tolerance: Tolerance, *, ordered: bool) -> bool:
    """May the ranked query answer with the candidate's rows? Not `ordered`: their own order does not count."""
    try:
        whole = table_of(ranked.result)
    except NotComparableError:  # of keys that are not shown nothing can be said
        return False
    end = whole.rows if ranked.limit is None else min(whole.rows, ranked.offset + ranked.limit)
    if whole.cut or candidate.cut or len(candidate.columns) != ranked.width or candidate.rows != end - ranked.offset:
        return False
    numbers = ties(whole.columns[ranked.width :], whole.rows, tolerance)
    own = Table(whole.names[: ranked.width], whole.columns[: ranked.width], whole.kinds[: ranked.width], whole.rows)
    rows = list(zip(*own.columns, strict=True))
    runs = list(_runs(rows, numbers, ranked.offset, end))
    for columns in islice(_orders(own, candidate, tolerance), ORDERS):
        found = _snapped(list(zip(*columns, strict=True)), rows, tolerance)
        if _in_order(runs, found) if ordered else _in_any_order(runs, found):
            return True
    return False


def _runs(rows: Sequence[Row], numbers: Sequence[int], start: int, end: int) -> Iterator[_Run]:
    first = 0
    for _, group in groupby(numbers):
        last = first + len(list(group))
        shown = min(last, end) - max(first, start)
        if shown > 0:
            yield _Run(Counter(rows[first:last]), shown)
        first = last


def _in_order(runs: Sequence[_Run], found: Sequence[Row]) -> bool:
    left = iter(found)
    return all(Counter(islice(left, run.shown)) <= run.rows for run in runs)


def _in_any_order(runs: Sequence[_Run], found: Sequence[Row]) -> bool:
    whole = sum((run.rows for run in runs if run.whole), Counter[Row]())
    rest = Counter(found)
    if not whole <= rest:
        return False
    rest -= whole
    # LIMIT and OFFSET cut one run each at most; that each gives its own share is not looked at.
    return rest <= sum((run.rows for run in runs if not run.whole), Counter[Row]())


def _snapped(found: list[Row], rows: Sequence[Row], tolerance: Tolerance) -> list[Row]:
    """The candidate's rows, each that is no row of the query replaced by one that is near to it."""
    known = set(rows)

    def snap(row: Row) -> Row:
        if row in known or not any(map(is_inexact, row)):
            return row
        alike = (other for other in known if all(near(a, b, tolerance) for a, b in zip(other, row, strict=True)))
        return min(alike, key=rows.index, default=row)

    return list(map(snap, found))


def _orders(own: Table, candidate: Table, tolerance: Tolerance) -> Iterable[Columns]:
    """The orders of the candidate's columns that may be the reference's, its own first."""
    named = namesakes(own.names, candidate.names)
    if named is not None:
        return [[candidate.columns[place] for place in named]]
    options = [
        sorted(
            (place for place, column in enumerate(candidate.columns) if _drawn_from(column, pool, tolerance)),
            key=lambda place: (place != own_place, place),
        )
        for own_place, pool in enumerate(own.columns)
    ]
    chosen = (one for one in product(*options) if len(set(one)) == len(one))
    return ([candidate.columns[place] for place in one] for one in chosen)


def _drawn_from(column: Sequence[object], pool: Sequence[object], tolerance: Tolerance) -> bool:
    strangers = set(column).difference(pool)
    return all(is_inexact(one) and any(near(one, other, tolerance) for other in pool) for one in strangers)
