"""What a report says of one gold RUN: its overview, and what gates ask of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from stef.errors import InputError
from stef.gold.reading import FIGURES, AgentOverview, Overview
from stef.records.case import Case
from stef.records.gold import Bucket
from stef.report.scored import name_of
from stef.report.text import count, percent
from stef.runs.gold.folder import read_cases
from stef.runs.gold.summary import GoldSummary, summarise_gold
from stef.runs.run import Run

RATES = ("correct", "executable")


@dataclass(frozen=True, slots=True)
class GoldReport:
    """One gold RUN."""

    run: Run
    summary: GoldSummary
    cases: Mapping[str, Case]
    repeated: int

    @property
    def overview(self) -> Overview:
        """Its turns at a glance."""
        return self.summary.overview

    def without_turn(self, agent: str | None) -> int:
        """Cases on which an agent's log had no turn."""
        missing: Mapping[str, int] = self.run.about.get("counts", {}).get("without_turn", {})
        return int(missing.get(agent or "", 0))

    def unsound(self) -> Iterator[str]:
        """What fails every gate: missing cases, repeated ids, invalid results."""
        run = self.run
        if not run.complete:
            yield f"{run.path}: the RUN is not finished: cases are missing"
        for agent in self.overview.agents:
            if missing := self.without_turn(agent.agent):
                yield f"{named(agent)}: no turn on {count(missing, 'case')}"
        if self.repeated:
            yield f"{run.path}: {count(self.repeated, 'turn')} with an id that an earlier turn of the same agent has"
        counts = run.about.get("counts", {})
        if repeated := counts.get("repeated_ids"):
            yield f"{run.path}: {count(int(repeated), 'turn')} of the log under an id that an earlier one has"
        if faults := counts.get("case_faults"):
            yield f"{run.path}: {count(int(faults), 'entry', 'entries')} of the case files could not be read"
        if self.overview.own_bugs:
            yield f"{run.path}: stef itself failed on {count(self.overview.own_bugs, 'turn')}"

    def under(self, figure: str, least: float) -> Iterator[str]:
        """Which agents fall short of a figure, and by how much; an undefined one falls short, too."""
        for agent in self.overview.agents:
            value = value_of(agent, figure)
            if value is None:
                yield f"{named(agent)}: {figure} is undefined"
            elif value < least:
                yield f"{named(agent)}: {figure} is {value:.4f}, {least - value:.4f} too low"

    def over(self, bucket: str, most: float, *, share: bool) -> Iterator[str]:
        """Whether more turns than allowed are not right for one cause."""
        turns = sum(agent.buckets.get(Bucket(bucket), 0) for agent in self.overview.agents)
        allowed = most * self.overview.turns if share else most
        if turns > allowed:
            beyond = f", {count(turns - int(allowed), 'turn')} too many" if allowed else ""
            yield f"{count(turns, 'turn')} of {self.overview.turns:,} with the cause {bucket}{beyond}"

    def undecided(self, most: float) -> Iterator[str]:
        """Which agents have too many turns without a verdict."""
        for agent in self.overview.agents:
            without = agent.whole.undecided + agent.whole.held_out
            share = without / agent.whole.turns if agent.whole.turns else 1.0
            if share > most:
                yield (
                    f"{named(agent)}: {percent(share, 2)} without a verdict ({without:,} of {agent.whole.turns:,}), "
                    f"{percent(share - most, 2)} too many"
                )


def gold_report(run: Run) -> GoldReport:
    """Read the RUN. Raises InputError where its files cannot be read, or hold no turn."""
    summary = summarise_gold(run)
    if not summary.overview.turns:
        raise InputError(f"{run.path}: this RUN holds no turns yet; finish it with the same stef gold run first")
    repeated = run.query(
        "SELECT coalesce(sum(n - 1), 0) AS n FROM (SELECT count(*) AS n FROM turns GROUP BY id, agent, agent_version)"
    )
    return GoldReport(run, summary, read_cases(run.path), int(repeated[0]["n"]))


def named(agent: AgentOverview) -> str:
    """An agent as the page names it."""
    return gold_name(agent.agent, agent.agent_version)


def gold_name(agent: str | None, version: str | None) -> str:
    """An agent's name; a version that the name holds already is not said twice."""
    return name_of(agent, None if version and version in (agent or "") else version)


def value_of(agent: AgentOverview, figure: str) -> float | None:
    """A rate or a mean of an agent by its name."""
    if figure == "correct":
        return agent.whole.correct.share
    if figure == "executable":
        return agent.whole.executable.share
    return next((means[figure].value for means in agent.whole.means.values() if figure in means), None)


def known_figures() -> list[str]:
    """The names that `value_of` knows."""
    return [*RATES, *(name for figures in FIGURES.values() for name in figures)]
