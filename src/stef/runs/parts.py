"""Chunks of turns → the parts of a RUN, each written when all of its chunks are there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stef.runs.turns import Row

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Turns of one part that are worked on together: the `index`-th of `of` chunks."""

    part: int
    index: int
    of: int
    rows: Sequence[Row]


def chunks_of(part: int, rows: Sequence[Row], size: int) -> Iterator[Chunk]:
    """The rows of a part in chunks of `size`."""
    starts = range(0, len(rows), size)
    for index, start in enumerate(starts):
        yield Chunk(part, index, len(starts), rows[start : start + size])


@dataclass(slots=True)
class Assembly:
    """Parts of which not all chunks are there yet."""

    _waiting: "dict[int, dict[int, pa.Table]]" = field(default_factory=dict)

    def add(self, chunk: Chunk, table: "pa.Table") -> "pa.Table | None":
        """Take in the columns of a chunk; the whole part, in the order of its rows, where it was the last one.

        The table does not tell how it was put together: equal rows are equal bytes.
        """
        import pyarrow as pa  # noqa: PLC0415  heavy

        tables = self._waiting.setdefault(chunk.part, {})
        tables[chunk.index] = table
        if len(tables) < chunk.of:
            return None
        del self._waiting[chunk.part]
        return pa.concat_tables([tables[index] for index in range(chunk.of)]).combine_chunks()
