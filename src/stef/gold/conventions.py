"""How the two best-known public benchmarks compare results, beside stef's own exact match.

Values are canonical, so that no cell crashes and NULL is NULL; there is no tolerance.
"""

from dataclasses import replace

from stef.gold.exact import Order, Table, exact_match, tables
from stef.gold.multisets import rows_of
from stef.records.case import Tolerance
from stef.records.result import Result

_EXACT = Tolerance(relative=0, absolute=0)


def bird_ex(reference: Result | Table, candidate: Result | Table) -> bool | None:
    """BIRD's execution accuracy: equal *sets* of rows, columns in their places. Order and duplicates do not count.

    None where a result was cut. Raises NotComparableError.
    """
    left, right = tables(reference, candidate)
    if left.cut or right.cut:
        return None
    if not left.rows or not right.rows:
        return left.rows == right.rows
    return len(left.columns) == len(right.columns) and set(rows_of(left.columns)) == set(rows_of(right.columns))


def spider_ex(reference: Result | Table, candidate: Result | Table, *, ordered: bool) -> bool | None:
    """Spider's test suite: the same multiset of rows in any order of columns, and row by row where the gold orders.

    Names have no meaning, ties have none either, and two results without rows are equal whatever their columns. Where
    that suite looks for the words ORDER BY anywhere in the gold, `ordered` is about its outermost query; DISTINCT
    stays in both. None as for `exact_match`. Raises NotComparableError.
    """
    left, right = tables(reference, candidate)
    if not left.rows and not right.rows:
        return True
    one, other = (replace(side, names=("",) * len(side.names)) for side in (left, right))
    return exact_match(one, other, order=Order() if ordered else None, tolerance=_EXACT)
