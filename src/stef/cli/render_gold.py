"""A gold RUN in short: what is stef's own fault and what limits it on top, then the agents, family by family."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from stef.cli.render_behaviour import behaviour_document, show_behaviour, show_causes, show_top_counts
from stef.cli.render_coincidence import show_coincidences
from stef.cli.screen import Grid, count, one_line, percent, quoted, show

if TYPE_CHECKING:
    from stef.gold.reading import AgentOverview, Mean, Overview, Rate
    from stef.runs.gold.summary import GoldSummary
    from stef.runs.run import Run

_LEFT = frozenset({"agent", "version", "what", "whose", "such as", "case"})
_COMPONENTS = ("tables", "joins", "projections", "filters", "aggregations", "grouping")
_SLICED = ("category", "difficulty", "kind", "tag", "stage")
_MOST_VALUES, _MOST_SHOWN = 8, 5


def show_gold_run(run: "Run", summary: "GoldSummary", penalty: float) -> None:
    """Print the overview of a run. `penalty` is what a wrong answer costs in the reliability score."""
    overview = summary.overview
    agents = count(len(overview.agents), "agent")
    show(
        f"{count(overview.cases, 'case')} on {run.settings.get('database')}, {agents}, {count(overview.turns, 'turn')}"
    )
    show_top_counts(overview)
    _show_limits(run, summary)
    _show_agents(run, overview)
    _show_output(overview)
    _show_components(overview)
    _show_retrieval(overview)
    show_causes(overview)
    _show_outcomes(overview)
    show_behaviour(overview, penalty)
    _show_phrasings(overview)
    show_coincidences(overview)
    _show_faults(overview)
    _show_slices(overview)
    _show_times(overview)
    _show_next(run, summary)


def _show_limits(run: "Run", summary: "GoldSummary") -> None:
    """Scorer faults first, then ceilings, then what else limits the run."""
    overview = summary.overview
    for fault in overview.scorer_faults[:_MOST_SHOWN]:
        show(
            f"SCORER FAULT  {one_line(fault.case_id, 40)}, {one_line(str(fault.agent), 40)}: {one_line(fault.message)}"
        )
    show(f"Scorer faults: {len(overview.scorer_faults) or 'none'}")
    ceilings = [f"{ceiling.value} {turns:,}" for ceiling, turns in overview.ceilings.items()]
    show(f"Ceilings (turns): {', '.join(ceilings) or 'none'}")
    for line in _remarks(run, summary):
        show(line)


def _remarks(run: "Run", summary: "GoldSummary") -> Iterator[str]:
    yield from _about_golds(run, summary)
    yield from _about_input(run, summary)
    yield from _about_turns(summary.overview)
    if not run.complete:
        yield "This RUN is not finished; the same `stef gold run` goes on with it"


def _about_golds(run: "Run", summary: "GoldSummary") -> Iterator[str]:
    held_out, agreements = summary.overview.held_out, summary.agreements
    if held_out:
        some = ", ".join(one_line(case, 40) for case in held_out[:_MOST_SHOWN])
        more = ", …" if len(held_out) > _MOST_SHOWN else ""
        cases = count(len(held_out), "case")
        yield f"Held out of every mean, as none of their golds can be trusted: {cases}: {some}{more}"
    for one in agreements[:_MOST_SHOWN]:
        yield (
            f"Gold in doubt: {one_line(one.case_id, 40)}: {one.agents} of {one.asked} agents give one and the same "
            f"other answer (stef gold explain {run.path} {quoted(one.example)})"
        )
    if len(agreements) > _MOST_SHOWN:
        yield f"Gold in doubt: and {len(agreements) - _MOST_SHOWN} more such cases (--json lists them)"


def _about_input(run: "Run", summary: "GoldSummary") -> Iterator[str]:
    counts, limits = run.about.get("counts", {}), run.about.get("ceilings", {})
    if counts.get("case_faults"):
        first = one_line(run.about.get("case_faults", [""])[0], 160)
        yield f"{count(counts['case_faults'], 'entry', 'entries')} of the case files left out; the first: {first}"
    for message, turns in [*summary.unreachable.items()][:_MOST_SHOWN]:
        yield f"Database down: {count(turns, 'turn')} undefined: {one_line(message, 160)}"
    if unused := counts.get("turns_without_case"):
        yield f"Turns that answer none of these cases: {unused:,}"
    if blind := limits.get("leave_one_out_not_in_force"):
        yield f"leave_one_out_not_in_force: {_names(blind)} cannot be kept from examples that hold the answer"
    if limits.get("no_retriever"):
        yield "no_retriever: nobody was asked for tables directly (--retriever), so retrieval is undefined"


def _about_turns(overview: "Overview") -> Iterator[str]:
    if caps := sum(agent.display_caps for agent in overview.agents):
        yield f"Display caps: {count(caps, 'turn')} showed the user fewer rows only because the agent cuts its answers"
    if overview.leaks:
        yield f"Leaks: {count(overview.leaks, 'turn')} used an example that was to be hidden"


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(one_line(name, 30) for name in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


def _show_agents(run: "Run", overview: "Overview") -> None:
    missing = run.about.get("counts", {}).get("without_turn", {})
    versions = any(agent.agent_version and agent.agent_version not in (agent.agent or "") for agent in overview.agents)
    headers = ["agent", *(["version"] if versions else []), "turns", "no turn", "held out", "executable", "correct"]
    headers += ["95 % interval", "n"]
    rows = []
    for agent in overview.agents:
        whole = agent.whole
        rows.append(
            [
                _name(agent),
                *([one_line(agent.agent_version or "–", 20)] if versions else []),
                f"{whole.turns:,}",
                f"{missing.get(agent.agent, 0):,}",
                f"{whole.held_out:,}",
                percent(whole.executable.share),
                percent(whole.correct.share),
                interval(whole.correct),
                f"{whole.correct.n:,}",
            ]
        )
    show()
    Grid(headers, rows, _LEFT, keys=1).show()


def interval(rate: "Rate") -> str:
    """The interval of a rate; a dash where there is none."""
    return "–" if rate.low is None or rate.high is None else f"{rate.low * 100:.1f} to {rate.high * 100:.1f} %"


def _name(agent: "AgentOverview") -> str:
    return one_line(agent.agent or "–", 40)


def mean_and_n(mean: "Mean") -> str:
    """A mean with its n; a dash where it is undefined."""
    return "–" if mean.value is None else f"{mean.value:.3f} ({mean.n:,})"


def _show_family(overview: "Overview", title: str, family: str, figures: Sequence[tuple[str, str]]) -> None:
    """One line an agent, one column a figure (header, name); nothing where all are undefined."""
    rows = [[mean_and_n(agent.whole.means[family][name]) for _, name in figures] for agent in overview.agents]
    kept = [index for index in range(len(figures)) if any(row[index] != "–" for row in rows)]
    if not kept:
        return
    show()
    headers = ["agent", *(figures[index][0] for index in kept)]
    lines = [[_name(agent), *(row[i] for i in kept)] for agent, row in zip(overview.agents, rows, strict=True)]
    grid = Grid(headers, lines, _LEFT, title, keys=1)
    # In a pipe nothing is too wide, but a dozen columns are too many to read.
    for part in (grid,) if len(headers) <= _MOST_VALUES else grid.split(1, (len(headers) + 2) // 2):
        part.show()


def _show_output(overview: "Overview") -> None:
    figures = [
        ("columns P", "columns_precision"),
        ("columns R", "columns_recall"),
        ("cells P", "cells_precision"),
        ("cells R", "cells_recall"),
        ("exact match", "exact_match"),
        ("bird_ex", "bird_ex"),
    ]
    _show_family(overview, "Output: mean (n); P precision, R recall", "output", figures)


def _show_components(overview: "Overview") -> None:
    figures = [(f"{name} {short}", f"{name}_{long}") for name in _COMPONENTS for short, long in _TWO]
    _show_family(overview, "Components: mean (n)", "component", figures)


_TWO = (("P", "precision"), ("R", "recall"))


def _show_retrieval(overview: "Overview") -> None:
    figures = [
        ("recall", "retrieval_recall"),
        ("precision", "retrieval_precision"),
        ("spurious", "retrieval_spurious"),
        ("agent's own recall", "agent_retrieval_recall"),
        ("precision of it", "agent_retrieval_precision"),
    ]
    _show_family(overview, "Retrieval: mean (n)", "retrieval", figures)


def _show_outcomes(overview: "Overview") -> None:
    found = list(dict.fromkeys(outcome for agent in overview.agents for outcome in agent.outcomes))
    if len(found) < 2:
        return
    show()
    headers = ["agent", *(outcome.value.replace("_", " ") for outcome in found)]
    rows = [[_name(agent), *(f"{agent.outcomes.get(one, 0):,}" for one in found)] for agent in overview.agents]
    Grid(headers, rows, _LEFT, "How the turns ended", keys=1).show()


def _show_phrasings(overview: "Overview") -> None:
    rows = [
        [
            _name(agent),
            *(f"{turns:,}" for turns in (len(found.questions), found.always, found.sometimes, found.never)),
            mean_and_n(found.share),
            mean_and_n(found.spread),
        ]
        for agent in overview.agents
        if (found := agent.phrasings) is not None
    ]
    if rows:
        headers = ("agent", "questions", "always right", "sometimes", "never", "share right", "spread")
        show()
        Grid(headers, rows, _LEFT, "Questions in several phrasings; spread: standard deviation", keys=1).show()


def _show_faults(overview: "Overview") -> None:
    rows = [
        [whose.value, kind, f"{turns:,}"] for whose, kinds in overview.faults.items() for kind, turns in kinds.items()
    ]
    if rows:
        show()
        Grid(("whose", "what", "turns"), rows, _LEFT, "Errors, by whose they are").show()


def _show_slices(overview: "Overview") -> None:
    for field in _SLICED:
        turns: dict[str | None, int] = {}
        for agent in overview.agents:
            for one in agent.slices.get(field, ()):
                turns[one.value] = turns.get(one.value, 0) + one.figures.turns
        if len(turns) < 2:
            continue
        largest = sorted(turns, key=lambda value: -turns[value])[:_MOST_VALUES]
        values = [value for value in turns if value in largest]
        rows = []
        for agent in overview.agents:
            found = {one.value: one.figures.correct for one in agent.slices.get(field, ())}
            rows.append([_name(agent), *(_share(found.get(value)) for value in values)])
        more = f" (the {_MOST_VALUES} largest of {len(turns)})" if len(turns) > _MOST_VALUES else ""
        show()
        Grid(
            ["agent", *(one_line(value or "none", 24) for value in values)],
            rows,
            _LEFT,
            f"Correct by {field}{more}",
            keys=1,
        ).show()


def _share(rate: "Rate | None") -> str:
    return "–" if rate is None or rate.share is None else f"{rate.share * 100:.1f} % ({rate.n:,})"


def _show_times(overview: "Overview") -> None:
    parts = ("retrieval", "agent", "query")
    kept = [part for part in parts if any(agent.times[part].n for agent in overview.agents)]
    headers = ["agent", *(header for part in kept for header in (f"{part}: median", "90 % below", "longest"))]
    rows = [[_name(agent), *(time for part in kept for time in _times(agent, part))] for agent in overview.agents]
    if kept:
        show()
        Grid(headers, rows, _LEFT, "Time", keys=1).show()


def _times(agent: "AgentOverview", part: str) -> list[str]:
    times = agent.times[part]
    return ["–" if value is None else _seconds(value) for value in (times.p50, times.p90, times.longest)]


def _seconds(value: float) -> str:
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.1f} ms"


def _show_next(run: "Run", summary: "GoldSummary") -> None:
    show()
    show(f"The run lies in {run.path}")
    if summary.worst is not None:
        worst = f"{quoted(str(run.path))} {quoted(summary.worst)}"
        show(f"Next: stef gold explain {worst}   (a wrong turn, the least like its gold)")


def gold_document(run: "Run", summary: "GoldSummary", penalty: float) -> dict[str, Any]:
    """The same as one JSON document."""
    about = run.about
    return {
        "run": str(run.path),
        "complete": run.complete,
        **summary.overview.to_json(),
        **behaviour_document(summary.overview, penalty),
        "gold_in_doubt_by_agents": [
            {"case_id": one.case_id, "agents": one.agents, "asked": one.asked, "example": one.example}
            for one in summary.agreements
        ],
        "run_ceilings": about.get("ceilings", {}),
        "counts": about.get("counts", {}),
        "case_faults": about.get("case_faults", []),
        "settings": run.settings,
    }
