"""Do two answers to one question say the same?"""

from collections import Counter

from stef.gold.exact import Table, exact_match, table_of
from stef.gold.multisets import same_rows
from stef.records.result import Result


def agree(one: Result, other: Result) -> bool | None:
    """Whether two results hold the same rows, in any order of rows and columns; further columns of one do not count.

    None where it cannot be told, as one was cut. Raises NotComparableError.
    """
    left, right = table_of(one), table_of(other)
    if len(left.columns) == len(right.columns):
        return exact_match(left, right)
    if left.cut or right.cut:
        return None
    narrow, wide = sorted((left, right), key=lambda table: len(table.columns))
    return narrow.rows == wide.rows and _within(narrow, wide)


def _within(narrow: Table, wide: Table) -> bool:
    free = [(column, Counter(column)) for column in wide.columns]
    chosen = []
    for column in narrow.columns:
        values = Counter(column)
        place = next((place for place, (_, counted) in enumerate(free) if counted == values), None)
        if place is None:
            return False
        chosen.append(free.pop(place)[0])
    return same_rows(list(narrow.columns), chosen)
