"""Whether two results are one answer, decided a second time and in the plainest way.

The self-check needs to know whether a mutant changed the answer without asking the scorer that is under test. This is
exponential in the number of columns, knows no ties and no near misses, and serves for small results only.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from itertools import permutations
from typing import Any

from stef.records.case import Case
from stef.records.result import Executed, Failure, Result

_DIGITS = 7
"""Significant digits of a number that is not whole: what a query adds up in another order differs far behind them."""


def same_answer(case: Case, gold: Result, given: Executed, *, ordered: bool) -> bool:
    """Does `given` hold the ids of `gold`, where the case is compared on them, else its rows, columns in any order?"""
    if isinstance(given, Failure):
        return False
    shape, _, name = (case.compare_on or "").partition(":")
    if shape == "id_set":
        ids = set(map(_plain, gold.columns[gold.names.index(name)]))
        return any(set(map(_plain, column)) == ids for column in given.columns)
    if len(given.columns) != len(gold.columns):
        return False
    wanted = _rows(gold.columns)
    tried = (_rows(columns) for columns in permutations(given.columns))
    return any(rows == wanted if ordered else Counter(rows) == Counter(wanted) for rows in tried)


def _rows(columns: Iterable[Sequence[Any]]) -> list[tuple[Hashable, ...]]:
    return list(zip(*(map(_plain, column) for column in columns), strict=True))


def _plain(value: Any) -> Hashable:
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return float(f"{value:.{_DIGITS}g}") if value % 1 else float(value)
    return str(value)
