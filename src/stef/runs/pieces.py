"""Parquet logs cut into the parts of a RUN, so that each part can be read by itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from stef.errors import InputError
from stef.runs.goldlog import is_gold, turn_of_gold
from stef.runs.parquetlog import without_nanoseconds
from stef.runs.records import Record
from stef.runs.sources import Source


@dataclass(frozen=True, slots=True)
class Piece:
    """`count` rows of a file from `first` on, of which the first is row `row` of the whole input."""

    source: Source
    first: int
    count: int
    row: int


@dataclass(frozen=True, slots=True)
class Part:
    """The input rows of one part of a RUN."""

    number: int
    pieces: tuple[Piece, ...]

    @property
    def rows(self) -> int:
        """How many input rows it has."""
        return sum(piece.count for piece in self.pieces)


def parts_of(sources: Sequence[Source], size: int) -> Iterator[Part]:
    """The input in parts of `size` rows, by what the files say of themselves. Raises InputError for other files."""
    held: list[Piece] = []
    row = 0
    for source in sources:
        first, left = 0, _rows(source)
        while left:
            count = min(left, size - row % size)
            held.append(Piece(source, first, count, row))
            first, left, row = first + count, left - count, row + count
            if row % size == 0:
                yield Part(row // size - 1, tuple(held))
                held = []
    if held:
        yield Part(row // size, tuple(held))


def records_of(part: Part) -> Iterator[Record]:
    """The records of a part, as a reader of the whole input would number them."""
    for piece in part.pieces:
        for at, fields in enumerate(_fields(piece)):
            yield Record(piece.row + at, f"{piece.source.name}:{piece.first + at + 1}", fields)


def _rows(source: Source) -> int:
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415  heavy
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

    try:
        return int(pq.read_metadata(source.path).num_rows)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{source.shown}: --engine ray reads Parquet files, and this is none") from error


def _fields(piece: Piece) -> Iterator[dict[str, Any]]:
    """The rows of a piece; row groups before it are passed over without reading."""
    import pyarrow as pa  # noqa: PLC0415  heavy
    import pyarrow.parquet as pq  # noqa: PLC0415  heavy

    with pq.ParquetFile(piece.source.path) as file:
        gold, at = is_gold(file.schema_arrow.names), 0
        for group in range(file.metadata.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            start, end = max(piece.first, at), min(piece.first + piece.count, at + rows)
            if start < end:
                table = file.read_row_group(group).slice(start - at, end - start)
                for batch in without_nanoseconds(pa.Table.from_batches(table.to_batches())).to_batches():
                    yield from map(turn_of_gold, batch.to_pylist()) if gold else batch.to_pylist()
            at += rows
