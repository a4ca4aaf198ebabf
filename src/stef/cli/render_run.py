"""A RUN in short, for people and as JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from stef.cli.judges import judge_in_words
from stef.cli.screen import Grid, count, number, one_line, percent, quoted, show
from stef.records.assessment import Band
from stef.records.reasons import UnscoredKind, kind_of

if TYPE_CHECKING:
    from stef.runs.run import Run
    from stef.runs.summary import Counted, RunSummary
    from stef.stats import AgentSummary

_WHOSE = {
    UnscoredKind.AGENT: "the agent's SQL",
    UnscoredKind.BEHAVIOUR: "the agent's behaviour",
    UnscoredKind.STEF: "stef itself",
}
_LEFT = frozenset({"agent", "version", "whose", "reason", "such as", "filter", "class"})


def show_run(run: "Run", summary: "RunSummary") -> None:
    """Print the agent table first, then what stands behind it, then what to do next."""
    show(f"{count(summary.total.turns, 'turn')}, judged by: {judge_in_words(judge_of(run))}")
    show()
    _show_whole(agent_grid(summary), keys=2)
    _show_unscored(summary)
    _show_beside_gold(summary)
    _show_filters(summary)
    _show_remarks(run, summary)
    _show_next(run, summary)


def agent_grid(summary: "RunSummary") -> Grid:
    """The agent table; with several agents, all of them together at the end."""
    agents = list(summary.agents)
    rows = [_agent_row(agent, agent.agent or "–", agent.agent_version or "–") for agent in agents]
    if len(agents) > 1:
        rows.append(_agent_row(summary.total, "all", ""))
    headers = (
        "agent",
        "version",
        "turns",
        "scored",
        "mean",
        "P90",
        "coverage",
        "readable",
        *(band.value for band in Band),
    )
    return Grid(headers, rows, _LEFT)


def show_two_runs(run: "Run", before: "RunSummary", after: "RunSummary") -> None:
    """Print the agent tables of one run under two sets of weights, line under line."""
    show(f"{count(before.total.turns, 'turn')}, judged by: {judge_in_words(judge_of(run))}")
    show()
    old, new = agent_grid(before), agent_grid(after)
    rows = []
    for one, other in zip(old.rows, new.rows, strict=True):
        rows += [[*one[:2], "before", *one[2:]], ["", "", "after", *other[2:]]]
    _show_whole(Grid((*old.headers[:2], "weights", *old.headers[2:]), rows, _LEFT | {"weights"}), keys=3)


def _show_whole(grid: Grid, keys: int) -> None:
    """Print the agent table; on a narrow terminal in two, so that no figure is cut."""
    if grid.fits():
        grid.show()
        return
    for part in grid.split(keys, len(grid.headers) - len(Band)):
        part.show()
        show()


def _agent_row(agent: "AgentSummary", name: str, version: str) -> list[str]:
    return [
        one_line(name, 40),
        one_line(version, 20),
        f"{agent.turns:,}",
        f"{agent.scored:,}",
        number(agent.mean),
        number(agent.p90),
        percent(agent.coverage),
        percent(agent.readable_rate),
        *(f"{agent.bands.get(band, 0):,}" for band in Band),
    ]


def _show_unscored(summary: "RunSummary") -> None:
    reasons = summary.total.reasons
    if not reasons:
        return
    order = list(UnscoredKind)
    rows = [
        (_WHOSE[kind_of(reason)], reason.value, f"{turns:,}", one_line(summary.examples.get(reason.value, ""), 50))
        for reason, turns in sorted(reasons.items(), key=lambda item: (order.index(kind_of(item[0])), -item[1]))
    ]
    show()
    unscored = count(summary.total.unscored, "turn")
    Grid(("whose", "reason", "turns", "such as"), rows, _LEFT, f"Unscored: {unscored}, which have no number").show()


def _show_beside_gold(summary: "RunSummary") -> None:
    rows = [
        (
            one_line(f"{one.agent or '–'} {one.agent_version or ''}", 40),
            f"{one.turns:,}",
            percent(one.right / one.turns),
            number(one.mean_right),
            number(one.mean_wrong),
        )
        for one in summary.beside_gold
    ]
    if rows:
        show()
        headers = ("agent", "turns", "right by gold", "mean score of these", "of the wrong ones")
        Grid(headers, rows, _LEFT, "Beside the golds, which the scores know nothing of").show()


def _show_filters(summary: "RunSummary") -> None:
    aligned = sum(summary.filter_classes.values())
    if not aligned:
        return
    rows = [
        (name.replace("_", " "), f"{turns:,}", percent(turns / aligned))
        for name, turns in summary.filter_classes.items()
    ]
    show()
    Grid(("class", "turns", "share"), rows, _LEFT, "Filters, asked against applied").show()
    _show_counted("Most often missing or altered:", summary.missing)
    _show_counted("Most often extra, and not benign:", summary.extra)
    _show_counted("Findings:", _titled(summary.findings))


def _titled(codes: Sequence["Counted"]) -> list["Counted"]:
    """Codes with their titles, as far as they are known here."""
    if not codes:
        return []
    from stef.findings import all_rules  # noqa: PLC0415  heavy

    titles = {rule.code: rule.title for rule in all_rules()}
    return [replace(one, text=f"{one.text} {titles.get(one.text, '')}".strip()) for one in codes]


def _show_counted(title: str, counted: Sequence["Counted"]) -> None:
    if counted:
        show()
        show(title)
        for one in counted:
            show(f"  {one.turns:>6,}  {one_line(one.text, 100)}")


def _show_remarks(run: "Run", summary: "RunSummary") -> None:
    remarks = list(_remarks(run, summary))
    if remarks:
        show()
        for remark in remarks:
            show(remark)


def _remarks(run: "Run", summary: "RunSummary") -> Iterable[str]:
    bad = run.about.get("counts", {}).get("bad_lines", 0)
    if bad:
        yield f"{count(bad, 'broken line')} left out; the first are listed in {run.path / 'run.json'}"
    if summary.duplicate_ids:
        turns = count(summary.duplicate_ids, "turn shares its id", "turns share their id")
        yield f"{turns} with an earlier one; all are kept (`stef explain {run.path} '#ROW'` tells them apart)"
    ruleless = run.about.get("counts", {}).get("without_rules", 0)
    if ruleless:
        apps = ", ".join(one_line(str(app), 40) for app in run.about.get("apps_without_rules", []))
        yield f"{count(ruleless, 'turn')} of an app without rules of its own, under the default ones: {apps}"
    mapping = run.about.get("mapping", {})
    for name, times in mapping.get("unreadable", {}).items():
        example = one_line(str(mapping.get("examples", {}).get(name, "")), 100)
        yield f"{name}: {count(times, 'value')} could not be read and stayed empty, such as {example}"
    calls = run.about.get("calls")
    if calls:
        cost = "cost unknown" if calls.get("cost") is None else f"${calls['cost']:.4f}"
        tokens = f"{calls['input_tokens']:,} + {calls['output_tokens']:,} tokens"
        failed = f", {calls['failed']:,} failed" if calls.get("failed") else ""
        waits = calls.get("latency_s")
        waited = "" if not waits else f", {waits['mean']:.2f} s each, {waits['longest']:.2f} s the longest"
        kept = f"; {count(calls['kept'], 'judgement')} taken from earlier calls" if calls.get("kept") else ""
        yield f"{count(calls['calls'], 'model call')}{failed}, {tokens}, {cost}{waited}{kept}"
    if summary.finding_faults:
        turns = count(summary.finding_faults, "turn")
        yield f"a finding failed on {turns}, which is a bug in stef; they are scored without it (S000 in findings)"
    if summary.disagreements:
        turns = count(summary.disagreements, "turn")
        yield f"{turns} where the model's verdict and stef's own evidence disagree: stef explain tells why"
    if not run.complete:
        yield "This RUN is not finished; the same `stef score` goes on with it"


def _show_next(run: "Run", summary: "RunSummary") -> None:
    show()
    show(f"The run lies in {run.path}")
    if summary.worst is not None:
        lowest = number(summary.worst["score"], 0)
        show(f"Next: stef explain {quoted(str(run.path))} {quoted(summary.worst['id'])}   (the lowest score, {lowest})")


def judge_of(run: "Run") -> str:
    """Who judged this run."""
    return str(run.settings.get("evaluation", {}).get("judge", "unknown"))


def as_document(run: "Run", summary: "RunSummary") -> dict[str, Any]:
    """The same as one JSON document."""
    about = run.about
    return {
        "run": str(run.path),
        "complete": run.complete,
        "judge": judge_of(run),
        "judged_by": judge_in_words(judge_of(run)),
        "turns": summary.total.turns,
        "agents": [_agent_document(agent) for agent in summary.agents],
        "total": _agent_document(summary.total),
        "filter_alignment": dict(summary.filter_classes),
        "missing_filters": [{"filter": one.text, "turns": one.turns} for one in summary.missing],
        "extra_filters": [{"filter": one.text, "turns": one.turns} for one in summary.extra],
        "findings": [{"code": one.text, "turns": one.turns} for one in summary.findings],
        "unscored_examples": dict(summary.examples),
        "worst": dict(summary.worst) if summary.worst else None,
        "duplicate_ids": summary.duplicate_ids,
        "bad_lines": {"count": about.get("counts", {}).get("bad_lines", 0), "first": about.get("bad_lines", [])},
        "mapping": about.get("mapping", {}),
        "calls": about.get("calls"),
        "evidence_disagrees": summary.disagreements,
        "finding_faults": summary.finding_faults,
        "beside_gold": [asdict(one) for one in summary.beside_gold],
        "settings": run.settings,
    }


def _agent_document(agent: "AgentSummary") -> dict[str, Any]:
    return {
        **agent.to_json(),
        "unscored": agent.unscored,
        "unscored_kinds": {kind.value: turns for kind, turns in agent.kinds.items()},
    }
