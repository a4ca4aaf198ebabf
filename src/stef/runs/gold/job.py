"""What a gold run is asked to do, and who is told of it as it goes on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from stef.databases import Limits
from stef.runs.run import Run

PART_ROWS = 500
"""Rows of one part."""


@dataclass(frozen=True, slots=True)
class GoldJob:
    """Cases, a database, agents, and the folder to write.

    `cases`: files, folders and globs; `database`: a URL, with `{database}` in it where the cases name theirs.
    `agents`, `retriever`: specs (`replay:turns.jsonl`). `chosen` keeps the cases of one slice: `fast`, `control`, or
    a category, difficulty, tag or database. `samples`: how often each agent is asked the same. `perturb`: on so many
    altered copies of its database is each right turn looked at again. `limits` bound each query, `ask_timeout`
    (seconds) each question to an agent.
    """

    cases: tuple[str, ...]
    database: str
    agents: tuple[str, ...]
    out: Path
    retriever: str | None = None
    rules: Path | None = None
    format: str | None = None
    dialect: str | None = None
    paraphrases: bool = False
    chosen: str | None = None
    limit: int | None = None
    limits: Limits = field(default_factory=Limits)
    ask_timeout: float = 120.0
    concurrency: int = 8
    part_rows: int = PART_ROWS
    perturb: int = 0
    samples: int = 1


@dataclass(slots=True)
class GoldProgress:
    """How far a run is: rows done of all that are planned, those that were there before, and the agents' faults."""

    planned: int
    done: int = 0
    resumed: int = 0
    agent_faults: int = 0


@dataclass(frozen=True, slots=True)
class GoldWatcher:
    """Whoever is told of a gold run as it goes on."""

    progress: Callable[[GoldProgress], None] = lambda _progress: None
    remark: Callable[[str], None] = lambda _text: None


@dataclass(frozen=True, slots=True)
class GoldFinished:
    """A complete gold RUN. `already`: it was complete before."""

    run: Run
    already: bool
