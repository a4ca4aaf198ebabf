"""How often a query meets the rows of one of its tables."""

from stef.gold.validate.subject import Gold
from stef.records.result import Result
from stef.sql.rewrite import rows_and_keys


def meets_twice(gold: Gold, source: str) -> tuple[int, int] | None:
    """The rows that the outermost SELECT meets and the different keys of one table among them, where a key repeats.

    `source` is the table's key in the Spec. None where no key repeats, and where that cannot be told: the table has no
    key of one column, or is read more than once.
    """
    table = gold.place.table(source.partition("#")[0]) if gold.place is not None else None
    if gold.place is None or table is None or len(table.primary_key) != 1:
        return None
    sql = rows_and_keys(gold.sql, gold.dialect, table.name, table.primary_key[0])
    executed = None if sql is None else gold.place.run(sql)
    if not isinstance(executed, Result) or executed.rows != 1:
        return None
    rows, keys = (next(iter(column)) for column in executed.columns)
    return (rows, keys) if isinstance(rows, int) and isinstance(keys, int) and rows > keys > 0 else None
