"""A join of two columns whose names have nothing to do with each other.

What it sees: two columns of two tables set equal, where neither name shares a word with the other, or with the other's
table; a plain `id` or `code` goes with what is named after its table.

Why it is bad: the values meet by chance, or never, and the rows that come together do not belong together.

Example: `SELECT t.city FROM towns t JOIN tours o ON t.town_id = o.guide`

Right: `SELECT t.city FROM towns t JOIN tours o ON t.town_id = o.town_id`
"""

from collections.abc import Iterator
from functools import lru_cache

from stef.findings.context import Context
from stef.findings.shapes import table_of, unfit
from stef.question.words import name_stems, tie
from stef.records.assessment import Finding
from stef.records.expressions import Column

CODE = "S415"
TITLE = "joined columns have nothing in common"
NEEDS = ("joined",)

_PLAIN = frozenset({("id",), ("uid",), ("code",)})
_AKIN = 0.45


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such join."""
    for left, right in context.joined:
        if left.name != right.name and not unfit(left, right) and not _are_akin(*_described(left), *_described(right)):
            yield Finding(CODE, TITLE, f"{left.name} = {right.name}", sql_span=left.span)


def _described(column: Column) -> tuple[str, str]:
    return column.name, table_of(column.sources[0])


@lru_cache(maxsize=16_384)
def _are_akin(left: str, left_table: str, right: str, right_table: str) -> bool:
    """Whether one name speaks of the other, or of the other's table."""
    one, other = name_stems(left), name_stems(right)
    one_table, other_table = name_stems(left_table), name_stems(right_table)
    if one in _PLAIN and other in _PLAIN:
        return True
    ties = [tie(one, other), tie(one, other_table), tie(other, one_table)]
    ties += [tie(one, other_table + other), tie(other, one_table + one)]
    if one in _PLAIN:
        ties.append(tie(other, one_table))
    if other in _PLAIN:
        ties.append(tie(one, other_table))
    return max(ties) >= _AKIN
