"""Values as logs hold them → values of a Turn. A value that cannot be read raises ValueError with what it was."""

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from stef.runs.paths import opened

_NOTHING = frozenset({"", "null", "none", "nan", "nat", "n/a", "na", "undefined", "\\n"})
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_FRACTION = re.compile(r"(?<=:\d\d)[.,](\d+)")
_ZONE = re.compile(r"\s*(UTC|GMT|Z)$", re.IGNORECASE)
_SPACED_OFFSET = re.compile(r"\s+([+-]\d\d:?\d\d)$")
_LOOSE = re.compile(r"^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):)?")
_EPOCH_UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3), (0, 1.0))


def is_nothing(value: Any) -> bool:
    """Whether a value stands for no value: null, NaN, empty text, `null`, `None`, `NaN` in a CSV cell."""
    if value is None:
        return True
    if isinstance(value, float):
        return math.isnan(value)
    return isinstance(value, str) and len(value) <= 9 and value.strip().lower() in _NOTHING


def text_of(value: Any) -> str | None:
    """Text as it is; a number as text; the text of a message, or of its parts. ValueError for anything else."""
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool):
        raise ValueError("true or false")
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, int | float):
        return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    if isinstance(value, dict):
        inner = next((value[key] for key in ("text", "content", "value") if isinstance(value.get(key), str)), None)
        if inner is not None:
            return str(inner)
        raise ValueError("an object with the fields " + ", ".join(map(str, list(value)[:6])))
    if isinstance(value, list | tuple):
        parts = [part for part in value if isinstance(part, dict) and isinstance(part.get("text"), str)]
        if parts and len(parts) == len(value):
            return "".join(part["text"] for part in parts)
        raise ValueError(f"a list of {len(value)}")
    return str(value)


def id_of(value: Any) -> str | None:
    """An id as text; an id may be spelled like "null" or "NA", but not empty."""
    return text_of(value) or None


def label_of(value: Any) -> str | None:
    """A name such as the agent's: text, or None for nothing."""
    return None if is_nothing(value) else text_of(value)


def number_of(value: Any) -> float | None:
    """A finite number, also from text such as "1.5", "1,234.5", "2.5 s" or "300ms" (in seconds then)."""
    if is_nothing(value):
        return None
    if isinstance(value, bool):
        raise ValueError("true or false")
    if isinstance(value, str):
        return _number_in(value)
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise ValueError(_short(value)) from error
    if not math.isfinite(number):
        raise ValueError(_short(value))
    return number


def _number_in(text: str) -> float:
    bare = text.strip().lstrip("$").replace(",", "")
    unit = next((unit for unit in ("ms", "sec", "s") if bare.lower().endswith(unit)), "")
    bare = bare[: len(bare) - len(unit)].strip()
    if not _NUMBER.fullmatch(bare):
        raise ValueError(_short(text))
    number = float(bare)
    if not math.isfinite(number):
        raise ValueError(_short(text))
    return number / 1000 if unit == "ms" else number


def milliseconds_of(value: Any) -> float | None:
    """Seconds from a number of milliseconds; text that names its unit is believed."""
    number = number_of(value)
    if number is None:
        return None
    return number if isinstance(value, str) and value.strip().lower().endswith("s") else number / 1000


def time_of(value: Any) -> datetime | None:
    """A timestamp: ISO 8601 in its usual spellings, RFC 2822, or seconds, milli-, micro- or nanoseconds since 1970."""
    time = _time_of(value)
    if time is not None and time.tzinfo is not None:
        try:
            time.astimezone(UTC)
        except OverflowError as error:
            raise ValueError(_short(value)) from error
    return time


def _time_of(value: Any) -> datetime | None:
    if is_nothing(value):
        return None
    if isinstance(value, datetime):
        return value
    if isinstance(value, bool):
        raise ValueError("true or false")
    if isinstance(value, int | float):
        return _epoch(float(value), value)
    if isinstance(value, str):
        text = value.strip()
        return _epoch(float(text), value) if _NUMBER.fullmatch(text) and len(text) > 8 else _written(text)
    try:
        return datetime.fromisoformat(str(value))
    except ValueError as error:
        raise ValueError(_short(value)) from error


def _epoch(number: float, value: Any) -> datetime:
    unit = next(unit for least, unit in _EPOCH_UNITS if abs(number) >= least)
    try:
        return datetime.fromtimestamp(number / unit, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise ValueError(_short(value)) from error


def _written(text: str) -> datetime:
    plain = _SPACED_OFFSET.sub(r"\1", _ZONE.sub("+00:00", text))
    plain = _FRACTION.sub(lambda found: "." + found.group(1)[:6].ljust(6, "0"), plain).replace("/", "-")
    plain = _LOOSE.sub(_padded, plain)
    try:
        return datetime.fromisoformat(plain)
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError) as error:
        raise ValueError(_short(text)) from error


def _padded(found: re.Match[str]) -> str:
    """A date, and the hour behind it, with two digits for each of its parts."""
    year, month, day, hour = found.groups()
    return f"{year}-{month:0>2}-{day:0>2}" + (f"T{hour:0>2}:" if hour else "")


def texts_of(value: Any) -> tuple[str, ...] | None:
    """A list of texts, from a list, a list in JSON, or one text. Messages give the text of what the user said."""
    if is_nothing(value):
        return None
    entries = opened(value) if isinstance(value, str) else value
    if isinstance(entries, str):
        return (entries,)
    if not isinstance(entries, list | tuple):
        raise ValueError(_short(value))
    said = [entry for entry in entries if not isinstance(entry, dict) or entry.get("role", "user") in ("user", "human")]
    texts = [_said(entry) for entry in said]
    return tuple(text for text in texts if text)


def _said(entry: Any) -> str | None:
    if isinstance(entry, dict):
        asked = next(
            (entry[key] for key in ("question", "user", "utterance", "query") if isinstance(entry.get(key), str)), None
        )
        if asked is not None:
            return str(asked)
    return text_of(entry)


def object_of(value: Any) -> dict[str, Any] | None:
    """An object, also from JSON text."""
    if is_nothing(value):
        return None
    entry = opened(value) if isinstance(value, str) else value
    if not isinstance(entry, dict):
        raise ValueError(_short(value))
    return {str(key): inner for key, inner in entry.items()}


def objects_of(value: Any) -> tuple[dict[str, Any], ...] | None:
    """A list of objects, also from JSON text; an object stands for a list of one."""
    if is_nothing(value):
        return None
    entries = opened(value) if isinstance(value, str) else value
    if isinstance(entries, dict):
        entries = [entries]
    if not isinstance(entries, list | tuple) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError(_short(value))
    return tuple({str(key): inner for key, inner in entry.items()} for entry in entries)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


Reader = Callable[[Any], Any]

READERS: dict[str, Reader] = {
    "question": text_of,
    "sql": text_of,
    "enriched_question": text_of,
    "id": id_of,
    "dialect": label_of,
    "app": label_of,
    "agent": label_of,
    "agent_version": label_of,
    "timestamp": time_of,
    "session": label_of,
    "history": texts_of,
    "outcome": label_of,
    "answer": text_of,
    "tables_offered": texts_of,
    "ddl_offered": texts_of,
    "trace": objects_of,
    "latency": number_of,
    "cost": number_of,
    "database": label_of,
    "source": object_of,
    "rows": objects_of,
    "metadata": object_of,
}
"""How each field of a Turn reads a value; the fields are all of Turn's."""
