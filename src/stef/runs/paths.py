"""Dotted paths into a record: `input.text`, `messages.0.content`, `attributes."input.value"`."""

import json
import re
from typing import Any, TypeAlias

from stef.errors import UserError

Path: TypeAlias = tuple[str, ...]
_STEP = re.compile(r'"((?:[^"\\]|\\.)*)"|([^."]+)')


def parse_path(text: str) -> Path:
    """The steps of a path. Raises UserError for an empty step or an open quote."""
    steps: list[str] = []
    position = 0
    while position < len(text):
        found = _STEP.match(text, position)
        if not found:
            break
        steps.append(found.group(2) if found.group(1) is None else found.group(1).replace('\\"', '"'))
        position = found.end()
        if position == len(text):
            return tuple(steps)
        if text[position] != ".":
            break
        position += 1
    raise UserError(f'{text!r} is no path; write it as input.text, messages.0.content or attributes."input.value"')


def show_path(path: Path) -> str:
    """The path as a user would write it."""
    return ".".join(f'"{step}"' if "." in step else step for step in path)


def follow(fields: dict[str, Any], path: Path) -> Any:
    """What stands at `path`, or None. A field whose own name holds dots goes before the way into objects.

    Text that holds a JSON object or array (a CSV cell) is entered like one.
    """
    value: Any = fields
    last = len(path)
    start = 0
    for end in range(last, 1, -1):
        joined = ".".join(path[:end])
        if joined in fields:
            value, start = fields[joined], end
            break
    for step in path[start:]:
        value = _step(value, step)
        if value is None:
            return None
    return value


def _step(value: Any, step: str) -> Any:
    if isinstance(value, str):
        value = opened(value)
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list | tuple):
        try:
            return value[int(step)]
        except (ValueError, IndexError):
            return None
    return None


def opened(text: str) -> Any:
    """The JSON object or array that `text` holds, else the text itself."""
    if text[:1] in ("{", "[") or text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def unquoted(text: str) -> str:
    """The text that a JSON string holds, else `text`: exporters write a text in their cells as JSON."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(text))
        except ValueError:
            return text
    return text


def leaves(fields: dict[str, Any], prefix: Path = (), depth: int = 3) -> list[Path]:
    """The paths of all values of a record, objects entered up to `depth`; a list is a leaf with its first element."""
    found: list[Path] = []
    for key, raw in fields.items():
        value = opened(raw) if isinstance(raw, str) else raw
        path = (*prefix, str(key))
        if isinstance(value, list) and value and isinstance(value[0], dict) and depth > 1:
            found.extend(leaves(value[0], (*path, "0"), depth - 1))
        elif isinstance(value, dict) and value and depth > 1:
            found.extend(leaves(value, path, depth - 1))
        else:
            found.append(path)
    return found
