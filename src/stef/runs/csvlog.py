"""CSV and TSV logs → records. The delimiter is told by the header line; a field may be as large as a line."""

import csv
from collections.abc import Iterator
from typing import Any

from stef.errors import InputError
from stef.runs.jsonlog import Raw
from stef.runs.sources import Source, extension
from stef.runs.text import MAX_LINE, lines

_DELIMITERS = (",", "\t", ";", "|")


class _Feed:
    """Lines for the csv module; remembers which lines could not be decoded, and how far it has read."""

    def __init__(self, source: Source, encoding: str) -> None:
        self._lines = lines(source, encoding)
        self.number = 0
        self.broken: str | None = None

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number = line.number
        self.broken = self.broken or line.broken
        return line.text


def read_csv(source: Source, encoding: str, head: str) -> Iterator[Raw]:
    """The records of a CSV or TSV log. Raises InputError where its first line is no header."""
    csv.field_size_limit(MAX_LINE)
    feed = _Feed(source, encoding)
    delimiter = "\t" if extension(source.name) in (".tsv", ".tab") else delimiter_of(head)
    rows = csv.reader(feed, delimiter=delimiter)
    header = _header(source, rows, feed)
    start = feed.number + 1
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            yield str(start), f"not valid CSV: {error}"
            rows = csv.reader(feed, delimiter=delimiter)
            start = feed.number + 1
            continue
        broken, feed.broken = feed.broken, None
        if row is None:
            if broken:
                yield str(start), broken
            return
        if broken:
            yield str(start), broken
        elif any(row):
            yield str(start), _fields(header, row)
        start = feed.number + 1


def delimiter_of(head: str) -> str:
    """The delimiter that the header line holds most often; a comma where it holds none."""
    line = next((line for line in head.splitlines() if line.strip()), "")
    unquoted = "".join(part for index, part in enumerate(line.split('"')) if index % 2 == 0)
    best = max(_DELIMITERS, key=unquoted.count)
    return best if best in unquoted else ","


def _header(source: Source, rows: Iterator[list[str]], feed: _Feed) -> list[str]:
    try:
        header = next((row for row in rows if any(row)), [])
    except csv.Error as error:
        raise InputError(f"{source.shown}:1: the header is not valid CSV: {error}") from error
    if feed.broken:
        raise InputError(f"{source.shown}:1: the header is {feed.broken}")
    names = [name.strip() for name in header]
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise InputError(f"{source.shown}:1: the header names {', '.join(map(repr, twice))} twice")
    return names


def _fields(header: list[str], row: list[str]) -> dict[str, Any] | str:
    if len(row) > len(header):
        return f"{len(row)} fields where the header names {len(header)} (an unquoted delimiter or quote?)"
    return {name: value for name, value in zip(header, row, strict=False) if name}
