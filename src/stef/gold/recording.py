"""The answer of a gold as it is written down: what a later validation compares with."""

from datetime import date, datetime, time
from decimal import Decimal
from math import isfinite
from typing import Any

from stef.gold.shapes import Known, shape_of
from stef.gold.values import NotComparableError, canonical
from stef.records.case import Case
from stef.records.result import Result

MOST_IDS = 200
"""Ids that are written into a case file; of more, only the number of rows is."""


def answer_to_record(case: Case, result: Result, on: date) -> dict[str, Any] | None:
    """`recorded_answer` as plain data: the value of one cell, else the rows and, where there are ids, the distinct ids.

    None where the answer was cut, or is one value that no case file can hold (bytes, a list).
    """
    day = {"recorded": on}
    if result.cut is not None:
        return None
    if result.rows == 1 and len(result.columns) == 1:
        value = plain(next(iter(result.columns[0])))
        # NULL would read as no value at all; that there is one row is what can be said.
        return None if value is _NONE else ({"rows": 1} if value is None else {"value": value}) | day
    ids = _ids(case, result)
    return {"rows": result.rows} | ({"ids": ids} if ids is not None else {}) | day


_NONE = object()


def plain(value: Any) -> Any:
    """A database's value as a case file holds it: what JSON has, anything else as its text."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, Decimal | datetime | date | time):
        return str(value)
    return _NONE


def _ids(case: Case, result: Result) -> list[Any] | None:
    place = _id_place(case, result)
    if place is None or result.rows > MOST_IDS * 20:
        return None
    try:
        distinct = dict(zip(canonical(result.columns[place]), result.columns[place], strict=True))
    except NotComparableError:
        return None
    ids = [plain(value) for value in distinct.values()]
    if len(ids) > MOST_IDS or any(one is _NONE for one in ids):
        return None
    return sorted(ids, key=lambda one: (one is None, isinstance(one, str), one if one is not None else 0))


def _id_place(case: Case, result: Result) -> int | None:
    """The column of ids: as the case names it, else the first that is called one, else the only one."""
    _, name, _ = shape_of(case, result, Known())
    names = [one.casefold() for one in result.names]
    if name is not None and name.casefold() in names:
        return names.index(name.casefold())
    called = [place for place, one in enumerate(names) if one == "id" or one.endswith("_id")]
    called += [place for place, one in enumerate(result.names) if one.endswith(("Id", "ID")) and place not in called]
    return called[0] if called else 0 if len(names) == 1 else None
