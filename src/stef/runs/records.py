"""What a reader of logs brings back: records, and the lines that are none."""

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a log.

    `row` is its ordinal over the whole input, from 0; a broken line has an ordinal too, so mending it moves no other.
    `place` is `<file name>:<line>` (for JSON arrays and Parquet: the number of the element, from 1).
    """

    row: int
    place: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that holds no usable turn, and why. It is counted and reported; the rest goes on."""

    row: int
    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


Item: TypeAlias = Record | BadLine
