"""What a report says of one RUN of `stef score`: figures over all of its turns, in one pass."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from stef.errors import InputError
from stef.records.assessment import Band
from stef.report.causes import Cause, cause_of, shares_of_loss, strength, titles
from stef.report.periods import Calendar, Period, Running, calendar_of, in_order, moment
from stef.runs.run import Run
from stef.runs.summary import RunSummary, summarise

BIN = 5
"""Points of one bar of the distribution; 100 belongs to the last."""
BINS = 100 // BIN
_LOW_BANDS = frozenset({Band.MARGINAL.value, Band.POOR.value})
_EXAMPLES = 3
_MOST_LINES = 5
"""Agents that get a line of their own in the trend: more cannot be told apart."""
_COLUMNS = (
    "row",
    "agent",
    "agent_version",
    "timestamp",
    "score",
    "p_correct",
    "band",
    "filter_alignment",
    "verdict",
    "extra_filters",
    "benign_filters",
    "findings",
    "unscored_reason",
)


@dataclass(frozen=True, slots=True)
class FindingCost:
    """A finding by what goes with it. `points` of the mean: what its turns lose, shared equally among their findings.

    Over all findings, and the two lines without one, the points add up to 100 − mean. `strength`: how much more often
    than others its turns were wrong on labelled ones; None where it is no finding.
    """

    code: str
    title: str
    turns: int
    mean: float | None
    points: float
    strength: float | None


@dataclass(frozen=True, slots=True)
class CauseGroup:
    """The low and the unscored turns of one cause. `lost`: points; `examples` are rows, the lowest score first."""

    cause: Cause
    turns: int
    lost: float
    examples: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trend:
    """The periods of all turns, and of each agent where there are a few; turns without a time are counted apart."""

    unit: str
    periods: tuple[Period, ...]
    agents: Mapping[str, tuple[Period, ...]]
    without_time: int


@dataclass(frozen=True, slots=True)
class ScoredReport:
    """One RUN. `distribution` counts scores by agent in bins of BIN points; `filter_means` are by class of filters."""

    run: Run
    summary: RunSummary
    distribution: Mapping[str, tuple[int, ...]]
    trend: Trend | None
    costs: tuple[FindingCost, ...]
    causes: tuple[CauseGroup, ...]
    filter_means: Mapping[str, float | None]
    verdicts: Mapping[str, int]
    repeated: int

    def turns_with(self, kind: str, name: str) -> tuple[int, str | None]:
        """How many turns have a `finding`, are `unscored` for a reason, or in a `band`; and the id of the first."""
        where = {
            "finding": "list_contains(findings, ?)",
            "unscored": "unscored_reason = ?",
            "band": "band = ?",
        }[kind]
        found = self.run.query(f"SELECT count(*) AS n, arg_min(id, row) AS id FROM turns WHERE {where}", [name])  # noqa: S608
        return (found[0]["n"], found[0]["id"]) if found else (0, None)

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The agents, as the page names them."""
        return tuple(name_of(one.agent, one.agent_version) for one in self.summary.agents)


def name_of(agent: str | None, version: str | None) -> str:
    """An agent with its version, as one name."""
    return " ".join(part for part in (agent, version) if part) or "unnamed agent"


def is_low(row: Mapping[str, Any]) -> bool:
    """Whether a turn goes under a cause: marginal, poor, or without a score."""
    return row["score"] is None or row["band"] in _LOW_BANDS


def scored_report(run: Run) -> ScoredReport:
    """Read the RUN. Raises InputError where its files cannot be read, or hold no turn."""
    summary = summarise(run)
    if not summary.total.turns:
        raise InputError(f"{run.path}: this RUN holds no turns yet; finish it with the same stef score first")
    calendar = _calendar(run)
    seen = _Seen(calendar)
    for row in run.rows(_COLUMNS):
        seen.add(row)
    means = run.query("SELECT filter_alignment AS name, avg(score) AS mean FROM turns GROUP BY 1")
    repeated = run.query(
        "SELECT coalesce(sum(n - 1), 0) AS n FROM (SELECT count(*) AS n FROM turns GROUP BY id, agent, agent_version)"
    )
    return ScoredReport(
        run=run,
        summary=summary,
        distribution={name: tuple(bins) for name, bins in sorted(seen.bins.items())},
        trend=seen.trend(len(summary.agents)),
        costs=tuple(seen.costs()),
        causes=tuple(seen.groups()),
        filter_means={row["name"]: row["mean"] for row in means if row["name"]},
        verdicts=dict(seen.verdicts),
        repeated=int(repeated[0]["n"]),
    )


def _calendar(run: Run) -> Calendar | None:
    found = run.query("SELECT epoch_us(min(timestamp)) AS first, epoch_us(max(timestamp)) AS last FROM turns")
    if not found or found[0]["first"] is None:
        return None
    return calendar_of(moment(found[0]["first"]), moment(found[0]["last"]))


@dataclass(slots=True)
class _Tally:
    """The turns of a finding, or of a cause."""

    turns: int = 0
    total: float = 0.0
    lost: float = 0.0
    worst: list[tuple[float, float, int]] = field(default_factory=list)

    def keep(self, row: Mapping[str, Any]) -> None:
        """Keep the turn as an example, where it is among the lowest."""
        entry = (-(row["score"] or 0.0), -(row["p_correct"] or 0.0), -row["row"])
        if len(self.worst) < _EXAMPLES:
            heapq.heappush(self.worst, entry)
        else:
            heapq.heappushpop(self.worst, entry)


class _Seen:
    """What one pass over the turns adds up."""

    def __init__(self, calendar: Calendar | None) -> None:
        self.calendar = calendar
        self.bins: defaultdict[str, list[int]] = defaultdict(lambda: [0] * BINS)
        self.periods: defaultdict[datetime, Running] = defaultdict(Running)
        self.by_agent: defaultdict[str, defaultdict[datetime, Running]] = defaultdict(lambda: defaultdict(Running))
        self.without_time = 0
        self.losses: defaultdict[str, _Tally] = defaultdict(_Tally)
        self.causes: defaultdict[Cause, _Tally] = defaultdict(_Tally)
        self.verdicts: Counter[str] = Counter()
        self.scored = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Count one turn."""
        agent, score = name_of(row["agent"], row["agent_version"]), row["score"]
        self._at(row["timestamp"], agent, score)
        if score is not None:
            self.scored += 1
            self.bins[agent][min(int(score // BIN), BINS - 1)] += 1
            self.verdicts[row["verdict"] or "none"] += 1
            self._lose(row, 100.0 - score)
        if is_low(row):
            tally = self.causes[cause_of(row)]
            tally.turns += 1
            tally.lost += 0.0 if score is None else 100.0 - score
            tally.keep(row)

    def _at(self, time: datetime | None, agent: str, score: float | None) -> None:
        if self.calendar is None or time is None:
            self.without_time += 1
            return
        start = self.calendar.start(time)
        self.periods[start].add(score)
        self.by_agent[agent][start].add(score)

    def _lose(self, row: Mapping[str, Any], lost: float) -> None:
        shared = shares_of_loss(row)
        for name in shared:
            tally = self.losses[name]
            tally.turns += 1
            tally.total += row["score"]
            tally.lost += lost / len(shared)

    def costs(self) -> Iterator[FindingCost]:
        """The findings, those first that the most points go with."""
        for code, tally in sorted(self.losses.items(), key=lambda item: (item[0] in _WITHOUT, -item[1].lost, item[0])):
            known = code not in _WITHOUT
            yield FindingCost(
                code=code if known else "",
                title=titles().get(code, "") if known else _WITHOUT[code],
                turns=tally.turns,
                mean=tally.total / tally.turns,
                points=tally.lost / self.scored,
                strength=strength(code) if known else None,
            )

    def groups(self) -> Iterator[CauseGroup]:
        """The causes by points lost, then reasons without a score by their number; last what nothing is named for."""
        ordered = sorted(
            self.causes.items(), key=lambda item: (item[0].unnamed, -item[1].lost, -item[1].turns, item[0].name)
        )
        for cause, tally in ordered:
            rows = tuple(-entry[2] for entry in sorted(tally.worst, reverse=True))
            yield CauseGroup(cause, tally.turns, tally.lost, rows)

    def trend(self, agents: int) -> Trend | None:
        """The periods; None where no turn has a time."""
        if self.calendar is None or not self.periods:
            return None
        calendar, span = self.calendar, (min(self.periods), max(self.periods))
        several = 1 < agents <= _MOST_LINES
        lines = {name: tuple(in_order(calendar, held, span)) for name, held in sorted(self.by_agent.items()) if several}
        return Trend(calendar.unit, tuple(in_order(calendar, self.periods, span)), lines, self.without_time)


_WITHOUT = {"filters": "no finding; filters not as asked", "none": "no finding"}
