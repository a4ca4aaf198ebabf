"""Parquet logs → records, batch by batch."""

from collections.abc import Iterator
from typing import Any

from stef.errors import InputError
from stef.runs.goldlog import is_gold, turn_of_gold
from stef.runs.iceberg import IcebergTable
from stef.runs.jsonlog import Raw
from stef.runs.sources import Source

_BATCH = 512


def read_parquet(source: Source) -> Iterator[Raw]:
    """The records of a Parquet log; the place is the number of the row, from 1. Raises InputError where it is none.

    Of a gold run they are the turns that it compared, with the case and what the golds say in their metadata.
    """
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415  heavy
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

    number = 0
    try:
        with source.open() as opened, pq.ParquetFile(opened) as file:
            gold = is_gold(file.schema_arrow.names)
            for batch in file.iter_batches(batch_size=_BATCH):
                for fields in without_nanoseconds(batch).to_pylist():
                    number += 1
                    yield str(number), turn_of_gold(fields) if gold else fields
    except (pa.ArrowException, OSError, ValueError) as error:
        if number:
            yield str(number + 1), f"the file breaks off here ({_first_line(error)}); what stood before was read"
            return
        raise InputError(f"{source.shown}: not a readable Parquet file: {_first_line(error)}") from error


def read_table(table: IcebergTable) -> Iterator[Raw]:
    """The records of a table; the place is the number of the row, from 1. Raises InputError where it cannot be read."""
    number = 0
    for batch in table.batches():
        for fields in without_nanoseconds(batch).to_pylist():
            number += 1
            yield str(number), fields


def without_nanoseconds(batch: Any) -> Any:
    """The batch with timestamps in microseconds: Python has none finer."""
    import pyarrow as pa  # noqa: PLC0415  heavy

    fields = [
        field.with_type(pa.timestamp("us", field.type.tz)) if pa.types.is_timestamp(field.type) else field
        for field in batch.schema
    ]
    return batch.cast(pa.schema(fields), safe=False)


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
