"""A join of two columns whose names have nothing to do with each other.

What it sees: two columns of two tables set equal, where neither name shares a word with the other, or with the other's
table; a plain `id` or `code` goes with what is named after its table. A table's own key goes with any key that may name
its rows by a role (`employee_id = support_rep_id`, `users.id = created_by`), unless the query shows whose key that is.

Why it is bad: the values meet by chance, or never, and the rows that come together do not belong together.

Example: `SELECT t.city FROM towns t JOIN tours o ON t.town_id = o.guide`

Right: `SELECT t.city FROM towns t JOIN tours o ON t.town_id = o.town_id`
"""

from collections.abc import Iterator
from functools import lru_cache

from stef.findings.context import Context
from stef.findings.shapes import entity_of, own_key, table_of, unfit
from stef.question.words import name_stems, tie
from stef.records.assessment import Finding
from stef.records.expressions import Column

CODE = "S415"
TITLE = "joined columns have nothing in common"
NEEDS = ("joined",)

_PLAIN = frozenset({("id",), ("uid",), ("code",)})
_AKIN = 0.45
_WHO = frozenset({"by", "to"})
"""How a name ends that points to somebody, without a word for a key: created_by, reports_to."""


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such join."""
    for left, right in context.joined:
        if left.name == right.name or unfit(left, right) or _are_akin(*_described(left), *_described(right)):
            continue
        if not _is_role(left, right, context) and not _is_role(right, left, context):
            yield Finding(CODE, TITLE, f"{left.name} = {right.name}", sql_span=left.span)


def _is_role(key: Column, role: Column, context: Context) -> bool:
    """Whether `key` is its own table's, and `role` may name the rows of that table by what they are to another."""
    if not own_key(key.name, table_of(key.sources[0])):
        return False
    stems = name_stems(role.name)
    if len(stems) > 1 and stems[-1] in _WHO:
        return True
    entity = entity_of(role.name)
    if not entity or _has_table(entity, context):
        return False
    return not _meets_its_like(role, context)


def _has_table(entity: tuple[str, ...], context: Context) -> bool:
    return any(name_stems(table_of(table)) == entity for table in context.done.tables)


def _meets_its_like(role: Column, context: Context) -> bool:
    """Whether the query joins this column to one of the same name too: then it is that one's key, not a role."""
    return any(left.name == right.name == role.name for left, right in context.joined)


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
