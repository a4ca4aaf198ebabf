"""From a cursor to columns, within the limits."""

import time
from collections.abc import Sequence
from typing import Any, Protocol

from stef.databases.protocol import Limits
from stef.records.result import Cut

CHUNK = 500
"""Rows fetched at once. They become parts of columns before the next come, so that rows and columns are never both held
whole; below 700 they never make Python's collector look at all that is held, which would double the time."""


class Cursor(Protocol):
    """The part of a DB-API cursor that fetching needs."""

    def fetchmany(self, size: int, /) -> Sequence[Sequence[Any]]: ...  # noqa: D102


class OutOfTimeError(Exception):
    """The time ran out while rows were fetched."""


Fetched = tuple[tuple[Sequence[Any], ...], int, Cut | None]


def fetch(cursor: Cursor, width: int, limits: Limits, deadline: float, chunk: int = CHUNK) -> Fetched:
    """The columns, the number of rows, and what cut them; raises OutOfTimeError past `deadline` (time.monotonic)."""
    by_cells = limits.cells // width if width else limits.rows
    most = min(limits.rows, by_cells)
    # One row more than wanted tells whether there is more.
    rows = cursor.fetchmany(min(chunk, most + 1))
    count = len(rows)
    if count <= most and count < chunk:
        return tuple(zip(*rows, strict=True)) if rows else ((),) * width, count, None
    columns: tuple[list[Any], ...] = tuple([] for _ in range(width))
    while True:
        kept = rows[: most - count + len(rows)] if count > most else rows
        for column, part in zip(columns, zip(*kept, strict=True), strict=False):
            column.extend(part)
        if count > most:
            return columns, most, Cut.ROW_LIMIT if limits.rows <= by_cells else Cut.CELL_BUDGET
        if time.monotonic() > deadline:
            raise OutOfTimeError
        rows = cursor.fetchmany(min(chunk, most + 1 - count))
        if not rows:
            return columns, count, None
        count += len(rows)
