"""How agents behaved in a gold run: causes of failures, refusals both ways, readings, stages, the penalised score."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from stef.cli.screen import Grid, count, one_line, percent, show

if TYPE_CHECKING:
    from stef.gold.reading import AgentOverview, Behaviour, Overview, Rate
    from stef.records.gold import CaseReport

_LEFT = frozenset({"cause", "figure", "stage", "agent"})
_MOST_AGENTS = 6
_MOST_PATHS = 12


def show_top_counts(overview: "Overview") -> None:
    """The two counts that stand above all: what stef itself failed on, and what an empty field explains."""
    bugs = count(overview.own_bugs, "turn") if overview.own_bugs else "none"
    empty = count(overview.empty_extractor_failures, "turn") if overview.empty_extractor_failures else "none"
    show(f"Failures that are stef's own bugs: {bugs}")
    show(f"Failures caused by an empty extractor: {empty}")
    for one in overview.empty_extractors:
        agent, field = one_line(one.agent or "–", 40), one_line(one.field, 60)
        cause = f", the cause of {count(one.failures, 'failure')}" if one.failures else ""
        show(f"  EMPTY  {agent}: {field} is empty on all {one.turns:,} turns that should have it{cause}")


def show_causes(overview: "Overview") -> None:
    """Every turn that is not right, by its one cause: a column for each agent."""
    found = {bucket for agent in overview.agents for bucket in agent.buckets}
    if not found:
        return
    rows = [
        [_words(bucket.value), *(f"{agent.buckets.get(bucket, 0):,}" for agent in overview.agents)]
        for bucket in sorted(found, key=list(type(next(iter(found)))).index)
    ]
    rows.append(["all", *(f"{sum(agent.buckets.values()):,}" for agent in overview.agents)])
    _show_by_agent(overview, "cause", rows, "Why turns are not right: one cause each, the first that applies")


def show_behaviour(overview: "Overview", penalty: float) -> None:
    """Refusals scored both ways, with n and the 95 % interval of every share."""
    rows = [
        [name, *(_of(agent, take) for agent in overview.agents)]
        for name, take in _FIGURES
        if any(_rate(agent, take) is not None for agent in overview.agents)
    ]
    if _has_behaviour(overview):
        scores = [_reliability(agent, penalty) for agent in overview.agents]
        rows.append([f"reliability (wrong: −{penalty:g})", *scores])
    _show_by_agent(overview, "figure", rows, "Behaviour: share (right/n; 95 % interval)")
    _show_readings(overview)
    _show_stages(overview)


def behaviour_document(overview: "Overview", penalty: float) -> dict[str, Any]:
    """What the tables compute of the overview, as plain data: the penalised score of each agent."""
    from stef.gold.reading import reliability_of  # noqa: PLC0415  heavy

    found = []
    for agent in overview.agents:
        score = reliability_of(agent.tally, penalty)
        figures = {"score": score.score, "n": score.n, "low": score.low, "high": score.high}
        found.append({"agent": agent.agent, "agent_version": agent.agent_version, "penalty": penalty, **figures})
    return {"reliability": found}


_FIGURES: tuple[tuple[str, "Callable[[Behaviour], Rate]"], ...] = (
    ("decline precision", lambda found: found.decline.precision),
    ("decline recall", lambda found: found.decline.recall),
    ("clarification precision", lambda found: found.clarification.precision),
    ("clarification recall", lambda found: found.clarification.recall),
    ("answers where it should", lambda found: found.answering),
    ("over-refusal", lambda found: found.over_refusal),
    ("needless clarification", lambda found: found.needless_clarification),
    ("controls answered", lambda found: found.controls_answered),
    ("over-refusal of controls", lambda found: found.controls_over_refusal),
    ("answered without a query", lambda found: found.without_query),
)


def _rate(agent: "AgentOverview", take: "Callable[[Behaviour], Rate]") -> "Rate | None":
    rate = take(agent.behaviour) if agent.behaviour else None
    return rate if rate is not None and rate.n else None


def _of(agent: "AgentOverview", take: "Callable[[Behaviour], Rate]") -> str:
    rate = _rate(agent, take)
    return "–" if rate is None else share(rate)


def share(rate: "Rate") -> str:
    """A share with what it is made of, and its interval."""
    if rate.share is None or rate.low is None or rate.high is None:
        return "–"
    return f"{percent(rate.share)} ({rate.count:,}/{rate.n:,}; {rate.low * 100:.0f}–{rate.high * 100:.0f})"


def _has_behaviour(overview: "Overview") -> bool:
    """Whether anything but plain answering is in the run."""
    from stef.records.case import Expected  # noqa: PLC0415  heavy
    from stef.records.gold import Outcome  # noqa: PLC0415

    outcomes = [agent.behaviour.outcomes for agent in overview.agents if agent.behaviour]
    expected = {one for found in outcomes for one in found}
    ended = {one for found in outcomes for counts in found.values() for one in counts}
    return bool(expected - {Expected.ANSWER} or ended - {Outcome.ANSWERED, Outcome.FAILED})


def _reliability(agent: "AgentOverview", penalty: float) -> str:
    from stef.gold.reading import reliability_of  # noqa: PLC0415  heavy

    found = reliability_of(agent.tally, penalty)
    if found.score is None:
        return "–"
    interval = "" if found.low is None or found.high is None else f"; {found.low:.2f} to {found.high:.2f}"
    return f"{found.score:.3f} (n {found.n:,}{interval})"


def _show_readings(overview: "Overview") -> None:
    rows = []
    for agent in overview.agents:
        found = agent.behaviour.readings if agent.behaviour else None
        if found is not None:
            covered = "–" if found.covered.value is None else f"{percent(found.covered.value)} ({found.covered.n:,})"
            counts = (len(found.cases), found.first, found.others, found.asked, found.neither)
            rows.append([_name(agent), *(f"{one:,}" for one in counts), covered])
    if rows:
        headers = ("agent", "questions", "first reading", "another", "asked back", "neither", "readings covered (n)")
        show()
        Grid(headers, rows, _LEFT, "Questions with several readings: which was taken; covered by several turns").show()


def _show_stages(overview: "Overview") -> None:
    names = list(dict.fromkeys(one.name for agent in overview.agents for one in agent.stage_paths))
    rows = []
    for name in names[:_MOST_PATHS]:
        found = [next((one for one in agent.stage_paths if one.name == name), None) for agent in overview.agents]
        rows.append(
            [one_line(name, 60), *("–" if one is None else _stage(one.as_expected, one.absent) for one in found)]
        )
    more = f" (the first {_MOST_PATHS} of {len(names)})" if len(names) > _MOST_PATHS else ""
    _show_by_agent(overview, "stage", rows, f"Stages: as the cases expect (right/n; 95 % interval){more}")


def _stage(rate: "Rate", absent: int) -> str:
    lacking = f"{absent:,} without" if absent else ""
    return ", ".join(part for part in (share(rate) if rate.n else "", lacking) if part)


def _show_by_agent(overview: "Overview", first: str, rows: list[list[str]], title: str) -> None:
    """A table with a column for each agent; of many agents, several tables."""
    if not rows:
        return
    show()
    for number, (start, end) in enumerate(_chunks(len(overview.agents))):
        headers = [first, *(_name(agent) for agent in overview.agents[start:end])]
        lines = [[row[0], *row[1 + start : 1 + end]] for row in rows]
        Grid(headers, lines, _LEFT, title if number == 0 else "").show()


def _chunks(agents: int) -> Iterator[tuple[int, int]]:
    for start in range(0, agents, _MOST_AGENTS):
        yield start, start + _MOST_AGENTS


def _name(agent: "AgentOverview") -> str:
    return one_line(agent.agent or "–", 40)


def _words(name: str) -> str:
    return name.replace("_", " ")


def behaviour_lines(report: "CaseReport") -> Iterator[str]:
    """What was expected of one turn where that is no answer, the cause where it is not right, and its stages."""
    if report.expected.value != "answer":
        yield f"expected: {report.expected.value}"
    if report.bucket is not None:
        yield f"cause: {_words(report.bucket.value)}"
    for grade in report.stages:
        found = {"as_expected": "as expected", "absent": "the turn does not have it"}
        said = found.get(grade.state.value, f"found {one_line(repr(grade.found), 80)}")
        yield f"stage {one_line(grade.path, 60)}: expected {one_line(repr(grade.expected), 80)}, {said}"
