"""`stef report --markdown`: the report in short, for a pull request or the summary of a CI job."""

import re
from collections.abc import Iterable, Iterator, Sequence

from stef.report.checks import Checked
from stef.report.gold import GoldReport, named
from stef.report.model import Report, judge_of
from stef.report.scored import ScoredReport
from stef.report.text import DASH, count, number, one_line, percent, words
from stef.runs.compare.model import Comparison
from stef.runs.compare.words import between, headline, judge_noise, points, small_sample

MARKER = "<!-- stef report -->"
_MOST_AGENTS, _MOST_FINDINGS, _MOST_CHANGES = 12, 5, 5
_ACTS = re.compile(r"[\\`*_{}\[\]|~&<>$]|:(?=//)|(?<=www)\.|^[-+=]|^\d+(?=[.)])", re.IGNORECASE)
# GitHub looks for these in what it has rendered, where an entity is a sign like any other.
_NAMES = re.compile(r"(?<!&)[@#](?=\w)")
_JOINER = "\u2060"


def report_markdown(report: Report) -> str:
    """The report as GitHub's Markdown. Text of turns is escaped: it makes no markup, link, mention or image."""
    return "\n".join([MARKER, *_parts(report)]).rstrip() + "\n"


def escaped(text: str, longest: int = 120) -> str:
    """Text on one line that Markdown shows as it is."""
    kept = _ACTS.sub(lambda found: "".join(f"&#{ord(sign)};" for sign in found.group()), one_line(text, longest))
    return _NAMES.sub(lambda found: found.group() + _JOINER, kept)


def _parts(report: Report) -> Iterator[str]:
    yield f"## {escaped(report.title)}"
    yield ""
    yield from _gates(report)
    if report.comparison is not None:
        yield from _comparison(report.comparison)
    elif report.not_compared:
        yield f"Not compared: {escaped(report.not_compared, 400)}"
        yield ""
    for one in report.scored:
        yield from _scored(one)
    for other in report.gold:
        yield from _gold(other)
    if report.checks is not None:
        yield from _checks(report.checks)


def _gates(report: Report) -> Iterator[str]:
    if not report.gates:
        return
    failed = len(report.failed)
    yield f"**Gates: {f'{failed} of {len(report.gates)} failed' if failed else f'all {len(report.gates)} passed'}**"
    yield ""
    for one in report.gates:
        yield f"- {'✅' if one.passed else '❌'} {escaped(one.gate)}" + ("" if one.passed else ":")
        yield from (f"  - {escaped(text, 400)}" for text in one.failures)
    yield ""


def _comparison(found: Comparison) -> Iterator[str]:
    yield f"**{escaped(headline(found), 500)}**"
    yield ""
    if note := small_sample(found):
        yield from (escaped(note, 400), "")
    main = found.main
    if main.difference.mean is not None:
        row = [number(main.a), number(main.b), points(main.difference.mean, signed=True)]
        row += [between(main.difference.interval).strip() or DASH, f"{main.difference.clusters:,}"]
        yield from _table(["figure", "A", "B", "B − A", "interval", "n"], [[words(found.figure), *row]])
    if noise := judge_noise(found):
        yield from (escaped(noise, 400), "")
    regressions = ("Regressions", found.regressions, found.regressed)
    for title, changes, total in (regressions, ("Improvements", found.improvements, found.improved)):
        if changes:
            yield f"{title}: {total:,}"
            yield ""
            for one in changes[:_MOST_CHANGES]:
                after = number(one.b, 0) if one.b is not None else one.kind
                yield f"- {number(one.a, 0)} → {after}: {escaped(one.question)}"
            yield ""


def _scored(report: ScoredReport) -> Iterator[str]:
    summary = report.summary
    run = report.run
    yield f"{escaped(str(run.path))}: {count(summary.total.turns, 'turn')}, judged by: {escaped(judge_of(run))}"
    if not run.complete:
        yield "This RUN is not finished."
    yield ""
    agents = list(zip(report.agent_names, summary.agents, strict=True))
    shown = [*agents[:_MOST_AGENTS], *([("all", summary.total)] if len(agents) > 1 else [])]
    rows = []
    for name, one in shown:
        figures = (number(one.mean), number(one.p90), percent(one.coverage), percent(one.readable_rate))
        rows.append([escaped(name, 60), f"{one.turns:,}", *figures])
    yield from _table(["agent", "turns", "mean", "P90", "coverage", "readable"], rows)
    if len(agents) > _MOST_AGENTS:
        yield from (f"and {count(len(agents) - _MOST_AGENTS, 'more agent')}", "")
    costs = [one for one in report.costs if one.code][:_MOST_FINDINGS]
    if costs:
        lines = [[f"{one.code} {escaped(one.title)}", number(one.points, 2), f"{one.turns:,}"] for one in costs]
        yield from _table(["finding", "points of the mean", "turns"], lines)
    if summary.total.reasons:
        yield "Unscored: " + ", ".join(f"{words(one.value)} {n:,}" for one, n in summary.total.reasons.items())
        yield ""


def _checks(checks: Checked) -> Iterator[str]:
    yield f"Checked on the database (stef verify): {count(checks.turns, 'turn')}"
    yield ""
    rungs = [
        [one.rung, *(f"{n:,}" for n in (one.climbed, one.caught, one.passed, one.nothing, one.left_out))]
        for one in checks.rungs
    ]
    yield from _table(["rung", "climbed", "caught", "passed", "could not look", "not climbed"], rungs)
    for words_of, total, named_ones in (
        ("scored high, and a check speaks against it", checks.high_turns, checks.high),
        ("scored low, and the checks support it", checks.low_turns, checks.low),
    ):
        if total:
            yield f"{count(total, 'turn')} {words_of}:"
            yield ""
            for one in named_ones[:_MOST_CHANGES]:
                said = escaped("; ".join(one.said), 200)
                yield f"- {number(one.score, 0)}, {one.outcome}: {escaped(one.question)}: {said}"
            yield ""


def _gold(report: GoldReport) -> Iterator[str]:
    overview = report.overview
    yield f"{escaped(str(report.run.path))}: {count(overview.cases, 'case')}, {count(overview.turns, 'turn')}"
    yield ""
    if overview.own_bugs:
        yield from (f"Failures that are stef's own bugs: {overview.own_bugs:,}", "")
    rows = []
    for agent in overview.agents:
        right, runs = agent.whole.correct, agent.whole.executable
        span = DASH if right.low is None or right.high is None else f"{right.low * 100:.1f} to {right.high * 100:.1f}"
        row = [percent(right.share), span, f"{right.n:,}", percent(runs.share), f"{agent.whole.held_out:,}"]
        rows.append([escaped(named(agent), 60), *row])
    yield from _table(["agent", "right", "95 % interval", "n", "executable", "held out"], rows)
    buckets = list(dict.fromkeys(bucket for agent in overview.agents for bucket in agent.buckets))
    if buckets:
        lines = [
            [words(one.value), *(f"{agent.buckets.get(one, 0):,}" for agent in overview.agents)] for one in buckets
        ]
        yield from _table(["cause", *(escaped(named(agent), 40) for agent in overview.agents)], lines)


def _table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(headers) + " |"
    yield "|---|" + "---:|" * (len(headers) - 1)
    yield from ("| " + " | ".join(row) + " |" for row in rows)
    yield ""
