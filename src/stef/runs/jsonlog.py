"""JSON logs → records: one object a line, an array of objects, or objects one after the other; in constant memory."""

import json
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from stef.runs.sources import Source, extension
from stef.runs.text import Line, lines

Raw: TypeAlias = tuple[str, dict[str, Any] | str]
"""The place inside the file, and the fields, or why there are none."""

MAX_ELEMENT = 256 << 20
_CONTAINERS = ("data", "records", "items", "rows", "turns", "traces", "runs", "spans", "results", "examples")
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)
_LONE = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")
_GAP = re.compile(r"[\s,]*")
_KINDS = {list: "an array", str: "text", int: "a number", float: "a number", bool: "true or false", type(None): "null"}


def read_json(source: Source, encoding: str, head: str) -> Iterator[Raw]:
    """The records of a JSON log in any of its shapes, told by its beginning."""
    if _one_object_a_line(head, extension(source.name) in (".jsonl", ".ndjson")):
        return _jsonl(source, encoding)
    return _elements(source, encoding)


def _one_object_a_line(head: str, named_so: bool) -> bool:
    """Whether the first lines are values of their own. Broken lines do not make a JSONL log (`named_so`) a document."""
    candidates = [line for line in head.splitlines() if line.strip()][:20]
    opened = candidates[0].lstrip()[:1] if candidates else ""
    if opened == "[":
        return False
    whole = sum(isinstance(_parsed(line), dict) for line in candidates)
    if len(candidates) == 1:
        return whole == 1 and not _holds_records(_parsed(candidates[0]))
    return whole > 0 or opened != "{" or (named_so and candidates[0].strip() != "{")


def _jsonl(source: Source, encoding: str) -> Iterator[Raw]:
    for line in lines(source, encoding):
        if line.broken:
            yield str(line.number), line.broken
        elif line.text.strip():
            yield str(line.number), _fields(line)


def _fields(line: Line) -> dict[str, Any] | str:
    try:
        value = json.loads(line.text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        return _what(error)
    return _object(value, line.text)


def _object(value: Any, text: str) -> dict[str, Any] | str:
    if not isinstance(value, dict):
        return f"is {_KINDS[type(value)]}, not a JSON object"
    return mended(value) if _LONE.search(text) else value


def mended(value: Any) -> Any:
    """`value` with U+FFFD for each half of a surrogate pair, which JSON can hold and no UTF-8 file can."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass").decode("utf-8", "replace") if _HALF.search(value) else value
    if isinstance(value, list):
        return [mended(entry) for entry in value]
    if isinstance(value, dict):
        return {mended(key): mended(entry) for key, entry in value.items()}
    return value


def _what(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error.msg} (character {error.colno})"
    return "not valid JSON: nested too deeply" if isinstance(error, RecursionError) else f"not valid JSON: {error}"


def _no_constant(_name: str) -> None:
    """NaN and the infinities, which some writers put into JSON, stand for nothing."""


_decoder = json.JSONDecoder(parse_constant=_no_constant)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _holds_records(value: Any) -> str | None:
    """The key of a document under which its records stand, where it is a document of records."""
    if not isinstance(value, dict):
        return None
    lists = [key for key in _CONTAINERS if isinstance(value.get(key), list) and value[key]]
    known = [key for key in lists if all(isinstance(entry, dict) for entry in value[key][:20])]
    is_turn = any(key in value for key in ("question", "sql", "input", "inputs"))
    return known[0] if known and not is_turn else None


def _elements(source: Source, encoding: str) -> Iterator[Raw]:
    """Elements of arrays and values one after the other; the place is the element's number."""
    number = 0
    for line_number, text, broken in _values(source, encoding):
        if broken:
            number += 1
            yield str(number), f"(line {line_number}) {broken}"
            continue
        value = _decoder.decode(text)
        key = _holds_records(value)
        for entry in value[key] if key else [value]:
            number += 1
            yield str(number), _object(entry, text)


class _Buffer:
    """The text of a source from the current position on, refilled line by line."""

    def __init__(self, source: Source, encoding: str) -> None:
        self._lines = lines(source, encoding)
        self.text = ""
        self.line = 1
        self.broken: str | None = None

    def fill(self) -> bool:
        """Take in as much text again as is there (at least one line); False at the end."""
        wanted, parts, size = max(len(self.text), 1 << 16), [self.text], 0
        for line in self._lines:
            parts.append(line.text)
            size += len(line.text)
            self.broken = self.broken or line.broken
            if size >= wanted:
                break
        self.text = "".join(parts)
        return size > 0

    def drop(self, count: int) -> None:
        """Go on `count` characters."""
        self.line += self.text.count("\n", 0, count)
        self.text = self.text[count:]


def _values(source: Source, encoding: str) -> Iterator[tuple[int, str, str | None]]:
    """(line, text of one value, why it is broken) for each value in an array, or at the top."""
    buffer, position, in_array = _Buffer(source, encoding), 0, False
    while True:
        found = _GAP.match(buffer.text, position)
        position = found.end() if found else position
        if position >= len(buffer.text):
            buffer.drop(position)
            position = 0
            if not buffer.fill():
                return
            continue
        if buffer.text[position] == "[" and not in_array:
            in_array, position = True, position + 1
            continue
        if buffer.text[position] == "]":
            in_array, position = False, position + 1
            continue
        buffer.drop(position)
        end, error = _value_end(buffer)
        yield buffer.line, buffer.text[:end], error
        position = end


def _value_end(buffer: _Buffer) -> tuple[int, str | None]:
    """Where the value at the start of the buffer ends, and what is wrong with it."""
    while True:
        try:
            _, end = _decoder.raw_decode(buffer.text)
        except (ValueError, RecursionError) as error:
            closed = _balanced_end(buffer.text)
            if closed is not None:
                return closed, _what(error)
            if len(buffer.text) > MAX_ELEMENT or not buffer.fill():
                return len(buffer.text), _what(error)
        else:
            # A number may go on behind the end of the buffer.
            if end < len(buffer.text) or not buffer.fill():
                return end, None


def _balanced_end(text: str) -> int | None:
    """The end of the value by its brackets alone; None while they are open."""
    depth = 0
    for token in _STRUCTURE.finditer(text):
        char = token.group()
        if char in ("{", "["):
            depth += 1
        elif char in ("}", "]"):
            depth -= 1
            if depth <= 0:
                # A stray bracket at the start is taken with it: each step must go on.
                return token.end() if depth == 0 else max(token.start(), 1)
    comma = text.find(",") if depth == 0 and text[:1] not in "{[" else -1
    return comma if comma > 0 else None
