"""Logs of all formats → one stream of records, with the broken lines in their places."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from stef.errors import InputError
from stef.runs.csvlog import delimiter_of, read_csv
from stef.runs.jsonlog import Raw, read_json
from stef.runs.parquetlog import read_parquet, read_table
from stef.runs.records import BadLine, Item, Record
from stef.runs.sources import FORMATS, Source, extension
from stef.runs.text import encoding_of, is_empty, sample

_PARQUET = b"PAR1"


def read_records(sources: Iterable[Source], *, encoding: str | None = None) -> Iterator[Item]:
    """Every record and every broken line of `sources`, in order, in constant memory.

    Raises InputError for a source that cannot be read at all: missing, empty, in another encoding, of a foreign kind.
    """
    row = 0
    for source in sources:
        for where, fields in _raw(source, encoding):
            place = f"{source.name}:{where}"
            yield BadLine(row, place, fields) if isinstance(fields, str) else Record(row, place, fields)
            row += 1


def readable_sources(sources: Sequence[Source], encoding: str | None, remark: Callable[[str], None]) -> list[Source]:
    """The sources without the empty ones, which are remarked on, after a look at the beginning of each.

    Raises InputError, before anything is scored, for one that cannot be read, and where all are empty.
    """
    readable: list[Source] = []
    for source in sources:
        if len(sources) > 1 and source.table is None and is_empty(source):
            remark(f"{source.shown}: the file is empty")
            continue
        _raw(source, encoding)
        readable.append(source)
    if not readable:
        raise InputError("all files are empty")
    return readable


def _raw(source: Source, asked: str | None) -> Iterator[Raw]:
    if source.table is not None:
        return read_table(source.table)
    head = sample(source)
    if head.startswith(_PARQUET):
        return read_parquet(source)
    encoding = encoding_of(source, head, asked)
    text = head.decode(encoding, "replace").removeprefix("\ufeff")
    match _format(source, text):
        case "csv":
            return read_csv(source, encoding, text)
        case "parquet":
            return read_parquet(source)
        case _:
            return read_json(source, encoding, text)


def _format(source: Source, head: str) -> str:
    """The format by the file's extension; where that is unknown, by its beginning."""
    known = FORMATS.get(extension(source.name))
    if known:
        return known
    if head.lstrip()[:1] in ("{", "["):
        return "json"
    first = head.splitlines()[0] if head.splitlines() else ""
    return "csv" if delimiter_of(head) in first else "json"
