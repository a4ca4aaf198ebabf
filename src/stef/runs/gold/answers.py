"""`answers/`: the results that a gold run compared, each once a part, so that everything can be computed anew."""

import gzip
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from stef.errors import InputError
from stef.records.result import Executed
from stef.runs.folder import sync_folder
from stef.runs.gold.values import executed_from_json, executed_to_json

ANSWERS = "answers"
_LEVEL = 4
_DIGITS = 24
_KEY = slice(len('{"key":"'), len('{"key":"') + _DIGITS)
"""Where the key stands in a line."""


def answer_key(case_id: str, sql: str) -> str:
    """What an answer is found by: the query and the case that it was run for."""
    text = json.dumps([case_id, sql])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


class AnswerWriter:
    """Takes the answers of one part; equal keys are written once."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file
        self._written: set[str] = set()

    def add(self, key: str, executed: Executed) -> None:
        """Write one answer down."""
        if key in self._written:
            return
        self._written.add(key)
        line = json.dumps({"key": key, **executed_to_json(executed)}, separators=(",", ":"))
        self._file.write(line.encode("ascii") + b"\n")


def answers_of(part: Path) -> Path:
    """Where the answers of a part of a RUN lie."""
    return part.parents[1] / ANSWERS / f"{part.stem}.jsonl.gz"


@contextmanager
def writing_answers(part: Path) -> Iterator[AnswerWriter]:
    """A writer for the answers of `part`; the file appears whole when the context ends well, else not at all."""
    path = answers_of(part)
    path.parent.mkdir(exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as raw:
            # No time and no name in it: the same answers are the same bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=_LEVEL, mtime=0) as packed:
                yield AnswerWriter(packed)
            raw.flush()
            os.fsync(raw.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


class Answers(Mapping[str, Executed]):
    """The answers of one part by their keys, each read when it is asked for. Raises InputError where one is broken."""

    def __init__(self, path: Path, lines: Mapping[str, str]) -> None:
        self._path = path
        self._lines = lines

    def __getitem__(self, key: str) -> Executed:
        line = self._lines[key]
        try:
            return executed_from_json(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{self._path}: the answers of this RUN cannot be read: {error!r}") from error

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


def read_answers(part: Path) -> Answers:
    """The answers of a part. Raises InputError where the file is missing or broken."""
    path = answers_of(part)
    try:
        with gzip.open(path, "rt", encoding="ascii") as file:
            return Answers(path, {line[_KEY]: line for line in file})
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"{path}: the answers of this RUN cannot be read: {error}") from error
