"""Rows of Parquet parts, picked by their numbers: for the few that are shown of many."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from stef.errors import InputError


def picked(parts: Iterable[Path], numbers: Iterable[int], columns: Sequence[str]) -> dict[int, dict[str, Any]]:
    """The rows with these numbers in `row`, with these columns as far as there are such, read part by part.

    Raises InputError for a part that cannot be read.
    """
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415  heavy
    import pyarrow.compute as pc  # type: ignore[import-untyped]  # noqa: PLC0415  heavy
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

    wanted = pa.array(sorted(set(numbers)), pa.int64())
    found: dict[int, dict[str, Any]] = {}
    for part in parts if len(wanted) else ():
        try:
            with pq.ParquetFile(part) as file:
                names = [name for name in columns if name in file.schema_arrow.names]
                here = pc.is_in(file.read(["row"]).column("row"), wanted)
                if pc.any(here).as_py():
                    found |= {row["row"]: row for row in file.read(["row", *names]).filter(here).to_pylist()}
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"{part}: cannot be read: {str(error).splitlines()[0]}") from error
    return found
