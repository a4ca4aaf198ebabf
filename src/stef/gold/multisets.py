"""Rows and columns as multisets."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeAlias

Column: TypeAlias = Sequence[Any]
Columns: TypeAlias = Sequence[Column]
Row: TypeAlias = tuple[Any, ...]


def same_multiset(left: Iterable[Hashable], right: Iterable[Hashable]) -> bool:
    """Are the same things on both sides, each as often?"""
    return dict.__eq__(Counter(left), Counter(right))  # Counter's own == runs in Python


def rows_of(columns: Columns) -> Iterable[Any]:
    """The rows of columns, one hashable thing a row."""
    return columns[0] if len(columns) == 1 else zip(*columns, strict=True)


def same_rows(left: Columns, right: Columns) -> bool:
    """Do columns of the same length hold the same rows, each as often?"""
    distinct = set(rows_of(left))
    if distinct != set(rows_of(right)):
        return False
    # Sets cost half of what counting does, and where all rows differ they say it all.
    return len(distinct) == len(left[0]) or same_multiset(rows_of(left), rows_of(right))


def sums_alike(left: Columns, right: Columns) -> bool:
    """Do the hashes of the rows add up to the same? Rows that are the same multiset do, others hardly ever."""
    return sum(map(hash, rows_of(left))) == sum(map(hash, rows_of(right)))
