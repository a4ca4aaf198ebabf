"""About how many turns a log holds, told without reading it."""

from collections.abc import Iterable

from stef.errors import InputError
from stef.runs.sources import Source
from stef.runs.text import sample

_PACKED = 6
"""How much smaller logs are when packed, about."""

_PACKINGS = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")


def expected_turns(sources: Iterable[Source]) -> int | None:
    """About how many records there are: by the Parquet's own count, else by the length of the first lines.

    None where it cannot be told.
    """
    counts = [_expected(source) for source in sources]
    return None if any(count is None for count in counts) else sum(count for count in counts if count is not None)


def _expected(source: Source) -> int | None:
    try:
        if source.table is not None:
            return source.table.rows()
        size = source.size()
        with source.open() as file:
            start = file.read(8)
        if start.startswith(b"PAR1"):
            return _rows_of_parquet(source)
        head = sample(source)
    except (OSError, InputError):
        return None
    if start.startswith(_PACKINGS):
        size *= _PACKED
    lines = head.count(b"\n")
    if size <= len(head):
        return max(1, lines)
    return None if lines == 0 else int(size * lines / len(head))


def _rows_of_parquet(source: Source) -> int | None:
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415  heavy
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

    try:
        with source.open() as file:
            return int(pq.read_metadata(file).num_rows)
    except (pa.ArrowException, OSError):
        return None
