"""A scored RUN in the rows of a page: remarks, tables, and the worst turns with their words and SQL."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from stef.records.alignment import FilterAlignment
from stef.records.assessment import Band
from stef.records.reasons import UnscoredKind, kind_of
from stef.report.explanation import Mark, Section, Stretch, headline, marked_question, marked_sql, sections
from stef.report.model import judge_of
from stef.report.scored import BIN, CauseGroup, ScoredReport, name_of
from stef.report.text import count, percent
from stef.report.turns import assessment_of
from stef.runs.run import Run

_MOST_GROUPS = 12
_MOST_COSTS = 25
_MOST_CHARTS = 6
_LONGEST_SHOWN = 3_000
_WHOSE = {
    UnscoredKind.AGENT: "the agent's SQL",
    UnscoredKind.BEHAVIOUR: "the agent's behaviour",
    UnscoredKind.STEF: "stef itself",
}
_BOUNDS = {Band.MARGINAL: 50.0, Band.GOOD: 75.0, Band.EXCELLENT: 90.0}
_TOLD = frozenset({Mark.MISSING, Mark.ALTERED, Mark.EXTRA, Mark.UNDECIDED})


@dataclass(frozen=True, slots=True)
class Example:
    """One low turn: its texts in marked stretches, and what speaks against it."""

    link: str
    id: str
    agent: str
    headline: str
    question: tuple[Stretch, ...]
    sql: tuple[Stretch, ...]
    against: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Low turns of one cause. `link` opens all of them in the list."""

    title: str
    turns: int
    lost: float
    link: str
    examples: tuple[Example, ...]
    unscored: bool


@dataclass(frozen=True, slots=True)
class ScoredView:
    """What the page shows of one RUN."""

    report: ScoredReport
    number: int
    judge: str
    facts: tuple[str, ...]
    remarks: tuple[str, ...]
    charts: Mapping[str, Sequence[int]]
    bounds: Mapping[str, float]
    bin: int
    reasons: tuple[tuple[str, str, int, str], ...]
    kinds: tuple[tuple[str, int], ...]
    filters: tuple[tuple[str, int, float, float | None], ...]
    costs: tuple[Any, ...]
    more_costs: int
    groups: tuple[Group, ...]
    more_groups: tuple[Group, ...]

    @property
    def name(self) -> str:
        """The RUN's folder."""
        return str(self.report.run.path)


def scored_views(reports: Sequence[ScoredReport]) -> tuple[ScoredView, ...]:
    """What the page shows of each RUN."""
    return tuple(_view(number, report) for number, report in enumerate(reports))


def _view(number: int, report: ScoredReport) -> ScoredView:
    shown, more = report.causes[:_MOST_GROUPS], report.causes[_MOST_GROUPS:]
    examples = _examples(report.run, number, [row for group in shown for row in group.examples])
    aligned = sum(report.summary.filter_classes.values())
    return ScoredView(
        report=report,
        number=number,
        judge=judge_of(report.run),
        facts=tuple(facts_of(report.run)),
        remarks=tuple(remarks_of(report)),
        charts=_charts(report),
        bounds=_bounds(report.run),
        bin=BIN,
        reasons=tuple(_reasons(report)),
        kinds=tuple((_WHOSE[kind], turns) for kind, turns in report.summary.total.kinds.items()),
        filters=tuple(
            (kind.value, turns, turns / aligned, report.filter_means.get(kind.value))
            for kind in FilterAlignment
            if aligned and (turns := report.summary.filter_classes[kind.value]) >= 0
        ),
        costs=report.costs[:_MOST_COSTS] + tuple(one for one in report.costs[_MOST_COSTS:] if not one.code),
        more_costs=sum(bool(one.code) for one in report.costs[_MOST_COSTS:]),
        groups=tuple(_group(group, examples) for group in shown),
        more_groups=tuple(_group(group, {}) for group in more),
    )


def _charts(report: ScoredReport) -> dict[str, Sequence[int]]:
    whole = [sum(column) for column in zip(*report.distribution.values(), strict=True)]
    several = 1 < len(report.distribution) <= _MOST_CHARTS
    return {"all turns": whole, **(report.distribution if several else {})} if whole else {}


def _bounds(run: Run) -> dict[str, float]:
    """The lower bounds of the bands, unless the RUN was scored with others: it does not say which."""
    found = run.query("SELECT band, min(score) AS low, max(score) AS high FROM turns WHERE band IS NOT NULL GROUP BY 1")
    held = {row["band"]: (row["low"], row["high"]) for row in found}
    edges = [*_BOUNDS.items()]
    for place, (band, bound) in enumerate(edges):
        low, _ = held.get(band.value, (bound, bound))
        below = held.get(Band.POOR.value if place == 0 else edges[place - 1][0].value)
        if low < bound or (below is not None and below[1] >= bound):
            return {}
    return {band.value: bound for band, bound in _BOUNDS.items()}


def facts_of(run: Run) -> Iterator[str]:
    """How a RUN was made, in short."""
    evaluation = run.settings.get("evaluation", {})
    inputs = [str(one.get("name")) for one in run.settings.get("inputs") or () if isinstance(one, dict)]
    if inputs:
        yield f"log {', '.join(inputs[:3])}" + (f" and {len(inputs) - 3} more" if len(inputs) > 3 else "")
    if evaluation.get("reader") not in {None, "rules"}:
        yield f"questions read by {evaluation['reader']}"
    if evaluation.get("prompts_hash"):
        yield f"prompts {evaluation['prompts_hash']}"
    if evaluation.get("rules"):
        yield "rules " + ", ".join(f"{app} {digest}" for app, digest in list(evaluation["rules"].items())[:4])
    if evaluation.get("calibration"):
        yield f"calibration {evaluation['calibration'].get('hash', '')}"
    if evaluation.get("stef_version"):
        yield f"scored by stef {evaluation['stef_version']}"


def remarks_of(report: ScoredReport) -> Iterator[str]:
    """What a reader has to know before the figures."""
    run, summary = report.run, report.summary
    counts = run.about.get("counts", {})
    if not run.complete:
        yield "This RUN is not finished: the figures are of the turns that are in it so far."
    if not summary.total.scored:
        yield "No turn has a score: there is no mean and no distribution. The reasons are below."
    if bad := counts.get("bad_lines", 0):
        yield f"{count(bad, 'line')} of the log could not be read and {'is' if bad == 1 else 'are'} in no figure."
    if summary.duplicate_ids:
        yield f"{count(summary.duplicate_ids, 'turn')} with an id that an earlier one has; all are counted."
    if ruleless := counts.get("without_rules", 0):
        yield f"{count(ruleless, 'turn')} of an app without rules of its own, judged under the default ones."
    if summary.finding_faults:
        yield f"A rule of the findings failed on {count(summary.finding_faults, 'turn')}: a fault of stef's own (S000)."
    if summary.disagreements:
        yield f"On {count(summary.disagreements, 'turn')} the model's verdict and stef's own evidence disagree."
    if calls := run.about.get("calls"):
        cost = "cost unknown" if calls.get("cost") is None else f"${calls['cost']:.4f}"
        yield f"{count(calls['calls'], 'model call')}, {cost}."
    for one in summary.beside_gold:
        yield (
            f"By the golds {percent(one.right / one.turns)} of {name_of(one.agent, one.agent_version)}'s "
            f"{count(one.turns, 'turn')} are right."
        )


def _reasons(report: ScoredReport) -> Iterator[tuple[str, str, int, str]]:
    order = list(UnscoredKind)
    reasons = report.summary.total.reasons
    for reason, turns in sorted(reasons.items(), key=lambda item: (order.index(kind_of(item[0])), -item[1])):
        yield _WHOSE[kind_of(reason)], reason.value, turns, report.summary.examples.get(reason.value, "")


def _group(group: CauseGroup, examples: Mapping[int, Example]) -> Group:
    return Group(
        title=group.cause.title,
        turns=group.turns,
        lost=group.lost,
        link=f"#cause={quote(group.cause.title, safe='')}",
        examples=tuple(examples[row] for row in group.examples if row in examples),
        unscored=group.cause.kind.value == "unscored",
    )


def _examples(run: Run, number: int, rows: Sequence[int]) -> dict[int, Example]:
    if not rows:
        return {}
    wanted = ", ".join(str(int(row)) for row in rows)
    found = run.query(f"SELECT row, id, agent, agent_version, assessment FROM turns WHERE row IN ({wanted})")  # noqa: S608
    return {row["row"]: _example(run, number, row) for row in found}


def _example(run: Run, number: int, row: Mapping[str, Any]) -> Example:
    assessment = assessment_of(row, run.path)
    lines = [
        Section(one.title, tuple(line for line in one.lines if line.mark in _TOLD)) for one in sections(assessment)
    ]
    return Example(
        link=f"#turn={number}-{row['row']}",
        id=row["id"],
        agent=name_of(row["agent"], row["agent_version"]),
        headline=headline(assessment),
        question=tuple(_short(marked_question(assessment))),
        sql=tuple(_short(marked_sql(assessment))),
        against=tuple(one for one in lines if one.lines),
    )


def _short(stretches: Sequence[Stretch]) -> Iterator[Stretch]:
    left = _LONGEST_SHOWN
    for one in stretches:
        if len(one.text) > left:
            yield Stretch(one.text[:left] + " … (cut)", one.mark)
            return
        left -= len(one.text)
        yield one
