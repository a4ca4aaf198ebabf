"""A gold RUN in the rows of a page: what limits it, rates with intervals, families with n, causes, slices."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from stef.gold.reading import AgentOverview, Behaviour, Mean, Rate
from stef.records.gold import Bucket
from stef.report.gold import GoldReport, named
from stef.report.text import DASH, count, one_line, words

_MOST_NAMED = 5
_PRECISION, _RECALL = "_precision", "_recall"


@dataclass(frozen=True, slots=True)
class Family:
    """One family of metrics: a row for each figure that any agent has; for each agent its mean.

    `pairs` are figures with precision and recall, `rows` all others.
    """

    name: str
    pairs: tuple[tuple[str, tuple[tuple[Mean, Mean], ...]], ...]
    rows: tuple[tuple[str, tuple[Mean, ...]], ...]


@dataclass(frozen=True, slots=True)
class CauseRow:
    """A cause of turns that are not right: how many of each agent; `link` opens them in the list."""

    title: str
    link: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SliceTable:
    """The rate of right turns of each agent, by the values of one field."""

    by: str
    rows: tuple[tuple[str, tuple[Rate | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class GoldView:
    """What the page shows of one gold RUN."""

    report: GoldReport
    number: int
    facts: tuple[str, ...]
    top: tuple[str, ...]
    remarks: tuple[str, ...]
    names: tuple[str, ...]
    missing: tuple[int, ...]
    families: tuple[Family, ...]
    causes: tuple[CauseRow, ...]
    behaviour: tuple[tuple[str, tuple[Rate | None, ...]], ...]
    slices: tuple[SliceTable, ...]
    ceilings: tuple[tuple[str, tuple[int, ...]], ...]
    symptoms: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def name(self) -> str:
        """The RUN's folder."""
        return str(self.report.run.path)

    @property
    def agents(self) -> Sequence[AgentOverview]:
        """Its agents."""
        return self.report.overview.agents


def gold_views(reports: Sequence[GoldReport]) -> tuple[GoldView, ...]:
    """What the page shows of each RUN."""
    return tuple(_view(number, report) for number, report in enumerate(reports))


def _view(number: int, report: GoldReport) -> GoldView:
    agents = report.overview.agents
    return GoldView(
        report=report,
        number=number,
        facts=tuple(_facts(report)),
        top=tuple(_top(report)),
        remarks=tuple(remarks_of(report)),
        names=tuple(named(agent) for agent in agents),
        missing=tuple(report.without_turn(agent.agent) for agent in agents),
        families=tuple(_families(agents)),
        causes=tuple(_causes(agents)),
        behaviour=tuple(_behaviour(agents)),
        slices=tuple(_slices(agents)),
        ceilings=_counts(agents, lambda agent: {words(one.value): n for one, n in agent.ceilings.items()}),
        symptoms=_counts(agents, lambda agent: {words(one.value): n for one, n in agent.symptoms.items()}),
    )


def _facts(report: GoldReport) -> Iterator[str]:
    settings = report.run.settings
    inputs = [str(one.get("name")) for one in settings.get("inputs") or () if isinstance(one, dict)]
    yield f"{count(report.overview.cases, 'case')}" + (f" of {', '.join(inputs[:3])}" if inputs else "")
    if settings.get("database"):
        yield f"on {one_line(str(settings['database']), 80)}"
    if version := settings.get("stef_version"):
        yield f"stef {version}"


def _top(report: GoldReport) -> Iterator[str]:
    """What says nothing of an agent, and comes before everything that does."""
    overview = report.overview
    if overview.own_bugs:
        yield f"Failures that are stef's own bugs: {count(overview.own_bugs, 'turn')}"
    for one in overview.empty_extractors:
        cause = f", the cause of {count(one.failures, 'failure')}" if one.failures else ""
        yield f"{one.agent or DASH}: {one.field} is empty on all {one.turns:,} turns that should have it{cause}"
    for fault in overview.scorer_faults[:_MOST_NAMED]:
        yield f"A contradiction in stef's own scorers: case {fault.case_id}: {fault.message}"


def remarks_of(report: GoldReport) -> Iterator[str]:
    """What limits the run."""
    overview, run = report.overview, report.run
    if not run.complete:
        yield "This RUN is not finished: the figures are of the turns that are in it so far."
    if overview.held_out:
        some = ", ".join(one_line(case, 40) for case in overview.held_out[:_MOST_NAMED])
        more = ", …" if len(overview.held_out) > _MOST_NAMED else ""
        cases = count(len(overview.held_out), "case")
        yield f"Held out of every mean, as none of their golds can be trusted: {cases}: {some}{more}"
    for one in report.summary.agreements[:_MOST_NAMED]:
        yield f"Gold in doubt: {one.case_id}: {one.agents} of {one.asked} agents give one and the same other answer."
    if (more_doubts := len(report.summary.agreements) - _MOST_NAMED) > 0:
        yield f"Gold in doubt: and {more_doubts} more such cases."
    counts = run.about.get("counts", {})
    if counts.get("case_faults"):
        yield f"{count(int(counts['case_faults']), 'entry', 'entries')} of the case files left out."
    limits = run.about.get("ceilings", {})
    if blind := limits.get("leave_one_out_not_in_force"):
        yield f"Cannot be kept from examples that hold the answer: {', '.join(map(str, blind[:_MOST_NAMED]))}."
    if limits.get("no_retriever"):
        yield "Nobody was asked for tables directly, so that retrieval is what the agents' own calls offered."
    if caps := sum(agent.display_caps for agent in overview.agents):
        yield f"Display caps: {count(caps, 'turn')} showed fewer rows only because the agent cuts its answers."
    if overview.leaks:
        yield f"Leaks: {count(overview.leaks, 'turn')} used an example that was to be hidden."


def _families(agents: Sequence[AgentOverview]) -> Iterator[Family]:
    for family in agents[0].whole.means if agents else ():
        held = [agent.whole.means[family] for agent in agents]
        figures = [name for name in held[0] if any(means[name].n for means in held)]
        both = [name.removesuffix(_RECALL) for name in held[0] if name.endswith(_RECALL)]
        paired = [name for name in both if {name + _PRECISION, name + _RECALL} & set(figures)]
        single = [name for name in figures if not name.endswith((_PRECISION, _RECALL))]
        if figures:
            yield Family(
                family,
                tuple((words(one), tuple((of[one + _PRECISION], of[one + _RECALL]) for of in held)) for one in paired),
                tuple((words(one), tuple(of[one] for of in held)) for one in single),
            )


def _causes(agents: Sequence[AgentOverview]) -> Iterator[CauseRow]:
    for bucket in Bucket:
        counts = tuple(agent.buckets.get(bucket, 0) for agent in agents)
        if any(counts):
            title = words(bucket.value)
            yield CauseRow(title, f"#cause={quote(title, safe='')}", counts)


_BEHAVIOUR: tuple[tuple[str, Callable[[Behaviour], Rate]], ...] = (
    ("answered, where an answer was right", lambda found: found.answering),
    ("declined, where declining was right", lambda found: found.declining),
    ("asked back, where asking was right", lambda found: found.asking),
    ("declines that were right", lambda found: found.decline.precision),
    ("unanswerable ones that it declined", lambda found: found.decline.recall),
    ("questions back that were right", lambda found: found.clarification.precision),
    ("over-refusals, of what can be answered", lambda found: found.over_refusal),
    ("needless questions back", lambda found: found.needless_clarification),
    ("answers without a query, of all turns", lambda found: found.without_query),
)


def _behaviour(agents: Sequence[AgentOverview]) -> Iterator[tuple[str, tuple[Rate | None, ...]]]:
    for title, take in _BEHAVIOUR:
        rates = tuple(take(agent.behaviour) if agent.behaviour else None for agent in agents)
        if any(rate is not None and rate.n for rate in rates):
            yield title, rates


def _slices(agents: Sequence[AgentOverview]) -> Iterator[SliceTable]:
    for by in dict.fromkeys(name for agent in agents for name in agent.slices):
        held = [{one.value: one.figures.correct for one in agent.slices.get(by, ())} for agent in agents]
        values = sorted({value for one in held for value in one}, key=lambda value: (value is None, value or ""))
        if len(values) > 1:
            rows = tuple((value or "none", tuple(one.get(value) for one in held)) for value in values)
            yield SliceTable(by, rows)


def _counts(
    agents: Sequence[AgentOverview], take: Callable[[AgentOverview], Mapping[str, int]]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    held = [take(agent) for agent in agents]
    names = dict.fromkeys(name for one in held for name in one)
    return tuple((name, tuple(one.get(name, 0) for one in held)) for name in names)
