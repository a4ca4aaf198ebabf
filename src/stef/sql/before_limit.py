"""A query as it is before its LIMIT, with the keys that it sorts by: what is needed to see ties at the cut."""

from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from stef.records.reading import Unreadable
from stef.sql.parse import parse

KEY = "stef_sort_key"


@dataclass(frozen=True, slots=True)
class BeforeLimit:
    """The query without LIMIT and OFFSET, its sort keys as `keys` further columns at the end, and its cut."""

    sql: str
    keys: int
    limit: int | None
    offset: int


def before_limit(sql: str, dialect: str | None) -> BeforeLimit | None:
    """The query in `sql` before its LIMIT. None where its outermost SELECT does not order, or where it cannot be told.

    It cannot be told for set operations, for a LIMIT that is no constant, and where DISTINCT hides a sort key. No text
    makes it raise.
    """
    parsed = parse(sql, dialect)
    if isinstance(parsed, Unreadable):
        return None
    tree = parsed.tree.copy()
    order = tree.args.get("order") if isinstance(tree, exp.Select) else None
    if not isinstance(tree, exp.Select) or order is None:
        return None
    cut = _cut(tree)
    keys = _keys(tree, order)
    if cut is None or keys is None:
        return None
    for name in ("limit", "offset"):
        tree.set(name, None)
    for number, key in enumerate(keys):
        tree.append("expressions", exp.alias_(key, f"{KEY}_{number}"))
    try:
        return BeforeLimit(tree.sql(dialect=parsed.dialect, comments=False), len(keys), *cut)
    except (SqlglotError, RecursionError):
        return None


def _cut(tree: exp.Select) -> tuple[int | None, int] | None:
    """LIMIT and OFFSET as numbers; None where one is something else."""
    limit, offset = tree.args.get("limit"), tree.args.get("offset")
    start = 0 if offset is None else _number(offset.expression)
    if limit is None:
        return None if start is None else (None, start)
    options = limit.args.get("limit_options")
    if limit.args.get("expressions") or (options and (options.args.get("percent") or options.args.get("with_ties"))):
        return None
    most = _number(limit.args.get("count") if isinstance(limit, exp.Fetch) else limit.expression)
    return None if start is None or most is None else (most, start)


def _number(node: exp.Expr | None) -> int | None:
    return int(node.name) if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit() else None


def _keys(tree: exp.Select, order: exp.Expr) -> list[exp.Expr] | None:
    """The expressions that stand in ORDER BY, with aliases and ordinals resolved to what they stand for."""
    shown = {one.unalias() for one in tree.selects}
    aliases = {one.alias.casefold(): one.unalias() for one in tree.selects if isinstance(one, exp.Alias)}
    keys = []
    for ordered in order.expressions:
        key = ordered.this
        if isinstance(key, exp.Literal):
            place = _number(key)
            if place is None or not 0 < place <= len(tree.selects) or tree.is_star:
                return None
            key = tree.selects[place - 1].unalias()
        elif isinstance(key, exp.Column) and not key.table:
            key = aliases.get(key.name.casefold(), key)
        if tree.args.get("distinct") and key not in shown:
            return None
        keys.append(key.copy())
    return keys
