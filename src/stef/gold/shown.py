"""The rows that the user saw: as a result of their own, and whether they lack rows only because answers are cut."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from stef.gold.values import canonical
from stef.records.result import Result


def shown_result(rows: Sequence[Mapping[str, Any]]) -> Result:
    """The rows of a turn as a Result, its columns in the order in which they first appear; a missing one is NULL."""
    names = tuple(dict.fromkeys(name for row in rows for name in row))
    columns = tuple([row.get(name) for row in rows] for name in names)
    return Result(names, columns, len(rows))


def is_display_cap(shown: Result, full: Result) -> bool:
    """Whether `shown` is `full` with rows missing and nothing else: its columns, and only rows that `full` has."""
    if not 0 < shown.rows < full.rows or len(shown.columns) != len(full.columns):
        return False
    return not Counter(_rows(shown)) - Counter(_rows(full))


def _rows(result: Result) -> list[tuple[Hashable, ...]]:
    # What was shown has been through JSON, where dates and decimals are text.
    columns = [[_as_shown(value) for value in canonical(column)] for column in result.columns]
    return list(zip(*columns, strict=True))


def _as_shown(value: Hashable) -> Hashable:
    return value if value is None else str(value).removesuffix(" 00:00:00").removesuffix(".0")
