"""The fields that an agent may give back, and how their values are read: strictly, with words for what does not fit."""

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from stef.rules.messages import nearest
from stef.rules.strict_json import kind_of_json


class NotReadableError(Exception):
    """A reply whose values do not fit; the message says which field holds what. It never leaves agents/."""


def text(value: Any) -> str:
    """Text; a number as text; the one text in a list of one."""
    match value:
        case str():
            return value
        case bool():
            raise NotReadableError("expected text, found true or false")
        case int() | float():
            return str(value)
        case list() | tuple() if len(value) == 1:
            return text(value[0])
        case list() | tuple():
            raise NotReadableError(f"expected one text, found {len(value)} values; choose one, such as `… | [-1]`")
        case _:
            raise NotReadableError(f"expected text, found {kind_of_json(value)}")


def texts(value: Any) -> tuple[str, ...]:
    """Texts, out of a list, of lists in a list, or one text alone; nulls in a list are no texts."""
    if isinstance(value, list | tuple):
        return tuple(one for entry in value if entry is not None for one in texts(entry))
    if isinstance(value, str):
        return (value,)
    raise NotReadableError(f"expected a list of texts, found {kind_of_json(value)}")


def ids(value: Any) -> tuple[str, ...]:
    """Ids: texts or whole numbers."""
    if isinstance(value, list | tuple):
        return tuple(one for entry in value if entry is not None for one in ids(entry))
    if isinstance(value, int) and not isinstance(value, bool):
        return (str(value),)
    return texts(value)


def number(value: Any) -> float:
    """A finite number that is not negative, also where it is written as text."""
    if isinstance(value, list | tuple) and len(value) == 1:
        return number(value[0])
    try:
        found = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        found = math.nan
    if not (math.isfinite(found) and found >= 0):
        raise NotReadableError(f"expected a number of at least 0, found {_short(value)}")
    return found


def objects(value: Any) -> tuple[dict[str, Any], ...]:
    """Objects, out of a list or one alone."""
    entries = list(value) if isinstance(value, list | tuple) else [value]
    wrong = next((entry for entry in entries if not isinstance(entry, Mapping)), None)
    if wrong is not None:
        raise NotReadableError(f"expected a list of objects, found {kind_of_json(wrong)} in it")
    return tuple({str(key): held for key, held in entry.items()} for entry in entries)


def one_object(value: Any) -> dict[str, Any]:
    """One object."""
    if not isinstance(value, Mapping):
        raise NotReadableError(f"expected an object, found {kind_of_json(value)}")
    return {str(key): held for key, held in value.items()}


def moment(value: Any) -> datetime:
    """A moment as ISO 8601."""
    try:
        return value if isinstance(value, datetime) else datetime.fromisoformat(text(value))
    except ValueError as error:
        raise NotReadableError(f"expected a moment such as 2026-03-01T12:00:00+00:00, found {_short(value)}") from error


def any_list(value: Any) -> tuple[Any, ...]:
    """A list of anything, and nothing but a list."""
    if not isinstance(value, list | tuple):
        raise NotReadableError(f"expected a list, found {kind_of_json(value)}")
    return tuple(value)


READERS: Mapping[str, Callable[[Any], Any]] = {
    "sql": text,
    "enriched_question": text,
    "answer": text,
    "outcome": text,
    "tables_offered": texts,
    "ddl_offered": texts,
    "examples": ids,
    "rows": any_list,
    "columns": texts,
    "trace": objects,
    "latency": number,
    "latency_ms": number,
    "cost": number,
    "id": text,
    "dialect": text,
    "session": text,
    "agent_version": text,
    "timestamp": moment,
    "source": one_object,
    "metadata": one_object,
}
"""Every field of a reply in stef's own names. `columns` names the columns of `rows` that are plain lists."""

ECHOED = frozenset({"question", "database", "history", "agent", "app"})
"""Fields of a Turn that the request knows better: a reply may hold them, and they are not read."""

RETRIEVED: Mapping[str, Callable[[Any], Any]] = {"ddl": texts, "examples": ids}
"""The fields of a retriever's reply."""


def read_fields(values: Mapping[str, Any], readers: Mapping[str, Callable[[Any], Any]] = READERS) -> dict[str, Any]:
    """The values read; a null is no value. Raises NotReadableError with the field, also for one that is unknown."""
    found: dict[str, Any] = {}
    for field, value in values.items():
        if field in ECHOED:
            continue
        if field not in readers:
            raise NotReadableError(unknown_field(field, readers))
        if value is None:
            continue
        try:
            found[field] = readers[field](value)
        except NotReadableError as error:
            raise NotReadableError(f"{field}: {error}") from None
    return found


def unknown_field(field: object, readers: Mapping[str, Any]) -> str:
    """What to say of a field that is not one of `readers`."""
    near = nearest(str(field), list(readers))
    way_out = f"did you mean {near!r}?" if near else f"there are {', '.join(readers)}"
    return f"unknown field {_short(field)}; {way_out}"


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:60] + "…"
