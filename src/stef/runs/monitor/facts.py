"""What many turns have in common, kept once: who answered, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from stef.findings.registry import FAULT
from stef.runs.numbering import Floats, Truths
from stef.runs.state import State

PER = ("agent", "agent_version", "app", "database")
"""By what turns can be watched apart."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What is said of a turn in words. `sql`: whether it counts for the readable rate, as in the agent table."""

    agent: str | None
    agent_version: str | None
    app: str | None
    database: str | None
    state: State
    sql: bool
    band: str | None
    filters: str | None
    findings: tuple[str, ...]
    reason: str | None

    @property
    def classes(self) -> tuple[str | None, ...]:
        """What it is counted as."""
        return self.filters, self.band, self.reason


class Facts:
    """Facts by their number; every array that comes back has an entry for each of them."""

    def __init__(self, all_of_them: Sequence[Fact]) -> None:
        self.all = tuple(all_of_them)
        self.says = lru_cache(maxsize=256)(self._says)

    def __len__(self) -> int:
        return len(self.all)

    @cached_property
    def aligned(self) -> Truths:
        """Which are of turns whose filters were aligned."""
        return np.array([one.filters is not None for one in self.all], dtype=np.bool_)

    @cached_property
    def readable(self) -> Floats:
        """1 or 0; NaN for turns that hold no SQL."""
        return np.array([float(one.state is not State.UNREADABLE) if one.sql else np.nan for one in self.all])

    @cached_property
    def declined(self) -> Floats:
        """1 or 0; NaN where the end is not the agent's."""
        states = (one.state for one in self.all)
        return np.array([np.nan if one is State.UNKNOWN else float(one is State.DECLINED) for one in states])

    def _says(self, name: str, value: str) -> Truths:
        """Which have this value in a field, or among its values."""
        held = (getattr(one, name) for one in self.all)
        return np.array([value in one if isinstance(one, tuple) else value == one for one in held], dtype=np.bool_)

    def values(self, name: str, of: Truths) -> list[str]:
        """The values of a field, or all that its values hold, among some of them."""
        held = (getattr(self.all[at], name) for at in np.flatnonzero(of))
        found = {each for one in held for each in (one if isinstance(one, tuple) else (one,))}
        return sorted(found - {None, FAULT})
