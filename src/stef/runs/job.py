"""What to score, how far it is, and who watches."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from stef.runs.choosing import Choice
from stef.runs.incoming import Query
from stef.runs.mapping import FieldMap
from stef.runs.records import BadLine
from stef.runs.run import Run
from stef.runs.turns import MappingNotes


@dataclass(frozen=True, slots=True)
class ScoreJob:
    """What to score and where to: the logs as a user names them, the folder, and how to read.

    `part_rows` input rows go into one Parquet file (chosen by the judge where None). `replies`: the file that the
    judge's replies come from, where no server is asked. `workers`: processes that read and align (None: by the number
    of turns). `store`: the file that keeps judgements for later runs (None: they are kept until this one is complete);
    `store_scope` tells servers apart that know a model by the same name. `query`: whose rows are the log, in place of
    `logs`. `choice`: which turns are scored. `settle`: a RUN goes on with files that are
    new, once nobody has written to them for so many seconds.
    """

    logs: tuple[str, ...]
    out: Path
    fields: FieldMap = field(default_factory=FieldMap)
    encoding: str | None = None
    limit: int | None = None
    strict: bool = False
    concurrency: int = 16
    part_rows: int | None = None
    replies: Path | None = None
    workers: int | None = None
    store: Path | None = None
    store_scope: str = ""
    query: Query | None = None
    choice: Choice = field(default_factory=Choice)
    settle: float | None = None


@dataclass(slots=True)
class Progress:
    """How far a run is, for whoever watches.

    `resumed` turns were there already; `expected` is how many there will be, about, where that can be told. `calls`,
    `kept` judgements and `cost` (US dollars) are of this start.
    """

    turns: int = 0
    resumed: int = 0
    bad_lines: int = 0
    expected: int | None = None
    unscored: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    kept: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Watcher:
    """Whoever is told of a run as it goes on: what mapping did, broken lines, progress, remarks."""

    mapped: Callable[[MappingNotes], None] = lambda _notes: None
    bad_line: Callable[[BadLine], None] = lambda _line: None
    progress: Callable[[Progress], None] = lambda _progress: None
    remark: Callable[[str], None] = lambda _text: None


@dataclass(frozen=True, slots=True)
class Finished:
    """A complete RUN. `already`: it was complete before."""

    run: Run
    already: bool
