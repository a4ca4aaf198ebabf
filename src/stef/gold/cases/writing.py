"""A field written into entries of a gold set's files; every other byte of them stays as it is.

The place of the field is found in the text, and only that place is written: comments, order, quotes and line breaks
survive. What comes of it is read again before anything is written, and must hold the same entries but for that field.
"""

import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from stef.errors import InputError
from stef.gold.cases.entries import Entry, read_entries
from stef.gold.cases.faults import EntryFault
from stef.gold.cases.files import read_text
from stef.gold.cases.splice_json import splice_json
from stef.gold.cases.splice_yaml import splice_yaml
from stef.gold.cases.splicing import Place

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Written:
    """One field of one entry: its file, the line that the entry begins on, its id, and what is to stand there."""

    path: Path
    line: int
    case_id: str
    value: Any


def write_field(field: str, writes: Iterable[Written]) -> dict[str, int]:
    """Write `field` into entries; how many were written into each file. Files are replaced whole, or not at all.

    Raises InputError where a file's format keeps no such field, where the entry is not where it was, where the text
    cannot be changed without changing something else, and where the file cannot be written. All files are made ready
    before the first is written.
    """
    by_file: dict[Path, list[Written]] = {}
    for one in writes:
        by_file.setdefault(one.path, []).append(one)
    ready = {path: _changed(path, field, wanted) for path, wanted in by_file.items()}
    for path, text in ready.items():
        _replace(path, text)
    return {str(path): len(wanted) for path, wanted in by_file.items()}


def _changed(path: Path, field: str, wanted: list[Written]) -> str:
    text = read_text(path)
    values = {(one.line, one.case_id): one.value for one in wanted}
    try:
        changed = _spliced(path, text, field, values)
    except (yaml.YAMLError, ValueError, IndexError, RecursionError) as error:
        raise InputError(f"{path}: is not what was read before; read it again") from error
    _check(path, field, text, changed, [one.value for one in wanted])
    return changed


def _spliced(path: Path, text: str, field: str, values: Mapping[Place, Any]) -> str:
    match path.suffix.lower():
        case ".yaml" | ".yml":
            return splice_yaml(text, field, values)
        case ".json" | ".jsonl" | ".ndjson":
            return splice_json(text, field, values, lines=path.suffix.lower() != ".json")
        case _:
            raise InputError(f"{path}: {field} is not written into {path.suffix}; keep the set as YAML, JSONL or JSON")


def _check(path: Path, field: str, before: str, after: str, values: Sequence[Any]) -> None:
    """The same entries but for the field, and in it what was to be written, as often as it was."""
    old, new = list(read_entries(path, before)), list(read_entries(path, after))
    pairs = list(zip(old, new, strict=False))
    held = Counter(_comparable(one.data.get(field)) for one in new if isinstance(one, Entry))
    missing = Counter(map(_comparable, values)) - held
    if len(old) != len(new) or missing or not all(_same(one, other, field) for one, other in pairs):
        raise InputError(f"{path}: {field} cannot be written without changing something else; write it by hand")


def _same(one: Entry | EntryFault, other: Entry | EntryFault, field: str) -> bool:
    if isinstance(one, Entry) and isinstance(other, Entry):
        return _without(one.data, field) == _without(other.data, field) and one.twice == other.twice
    return isinstance(one, EntryFault) and isinstance(other, EntryFault) and one.message == other.message


def _without(data: Mapping[str, Any], field: str) -> str:
    return repr([(key, value) for key, value in data.items() if key != field])


def _comparable(value: Any) -> str:
    """A value as text; a day that YAML read as a date is the day."""
    if isinstance(value, dict):
        return repr(sorted((key, _comparable(one)) for key, one in value.items()))
    if isinstance(value, list):
        return repr([_comparable(one) for one in value])
    return str(value)


def _replace(path: Path, text: str) -> None:
    """Put `text` in place of the file in one step; a link stays a link, and the file keeps its mode."""
    target = path.resolve()
    temporary: Path | None = None
    try:
        raw = target.read_bytes()
        mark = _MARK if raw.startswith(_MARK) else b""
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            temporary = Path(file.name)
            file.write(mark + text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(target.stat().st_mode & 0o7777)
        temporary.replace(target)
    except OSError as error:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        raise InputError(f"{path}: cannot be written: {error.strerror or error}; nothing was changed in it") from error
