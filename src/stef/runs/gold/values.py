"""A query's result as JSON and back, every value with its type: what comes back compares as what was written."""

import base64
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from stef.gold.values import NotComparableError, canonical_value
from stef.records.result import Cut, Executed, Failure, FailureKind, Result

_PLAIN = frozenset({int, str, bool, type(None)})


@dataclass(frozen=True, slots=True)
class Foreign:
    """A value of a driver's own type: the name of the type, and the value's text."""

    type: str
    text: str


class Incomparable:
    """Stands for a value without a notion of equality; like that, it equals nothing that it is compared with."""


def executed_to_json(executed: Executed) -> dict[str, Any]:
    """What a query gave, as JSON holds it. Raises nothing: a value of an unknown type becomes its text, marked so."""
    if isinstance(executed, Failure):
        return {
            "failure": executed.kind.value,
            "message": executed.message,
            "near": list(executed.near),
            "seconds": executed.seconds,
        }
    return {
        "names": list(executed.names),
        "rows": executed.rows,
        "cut": executed.cut and executed.cut.value,
        "seconds": executed.seconds,
        "columns": [_column(column) for column in executed.columns],
    }


def executed_from_json(stored: dict[str, Any]) -> Executed:
    """What `executed_to_json` wrote. Raises KeyError or ValueError on anything else."""
    if "failure" in stored:
        kind = FailureKind(stored["failure"])
        return Failure(kind, stored["message"], tuple(stored["near"]), stored["seconds"])
    return Result(
        names=tuple(stored["names"]),
        columns=tuple(_column_back(column) for column in stored["columns"]),
        rows=stored["rows"],
        cut=Cut(stored["cut"]) if stored["cut"] else None,
        seconds=stored["seconds"],
    )


def _column(column: Sequence[Any]) -> list[Any]:
    types = set(map(type, column))
    if types <= _PLAIN or (types <= _PLAIN | {float} and _finite(column)):
        return list(column)
    return [_value(value) for value in column]


def _finite(column: Sequence[Any]) -> bool:
    return all(math.isfinite(value) for value in column if type(value) is float)


def _column_back(column: list[Any]) -> list[Any]:
    if dict not in set(map(type, column)):
        return column
    return [_value_back(value) for value in column]


def _value(value: Any) -> Any:  # noqa: C901, PLR0912  one line a type
    match value:
        case None | bool() | str():
            return value
        case int():
            return int(value)
        case float():
            return float(value) if math.isfinite(value) else {"float": str(value)}
        case Decimal():
            return {"decimal": str(value)}
        case datetime():
            return {"datetime": value.isoformat()}
        case date():
            return {"date": value.isoformat()}
        case time():
            return {"time": value.isoformat()}
        case timedelta():
            return {"interval": [value.days, value.seconds, value.microseconds]}
        case bytes() | bytearray() | memoryview():
            return {"bytes": base64.b64encode(value).decode("ascii")}
        case UUID():
            return {"uuid": str(value)}
        case list() | tuple():
            return {"list": [_value(one) for one in value]}
        case dict():
            return {"map": [[_value(key), _value(one)] for key, one in value.items()]}
        case Foreign():
            return {"other": [value.type, value.text]}
        case _:
            return _unknown(value)


def _unknown(value: Any) -> Any:
    if callable(to_python := getattr(value, "tolist", None)):
        return _value(to_python())
    try:
        canonical_value(value)
    except NotComparableError:
        return {"incomparable": type(value).__name__}
    return {"other": [type(value).__name__, str(value)]}


_BACK: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "decimal": Decimal,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "interval": lambda parts: timedelta(*parts),
    "bytes": base64.b64decode,
    "uuid": UUID,
    "list": lambda values: [_value_back(value) for value in values],
    "map": lambda pairs: {_value_back(key): _value_back(value) for key, value in pairs},
    "incomparable": lambda _type: Incomparable(),
    "other": lambda parts: Foreign(*parts),
}


def _value_back(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    ((kind, inner),) = value.items()
    return _BACK[kind](inner)
