"""What a verification of a log is asked for, and how far it is."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stef.databases import Limits
from stef.runs.mapping import FieldMap
from stef.runs.records import BadLine
from stef.runs.turns import MappingNotes

PART_ROWS, PART_ROWS_OF_MODELS = 1_000, 100
"""Input rows of a part: fewer where calls have been paid for."""


@dataclass(frozen=True, slots=True)
class VerifyJob:
    """Logs as a user names them, the URL of their database, and how to go about it.

    `out` None: nothing is written. `asks` holds what decides the dear rungs (model, agent, prompts), for run.json;
    empty where nobody is asked. `concurrency` turns are on the ladder at once.
    """

    logs: tuple[str, ...]
    database: str
    out: Path | None = None
    fields: FieldMap = field(default_factory=FieldMap)
    encoding: str | None = None
    limit: int | None = None
    strict: bool = False
    rules: Path | None = None
    limits: Limits = field(default_factory=Limits)
    asks: Mapping[str, Any] = field(default_factory=dict)
    concurrency: int = 8
    part_rows: int | None = None

    @property
    def rows_of_part(self) -> int:
        """Input rows of one part."""
        return self.part_rows or (PART_ROWS_OF_MODELS if self.asks else PART_ROWS)


@dataclass(slots=True)
class VerifyProgress:
    """How far a run is; `resumed` turns were there already."""

    turns: int = 0
    resumed: int = 0
    bad_lines: int = 0


@dataclass(frozen=True, slots=True)
class VerifyWatcher:
    """Whoever is told of a run as it goes on."""

    mapped: Callable[[MappingNotes], None] = lambda _notes: None
    bad_line: Callable[[BadLine], None] = lambda _line: None
    progress: Callable[[VerifyProgress], None] = lambda _progress: None
    remark: Callable[[str], None] = lambda _text: None


@dataclass(frozen=True, slots=True)
class Verified:
    """A finished verification: where it stands, and its rows in order, read as they are needed.

    `already`: it was complete before.
    """

    rows: Callable[[], Iterable[dict[str, Any]]]
    about: Mapping[str, Any]
    path: Path | None = None
    already: bool = False
