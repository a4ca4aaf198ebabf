"""The keys of tables, and how often a query meets the rows of one."""

from stef.gold.validate.constants import full_name
from stef.gold.validate.place import Place
from stef.gold.validate.subject import Gold
from stef.records.live import LiveTable
from stef.records.result import Result
from stef.sql.probes import rows_and_values
from stef.sql.rewrite import rows_and_keys

_FEWEST_ROWS = 3


def key_of(place: Place, table: LiveTable) -> str | None:
    """The column that tells a table's rows apart: its declared key of one column, else the first that is named like a
    key and has another value in every row. Looked up once."""
    if table.primary_key:
        return table.primary_key[0] if len(table.primary_key) == 1 else None
    known: dict[str, str | None] = place.memory.setdefault("keys", {})
    if table.name not in known:
        named = (column.name for column in table.columns if _is_named_key(column.name))
        known[table.name] = next((name for name in named if _is_unique(place, table, name)), None)
    return known[table.name]


def _is_named_key(name: str) -> bool:
    return name.casefold() == "id" or name.casefold().endswith(("id", "key"))


def _is_unique(place: Place, table: LiveTable, column: str) -> bool:
    executed = place.run(rows_and_values(full_name(table), column, place.dialect))
    if not isinstance(executed, Result) or executed.rows != 1:
        return False
    rows, values = (next(iter(one)) for one in executed.columns)
    return bool(rows == values and rows >= _FEWEST_ROWS)


def meets_twice(gold: Gold, source: str) -> tuple[int, int] | None:
    """The rows that the outermost SELECT meets in groups where a key of one table repeats, and the keys among them.

    `source` is the table's key in the Spec. None where no key repeats in a group, and where that cannot be told: the
    table has no key of one column, or is read more than once.
    """
    place = gold.place
    table = place.table(source.partition("#")[0]) if place is not None else None
    key = key_of(place, table) if place is not None and table is not None else None
    if place is None or table is None or key is None:
        return None
    sql = rows_and_keys(gold.sql, gold.dialect, table.name, key)
    executed = None if sql is None else place.run(sql)
    if not isinstance(executed, Result) or executed.cut is not None:
        return None
    groups = zip(*executed.columns, strict=True)
    twice = [(rows, keys) for rows, keys in groups if isinstance(rows, int) and isinstance(keys, int) and rows > keys]
    return (sum(rows for rows, _ in twice), sum(keys for _, keys in twice)) if twice else None
