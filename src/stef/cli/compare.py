"""`stef compare`: is B better than A, by how much, where, and how surely?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.guard import guarded
from stef.cli.options import Json
from stef.cli.screen import say, show_json
from stef.errors import InputError

if TYPE_CHECKING:
    from stef.runs.compare import CompareOptions, Comparison

RunA = Annotated[Path, typer.Argument(metavar="RUN_A", help="The RUN to compare with: the old version.")]
RunB = Annotated[Path | None, typer.Argument(metavar="RUN_B", help="The RUN to judge: the new version.")]
By = Annotated[
    str | None, typer.Option(metavar="FIELD", help="Compare two values of a field: agent_version, agent, app, …")
]
Pick = Annotated[
    str | None, typer.Option(metavar="A,B", help="Which two values of that field; with two RUNs, one of each.")
]
Key = Annotated[
    str | None,
    typer.Option(metavar="FIELD", help="What pairs turns [the question's text and database; the case of gold runs]."),
]
Slices = Annotated[
    str | None,
    typer.Option("--slice", metavar="NAMES", help="Slices, as in database,difficulty; also fields kept of the log."),
]
Aim = Annotated[
    float, typer.Option(min=0.01, metavar="POINTS", help="Say how many questions would show such a difference.")
]
Shown = Annotated[int, typer.Option("--list", min=0, metavar="N", help="Regressions and improvements to print.")]
Anyway = Annotated[bool, typer.Option("--anyway", help="Compare RUNs of different judges or rules, with a warning.")]
FailOnRegression = Annotated[
    bool, typer.Option("--fail-on-regression", help="Exit 1 where B is shown to be worse in any respect.")
]
MaxRegression = Annotated[
    float | None, typer.Option(min=0.0, metavar="POINTS", help="Exit 1 where B is lower by more, shown or not.")
]
Level = Annotated[int, typer.Option(min=50, max=99, metavar="PERCENT", help="The level of the intervals.")]
Resamples = Annotated[int, typer.Option(min=500, max=100_000, metavar="N", help="Resamples of the bootstrap.")]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Its seed: the same one gives the same intervals.")]


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("compare", short_help="Compare two RUNs, or two versions in one, pair by pair.")(guarded(compare))


def compare(  # noqa: PLR0913, PLR0917  the options of a command
    run_a: RunA,
    run_b: RunB = None,
    by: By = None,
    pick: Pick = None,
    key: Key = None,
    slices: Slices = None,
    aim: Aim = 2.0,
    shown: Shown = 10,
    anyway: Anyway = False,
    fail_on_regression: FailOnRegression = False,
    max_regression: MaxRegression = None,
    level: Level = 95,
    resamples: Resamples = 4000,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Say whether B is better than A, by how much, where, and how surely.

    Turns are paired by question. Prints the mean difference with its interval, what became unreadable,
    slices with their p corrected for their number, and the questions that got worse or better, with
    what changed. Two gold runs are compared case by case. RUNs that were measured with different
    judges, prompts, rules or versions of stef are not comparable.

    \b
    Examples:
      stef compare run-v7 run-v8
      stef compare run --by agent_version
      stef compare run --by agent --pick gpt-4,gpt-5 --slice database,difficulty
      stef compare main pr --max-regression 2 --fail-on-regression --json
    """
    from stef.runs.compare import CompareOptions, Outcome, compare_runs, headline  # noqa: PLC0415  heavy
    from stef.runs.compare.gate import Gate, failures  # noqa: PLC0415
    from stef.runs.run import open_any_run  # noqa: PLC0415
    from stef.stats.paired import Drawing  # noqa: PLC0415

    options = CompareOptions(
        by=by,
        pick=_names(pick) or (),
        key=key,
        slices=_names(slices),
        aim=aim,
        anyway=anyway,
        drawing=Drawing(resamples=resamples, seed=seed, level=level / 100),
    )
    found = compare_runs(open_any_run(run_a), None if run_b is None else open_any_run(run_b), options)
    gate = Gate(fail_on_regression, max_regression)
    if found.outcome is Outcome.NOTHING and not gate.asked:
        raise InputError(headline(found))
    failed = failures(gate, found)
    _show(found, options, shown, failed if gate.asked else None, as_json=as_json)
    if failed:
        for one in failed:
            say(f"stef: gate failed: {one}")
        raise typer.Exit(1)


def _show(
    found: "Comparison", options: "CompareOptions", shown: int, failed: list[str] | None, *, as_json: bool
) -> None:
    if as_json:
        from stef.cli.compare_document import comparison_document  # noqa: PLC0415

        show_json(comparison_document(found, options, failed))
        return
    from stef.cli.compare_render import show_comparison  # noqa: PLC0415

    show_comparison(found, shown)


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())
