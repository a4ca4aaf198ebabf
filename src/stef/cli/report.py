"""`stef report`: one self-contained page, a summary for a pull request, JUnit for CI; and gates."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.guard import guarded
from stef.cli.options import Json
from stef.cli.screen import count, say, show, show_json
from stef.errors import UserError

if TYPE_CHECKING:
    from stef.report.model import Report

Runs = Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders that stef score or stef gold run wrote.")]
Out = Annotated[
    Path | None, typer.Option("-o", "--out", metavar="FILE", help="The page; - is standard output. [report.html]")
]
Markdown = Annotated[
    Path | None, typer.Option("--markdown", metavar="FILE", help="A short one for a pull request; - prints it.")
]
Junit = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Gates, and cases of a gold RUN, as XML.")]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="What stands on top.")]
Checks = Annotated[
    Path | None, typer.Option(metavar="RUN", help="What stef verify found: its RUN over the last RUN's turns.")
]
Labels = Annotated[
    str | None, typer.Option(metavar="FILE", help="People's labels: how far the last RUN agrees with them.")
]
Maps = Annotated[
    list[str] | None, typer.Option("--map", metavar="FIELD=NAME", help="Where id or correct stands in --labels.")
]
Turns = Annotated[
    int, typer.Option(min=1, metavar="N", help="Turns that can be opened in the page; the lowest scores first.")
]
By = Annotated[
    str | None, typer.Option(metavar="FIELD", help="Compare two values of a field within one RUN: agent_version, …")
]
Pick = Annotated[str | None, typer.Option(metavar="A,B", help="Which two values of that field.")]
Key = Annotated[str | None, typer.Option(metavar="FIELD", help="What pairs turns of two RUNs [the question].")]
Anyway = Annotated[bool, typer.Option("--anyway", help="Compare RUNs of different judges or rules, with a warning.")]
NoCompare = Annotated[bool, typer.Option("--no-compare", help="Show two RUNs without comparing them.")]
FailUnder = Annotated[
    list[str] | None,
    typer.Option("--fail-under", metavar="FIGURE=X", help="Exit 1 where an agent's mean, p90, coverage, … is lower."),
]
FailOn = Annotated[
    list[str] | None,
    typer.Option("--fail-on", metavar="KIND:NAME[=N]", help="Exit 1 where more than N [0] turns have it: finding:S201"),
]
MaxRegression = Annotated[
    float | None, typer.Option(min=0.0, metavar="POINTS", help="Exit 1 where the second RUN is lower by more.")
]
MaxUnscored = Annotated[
    str | None, typer.Option(metavar="SHARE", help="Exit 1 where more of an agent's turns have no score: 5%")
]

_DEFAULT = Path("report.html")
_STDOUT = Path("-")


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("report", short_help="Make a page, a summary or JUnit of RUNs; fail on gates.")(guarded(report))


def report(  # noqa: PLR0913, PLR0917  the options of a command
    runs: Runs,
    out: Out = None,
    markdown: Markdown = None,
    junit: Junit = None,
    title: Title = None,
    checks: Checks = None,
    labels: Labels = None,
    maps: Maps = None,
    turns: Turns = 10_000,
    by: By = None,
    pick: Pick = None,
    key: Key = None,
    anyway: Anyway = False,
    no_compare: NoCompare = False,
    fail_under: FailUnder = None,
    fail_on: FailOn = None,
    max_regression: MaxRegression = None,
    max_unscored: MaxUnscored = None,
    as_json: Json = False,
) -> None:
    """Make one page of one or more RUNs that works offline: agents, scores, findings, worst turns, every turn.

    Two RUNs are compared, the first being the old one. Gates are there only where you set them; they look
    at the last RUN, agent by agent. With any gate, missing cases, repeated ids and invalid results fail, too.

    \b
    Examples:
      stef report run -o report.html
      stef report main pr -o report.html --markdown summary.md --max-regression 2
      stef report run --fail-under mean=75 --fail-under coverage=95% --fail-on finding:S201 --max-unscored 5%
      stef report run --checks verified -o report.html
      stef report gold-run --junit junit.xml --fail-under correct=0.8
    """
    from stef.report.build import Asked, build_report  # noqa: PLC0415  heavy
    from stef.runs.compare import CompareOptions  # noqa: PLC0415

    targets = _targets(out, markdown, junit, as_json=as_json)
    _check_comparison(runs, by, max_regression, no_compare=no_compare)
    chosen = tuple(name.strip() for name in (pick or "").split(",") if name.strip())
    options = CompareOptions(by=by, pick=chosen, key=key, anyway=anyway)
    found = build_report(Asked(runs, title, options, compare=not no_compare, checks=checks))
    found = _with_gates(found, fail_under or [], fail_on or [], max_unscored, max_regression)
    if labels is not None:
        found = _with_labels(found, labels, tuple(maps or ()))
    _write(found, targets, turns)
    if as_json:
        from stef.report.document import report_document  # noqa: PLC0415

        show_json(report_document(found))
    _end(found)


def _check_comparison(runs: list[Path], by: str | None, max_regression: float | None, *, no_compare: bool) -> None:
    if max_regression is not None and (no_compare or (len(runs) != 2 and by is None)):
        raise UserError("--max-regression: give two RUNs, the old one first (or one RUN and --by FIELD)")
    if by is not None and len(runs) > 2:
        raise UserError(f"--by {by}: give one RUN, or two")


def _targets(
    out: Path | None, markdown: Path | None, junit: Path | None, *, as_json: bool
) -> list[tuple[str, Path, str]]:
    """The kinds of output that were asked for, each with its file and what its option is called; checked."""
    from stef.report import junit as xml  # noqa: PLC0415  heavy
    from stef.report import markdown as short  # noqa: PLC0415
    from stef.report import page  # noqa: PLC0415
    from stef.report.output import check_output  # noqa: PLC0415

    if out is None and markdown is None and junit is None and not as_json:
        out = _DEFAULT
    named = [("html", out, "-o", page.MARKER), ("markdown", markdown, "--markdown", short.MARKER)]
    named.append(("junit", junit, "--junit", xml.MARKER))
    asked = [(kind, path, option, marker) for kind, path, option, marker in named if path is not None]
    printed = [option for _, path, option, _ in asked if path == _STDOUT] + (["--json"] if as_json else [])
    if len(printed) > 1:
        raise UserError(f"{' and '.join(printed)}: only one of them can go to standard output")
    for _, path, option, marker in asked:
        if path != _STDOUT:
            check_output(path, option, marker)
    return [(kind, path, option) for kind, path, option, _ in asked]


def _with_gates(
    found: "Report", under: list[str], on: list[str], max_unscored: str | None, max_regression: float | None
) -> "Report":
    from dataclasses import replace  # noqa: PLC0415

    from stef.report.gates import read_gates, results  # noqa: PLC0415  heavy

    gates = read_gates(under, on, max_unscored, max_regression, gold=bool(found.gold))
    return replace(found, gates=results(gates, found.scored, found.gold, found.comparison, found.not_compared))


def _with_labels(found: "Report", labels: str, maps: tuple[str, ...]) -> "Report":
    from dataclasses import replace  # noqa: PLC0415

    from stef.cli.agree import against_labels  # noqa: PLC0415
    from stef.cli.agreement_document import agreement_document  # noqa: PLC0415

    if found.gold:
        raise UserError("--labels: a gold run knows what is right by its golds; labels are for RUNs of stef score")
    return replace(found, agreement=agreement_document(against_labels(found.runs[-1].path, labels, maps)))


def _write(found: "Report", targets: list[tuple[str, Path, str]], turns: int) -> None:
    from stef.report.junit import report_junit  # noqa: PLC0415  heavy
    from stef.report.markdown import report_markdown  # noqa: PLC0415
    from stef.report.output import write_output  # noqa: PLC0415
    from stef.report.page import report_page  # noqa: PLC0415

    makers = {"html": lambda: report_page(found, turns), "markdown": lambda: report_markdown(found)}
    makers["junit"] = lambda: report_junit(found)
    for kind, path, option in targets:
        text = makers[kind]()
        if path == _STDOUT:
            show(text.rstrip("\n"))
            continue
        write_output(path, option, text)
        say(f"stef: {_KINDS[kind]} lies in {path}")


_KINDS = {"html": "the page", "markdown": "the summary", "junit": "the test report"}


def _end(found: "Report") -> None:
    """Say what became of the gates; exit 1 where one failed."""
    if found.not_compared:
        say(f"stef: not compared: {found.not_compared}")
    for one in found.failed:
        for text in one.failures:
            say(f"stef: gate failed: {one.gate}: {text}")
    if found.failed:
        raise typer.Exit(1)
    if found.gates:
        say(f"stef: {count(len(found.gates), 'gate')} passed")
