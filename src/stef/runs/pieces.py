"""Parquet logs and Iceberg tables cut into the parts of a RUN, so that each part can be read by itself."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stef.errors import InputError
from stef.runs.goldlog import is_gold, turn_of_gold
from stef.runs.mapping import FieldMap
from stef.runs.parquetlog import without_nanoseconds
from stef.runs.records import Record
from stef.runs.sources import Source
from stef.runs.turns import Mapper, MappingNotes, Row

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]


@dataclass(frozen=True, slots=True)
class Piece:
    """`count` rows of a source from `first` on, of which the first is row `row` of the whole input."""

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


def parts_of(sources: Sequence[Source], size: int, end: int | None = None) -> Iterator[Part]:
    """The input in parts of `size` rows, before row `end` where there is one, by what the sources say of themselves.

    Raises InputError for other files.
    """
    held: list[Piece] = []
    row = 0
    for source in sources:
        first, left = 0, _rows(source) if end is None else min(_rows(source), end - row)
        while left > 0:
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


def first_turns(
    parts: Iterable[Part], fields: FieldMap, chosen: Callable[[Row], bool], limit: int | None
) -> tuple[MappingNotes, int | None]:
    """A look at the beginning of the input: what mapping does there, and the row before which the limit is reached.

    Raises InputError where the first records hold no turns, as reading the whole input would.
    """
    mapper = Mapper(fields)
    rows = mapper.rows(record for part in parts for record in records_of(part))
    if limit is None:
        next(rows, None)
        return mapper.notes, None
    taken = 0
    for row in rows:
        if isinstance(row, Row) and chosen(row):
            if taken == limit:
                return mapper.notes, row.row
            taken += 1
    return mapper.notes, None


def _rows(source: Source) -> int:
    import pyarrow as pa  # noqa: PLC0415  heavy
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

    if source.table is not None:
        return source.table.rows()
    try:
        with source.open() as file:
            return int(pq.read_metadata(file).num_rows)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(
            f"{source.shown}: --engine ray reads Parquet files and Iceberg tables, and this is none"
        ) from error


def _fields(piece: Piece) -> Iterator[dict[str, Any]]:
    """The rows of a piece."""
    for batch in _batches(piece):
        rows = without_nanoseconds(batch).to_pylist()
        yield from map(turn_of_gold, rows) if is_gold(batch.schema.names) else rows


def _batches(piece: Piece) -> "Iterator[pa.RecordBatch]":
    """The rows of a piece in batches; row groups before it are passed over without reading."""
    import pyarrow.parquet as pq  # noqa: PLC0415  heavy

    if piece.source.table is not None:
        yield from piece.source.table.batches(piece.first, piece.count)
        return
    with piece.source.open() as opened, pq.ParquetFile(opened) as file:
        at = 0
        for group in range(file.metadata.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            start, end = max(piece.first, at), min(piece.first + piece.count, at + rows)
            if start < end:
                yield from file.read_row_group(group).slice(start - at, end - start).to_batches()
            at += rows
