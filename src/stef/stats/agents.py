"""The agent table: mean, P90, coverage, readable rate and bands of each agent and version, row by row."""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from stef.records.assessment import Band
from stef.records.reasons import UnscoredKind, UnscoredReason
from stef.stats.means import mean, percentile

_BANDS = tuple(Band)
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """What the table reads of one turn. `score` None is an unscored turn; `has_sql`: the turn holds SQL text."""

    agent: str | None
    agent_version: str | None
    score: float | None
    band: Band | None = None
    unscored_reason: UnscoredReason | None = None
    unscored_kind: UnscoredKind | None = None
    has_sql: bool = True


@dataclass(frozen=True, slots=True)
class AgentSummary:
    """One line of the agent table. A figure whose denominator is 0 is None: never 0.

    `coverage` = scored / turns. `readable_rate` = `readable` / `with_sql`: turns with one readable query over turns
    that hold SQL. `p90` is the 90th percentile by linear interpolation. `bands` counts the scored turns, `reasons` and
    `kinds` the unscored ones; the latter two have only what occurred.
    """

    agent: str | None
    agent_version: str | None
    turns: int
    scored: int
    mean: float | None
    p90: float | None
    with_sql: int
    readable: int
    bands: Mapping[Band, int]
    reasons: Mapping[UnscoredReason, int]
    kinds: Mapping[UnscoredKind, int]

    @property
    def unscored(self) -> int:
        """Turns without a score."""
        return self.turns - self.scored

    @property
    def coverage(self) -> float | None:
        """Scored turns over all turns."""
        return self.scored / self.turns if self.turns else None

    @property
    def readable_rate(self) -> float | None:
        """Turns with one readable query over turns that hold SQL."""
        return self.readable / self.with_sql if self.with_sql else None

    def to_json(self) -> dict[str, Any]:
        """The line of the table as plain data."""
        return {
            "agent": self.agent,
            "agent_version": self.agent_version,
            "turns": self.turns,
            "scored": self.scored,
            "mean": self.mean,
            "p90": self.p90,
            "coverage": self.coverage,
            "readable_rate": self.readable_rate,
            "bands": {band.value: turns for band, turns in self.bands.items()},
            "unscored_reasons": {reason.value: turns for reason, turns in self.reasons.items()},
        }

    @property
    def band_shares(self) -> Mapping[Band, float] | None:
        """The share of each band among the scored turns."""
        return {band: count / self.scored for band, count in self.bands.items()} if self.scored else None


@dataclass(slots=True)
class _Tally:
    """The counts of one agent and version; eight bytes a score."""

    turns: int = 0
    with_sql: int = 0
    readable: int = 0
    scores: "array[float]" = field(default_factory=lambda: array("d"))
    bands: Counter[Band] = field(default_factory=Counter)
    reasons: Counter[UnscoredReason] = field(default_factory=Counter)
    kinds: Counter[UnscoredKind] = field(default_factory=Counter)

    def add(self, row: ScoreRow) -> None:
        self.turns += 1
        if row.score is not None:
            self.scores.append(row.score)
            if row.band is not None:
                self.bands[row.band] += 1
        if row.unscored_reason is not None:
            self.reasons[row.unscored_reason] += 1
        if row.unscored_kind is not None:
            self.kinds[row.unscored_kind] += 1
        if holds_sql(row.has_sql, row.unscored_kind, row.unscored_reason):
            self.with_sql += 1
            self.readable += row.unscored_kind is not UnscoredKind.AGENT

    def merge(self, other: "_Tally") -> None:
        self.turns += other.turns
        self.with_sql += other.with_sql
        self.readable += other.readable
        self.scores.extend(other.scores)
        self.bands.update(other.bands)
        self.reasons.update(other.reasons)
        self.kinds.update(other.kinds)

    def summary(self, agent: str | None, version: str | None) -> AgentSummary:
        return AgentSummary(
            agent=agent,
            agent_version=version,
            turns=self.turns,
            scored=len(self.scores),
            mean=mean(self.scores),
            p90=percentile(self.scores, 0.9),
            with_sql=self.with_sql,
            readable=self.readable,
            bands={band: self.bands[band] for band in _BANDS},
            reasons=dict(sorted(self.reasons.items())),
            kinds=dict(sorted(self.kinds.items())),
        )


class AgentTable:
    """Adds up rows one by one. What it holds grows with the number of agents, and by eight bytes a score."""

    def __init__(self, rows: Iterable[ScoreRow] = ()) -> None:
        self._tallies: dict[tuple[str | None, str | None], _Tally] = {}
        for row in rows:
            self.add(row)

    def add(self, row: ScoreRow) -> None:
        """Count one turn."""
        key = (row.agent, row.agent_version)
        tally = self._tallies.get(key)
        if tally is None:
            tally = self._tallies[key] = _Tally()
        tally.add(row)

    def agents(self) -> tuple[AgentSummary, ...]:
        """One summary for each agent and version, ordered by name (`v9` before `v10`), the nameless last."""
        keys = sorted(self._tallies, key=lambda key: (_natural(key[0]), _natural(key[1])))
        return tuple(self._tallies[key].summary(*key) for key in keys)

    def total(self) -> AgentSummary:
        """All turns as one; its agent and version are None."""
        whole = _Tally()
        for tally in self._tallies.values():
            whole.merge(tally)
        return whole.summary(None, None)


def agent_table(rows: Iterable[ScoreRow]) -> tuple[AgentSummary, ...]:
    """The summary of each agent and version in `rows`."""
    return AgentTable(rows).agents()


def holds_sql(has_sql: bool, kind: str | None, reason: str | None) -> bool:
    """Whether a turn, unscored for `reason` of `kind` or scored (None), counts for the readable rate.

    Not where there was nothing (`empty`), the agent chose not to answer, or stef failed before it could tell.
    """
    if kind == UnscoredKind.BEHAVIOUR:
        return False
    return has_sql and reason not in {UnscoredReason.EMPTY, UnscoredReason.HARNESS_FAULT}


def _natural(name: str | None) -> tuple[bool, tuple[tuple[int, str], ...]]:
    parts = _DIGITS.split(name or "")
    return name is None, tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
