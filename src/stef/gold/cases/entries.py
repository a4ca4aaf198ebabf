"""Entries of a gold set as they stand in a file, each with its line and the lines of its fields."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from stef.gold.cases.faults import EntryFault, FaultKind
from stef.gold.cases.yaml_entries import line_of, yaml_entries

Keys: TypeAlias = tuple[str | int, ...]
_LISTS = ("cases", "data", "questions", "examples")
"""Keys under which a file's one object may hold its list of entries."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands at one place of a file, as plain data. `number` is its ordinal in the file, from 1.

    `line_of` gives the line of a field by its path, the entry's own where the field is not there.
    """

    data: dict[str, Any]
    file: Path
    line: int
    number: int
    line_of: Callable[[Keys], int]
    twice: tuple[str, ...] = ()

    def fault(
        self, kind: FaultKind, message: str, keys: Keys = (), shown: str | None = None, case_id: str | None = None
    ) -> EntryFault:
        """A fault at the field `keys`, called `shown` in the message."""
        return EntryFault(kind, str(self.file), self.line_of(keys), shown, message, case_id)


def read_entries(path: Path, text: str) -> Iterator[Entry | EntryFault]:
    """The entries of one file in its order, and a fault in place of what cannot be read."""
    match path.suffix.lower():
        case ".jsonl" | ".ndjson":
            return _jsonl(path, text)
        case ".json":
            return _json(path, text)
        case ".csv":
            return _csv(path, text)
        case _:
            return _yaml(path, text)


def _yaml(path: Path, text: str) -> Iterator[Entry | EntryFault]:
    for number, found in enumerate(yaml_entries(text, _LISTS), 1):
        if isinstance(found, tuple):
            yield EntryFault(FaultKind.UNREADABLE, str(path), found[0], None, found[1])
        else:
            yield Entry(found.data, path, found.line, number, found.line_of, found.twice)


def _jsonl(path: Path, text: str) -> Iterator[Entry | EntryFault]:
    number = 0
    for line, row in enumerate(text.split("\n"), 1):
        if row.strip():
            number += 1
            yield _one(path, row, line, number, partial(_same_line, line))


def _one(path: Path, row: str, line: int, number: int, place: Callable[[Keys], int]) -> Entry | EntryFault:
    try:
        twice: list[str] = []
        data = json.loads(row, object_pairs_hook=partial(_pairs, twice))
    except (ValueError, RecursionError) as error:
        what = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        return EntryFault(FaultKind.UNREADABLE, str(path), line, None, f"no valid JSON: {what}")
    if not isinstance(data, dict):
        return EntryFault(FaultKind.UNREADABLE, str(path), line, None, "expected an object {…}")
    return Entry(data, path, line, number, place, tuple(twice))


def _pairs(twice: list[str], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        twice.extend(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return made


def _json(path: Path, text: str) -> Iterator[Entry | EntryFault]:
    """The objects of a list, one by one, so that each has its line; or the one object that a file is."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        what = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        yield EntryFault(FaultKind.UNREADABLE, str(path), line, None, f"no valid JSON: {what}")
        return
    if isinstance(whole, list):
        yield from _elements(path, text, text.index("[") + 1)
        return
    held = next((key for key in _LISTS if isinstance(whole, dict) and isinstance(whole.get(key), list)), None)
    if held is None:
        line = 1 + text[: len(text) - len(text.lstrip())].count("\n")
        yield _one(path, text, line, 1, partial(_field_line, text, 1))
        return
    # The list's own text is looked for behind its key; a text value that spells the same would have to come before it.
    start = text.index("[", text.index(f'"{held}"'))
    yield from _elements(path, text, start + 1)


def _elements(path: Path, text: str, position: int) -> Iterator[Entry | EntryFault]:
    decoder = json.JSONDecoder()
    line, counted, number = 1, 0, 0
    while True:
        while text[position] in " \t\r\n,":
            position += 1
        if text[position] == "]":
            return
        line += text.count("\n", counted, position)
        counted = position
        _, end = decoder.raw_decode(text, position)
        number += 1
        element = text[position:end]
        yield _one(path, element, line, number, partial(_field_line, element, line))
        position = end


def _same_line(line: int, keys: Keys) -> int:  # noqa: ARG001  # an entry of one line has its fields there
    return line


def _field_line(element: str, line: int, keys: Keys) -> int:
    """The line of a field of a JSON object that begins at `line`, read as YAML, which JSON is."""
    return line + line_of(element, keys) - 1


def _csv(path: Path, text: str) -> Iterator[Entry | EntryFault]:
    reader = csv.reader(io.StringIO(text, newline=""))
    csv.field_size_limit(2**31 - 1)
    try:
        header = next(reader, [])
        line, number = reader.line_num + 1, 0
        for row in reader:
            if any(row):
                number += 1
                place = line
                data: dict[str, Any] = {
                    name: value for name, value in zip(header, row, strict=False) if value != "" and name
                }
                if len(row) > len(header):
                    message = f"{len(row)} values under {len(header)} headings; quote values that hold commas"
                    yield EntryFault(FaultKind.UNREADABLE, str(path), place, None, message)
                else:
                    yield Entry(data, path, place, number, partial(_same_line, place))
            line = reader.line_num + 1
    except csv.Error as error:
        yield EntryFault(FaultKind.UNREADABLE, str(path), reader.line_num, None, f"no valid CSV: {error}")
