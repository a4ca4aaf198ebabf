"""Columns of Arrow → arrays of numbers."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from stef.runs.numbering import Digests, Truths, Whole

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

WITHIN = "\x1f"
"""What parts the texts of a list while they are one text."""

_MOST = 1 << 62


def microseconds(moment: datetime) -> int:
    """Since 1970."""
    return (moment - EPOCH) // _MICROSECOND


def coded(column: "pa.Array") -> tuple[Whole, list[Any]]:
    """For each the number of its value, and the values."""
    import pyarrow as pa  # noqa: PLC0415  heavy
    import pyarrow.compute as pc  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

    texts = pc.binary_join(column, WITHIN) if pa.types.is_list(column.type) else column
    encoded = texts.dictionary_encode()
    values = [*encoded.dictionary.to_pylist(), None]
    return encoded.indices.fill_null(len(values) - 1).to_numpy(zero_copy_only=False).astype(np.int64), values


def distinct(columns: Sequence[tuple[Whole, list[Any]]]) -> tuple[list[list[int]], Whole]:
    """The distinct rows of coded columns, and for each row which of them it is."""
    key, width = np.zeros(len(columns[0][0]), dtype=np.int64), 1
    for codes, values in columns:
        if width * len(values) >= _MOST:
            key = np.unique(key, return_inverse=True)[1]
            width = len(key)
        key, width = key * len(values) + codes, width * len(values)
    _, first, of = np.unique(key, return_index=True, return_inverse=True)
    return np.stack([codes[first] for codes, _ in columns], axis=1).tolist(), of


def moments(column: "pa.Array", otherwise: int | None) -> tuple[Whole, Truths]:
    """Microseconds since 1970, and whether there are any; times without a zone are UTC."""
    import pyarrow as pa  # noqa: PLC0415  heavy
    import pyarrow.compute as pc  # noqa: PLC0415  heavy

    whole = pc.cast(pc.cast(column, pa.timestamp("us", tz=getattr(column.type, "tz", None)), safe=False), pa.int64())
    timed = np.asarray(column.is_valid().to_numpy(zero_copy_only=False), dtype=np.bool_)
    if otherwise is not None:
        timed = np.ones(len(column), dtype=np.bool_)
    return whole.fill_null(otherwise or 0).to_numpy(zero_copy_only=False), timed


def floats(column: "pa.Array") -> Any:
    """NaN where there is none."""
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def mixed(*columns: Any) -> Digests:
    """One number for what stands in all columns (splitmix64): only good for telling whether it is the same."""
    found = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        found += column.astype(np.uint64, copy=False) + np.uint64(0x9E3779B97F4A7C15)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            found ^= found >> np.uint64(shift)
            found *= np.uint64(factor)
        found ^= found >> np.uint64(31)
    return found
