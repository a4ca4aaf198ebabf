"""JSON as a rules file may hold it: UTF-8, one object, no key twice, finite numbers, nothing nested without end."""

import json
from math import isfinite
from typing import Any

from stef.errors import RulesError

_MAX_BYTES = 16_000_000
_MAX_DEPTH = 50


class _Object(dict[str, Any]):
    """A JSON object that remembers which keys it was given twice."""

    twice: tuple[str, ...] = ()


class _BadNumber:
    """NaN or infinity, kept until its place is known."""


def read_object(raw: bytes, where: str) -> dict[str, Any]:
    """The JSON object in `raw`; a byte-order mark is allowed.

    Raises RulesError that begins with `where` and names line and column, or the path inside the JSON.
    """
    data = _parse(_decode(raw, where), where)
    if not isinstance(data, dict):
        raise RulesError(f"{where}: expected a JSON object {{…}}, found {kind_of_json(data)}")
    problems: list[str] = []
    _inspect(data, (), problems)
    if problems:
        raise RulesError("\n".join(f"{where}: {problem}" for problem in problems))
    return data


def kind_of_json(value: object) -> str:
    """What JSON calls a value: an object, a list, text, a number, true or false, null."""
    match value:
        case bool():
            return "true or false"
        case None:
            return "null"
        case str():
            return "text"
        case int() | float():
            return "a number"
        case list() | tuple():
            return "a list"
        case _:
            return "an object"


def path_text(path: tuple[str | int, ...]) -> str:
    """A path inside the JSON as people write it: `benign_filters[2].column`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part.isidentifier():
            text += f".{part}" if text else part
        else:
            text += f"[{json.dumps(part, ensure_ascii=False)}]"
    return text


def _decode(raw: bytes, where: str) -> str:
    if len(raw) > _MAX_BYTES:
        raise RulesError(f"{where}: {len(raw):,} bytes is too large for a rules file (at most {_MAX_BYTES:,})")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = "it looks like UTF-16; " if raw[:2] in {b"\xff\xfe", b"\xfe\xff"} else ""
        raise RulesError(f"{where}: byte {error.start} is not UTF-8; {hint}save the file as UTF-8") from error


def _parse(text: str, where: str) -> Any:
    if not text.strip():
        raise RulesError(f"{where}: the file is empty; the smallest rules file is {{}}")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=lambda _: _BadNumber())
    except json.JSONDecodeError as error:
        raise RulesError(
            f"{where}: line {error.lineno}, column {error.colno}: not valid JSON: {error.msg}{_hint(error)}"
        ) from error
    except RecursionError as error:
        raise RulesError(f"{where}: nested too deep (at most {_MAX_DEPTH} levels)") from error
    except ValueError as error:
        raise RulesError(f"{where}: a number has too many digits") from error


def _hint(error: json.JSONDecodeError) -> str:
    found = error.doc[error.pos : error.pos + 2]
    if found in {"//", "/*"} or found.startswith("#"):
        return " (JSON has no comments; 'why' and 'notes' hold text)"
    if found.startswith("'"):
        return " (JSON has double quotes only)"
    if found.startswith(("}", "]")) and error.doc[: error.pos].rstrip().endswith(","):
        return " (a comma before the closing bracket)"
    return ""


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    made = _Object(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        made.twice = tuple(key for key in made if keys.count(key) > 1)
    return made


def _inspect(value: Any, path: tuple[str | int, ...], problems: list[str]) -> None:
    place = f"{path_text(path)}: " if path else ""
    if len(path) > _MAX_DEPTH:
        problems.append(f"{path_text(path[:3])}…: nested too deep (at most {_MAX_DEPTH} levels)")
    elif isinstance(value, _Object):
        problems.extend(f"{place}key {key!r} is given twice; keep one" for key in value.twice)
        for key, item in value.items():
            _inspect(key, path, problems)
            _inspect(item, (*path, key), problems)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _inspect(item, (*path, index), problems)
    elif isinstance(value, _BadNumber) or (isinstance(value, float) and not isfinite(value)):
        problems.append(f"{place}NaN and infinity are no numbers of JSON")
    elif isinstance(value, str) and not value.isascii() and _has_lone_surrogate(value):
        problems.append(f"{place}text holds half of a surrogate pair (\\ud800 … \\udfff), which is no character")


def _has_lone_surrogate(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)
