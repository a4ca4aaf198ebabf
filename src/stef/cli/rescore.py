"""`stef rescore`: other weights, no model call."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.guard import guarded
from stef.cli.options import Calibration, Force, Json, Rules
from stef.cli.screen import say, show, show_json

if TYPE_CHECKING:
    from stef.runs.run import Run

RunArgument = Annotated[
    Path, typer.Argument(metavar="RUN", help="The folder that stef score wrote; it stays as it is.")
]
Out = Annotated[Path | None, typer.Option("-o", "--out", metavar="NEW", help="The folder to write [RUN-rescored].")]


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("rescore", short_help="Score a RUN again with other weights, without a model.")(guarded(rescore))


def rescore(  # noqa: PLR0913, PLR0917  the options of a command
    run: RunArgument,
    rules: Rules = None,
    calibration: Calibration = None,
    force: Force = False,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Score a RUN again with other weights or a calibration, and show both tables. No model is asked.

    Of the rules only `scoring` is used (points, multipliers, bands, method); what the rules say of
    filters needs a new `stef score`. RUN is left as it is; the new scores go to a folder of their own.

    \b
    Examples:
      stef rescore run --rules strict.json -o run-strict
      stef rescore run --calibration cal.json -o run-calibrated
    """
    from stef.cli.calibrations import calibration_for  # noqa: PLC0415
    from stef.cli.render_run import as_document, show_two_runs  # noqa: PLC0415  heavy
    from stef.rules import RuleBook  # noqa: PLC0415
    from stef.runs.rescore import hashes_of, rescore_run  # noqa: PLC0415
    from stef.runs.run import open_run  # noqa: PLC0415
    from stef.runs.summary import summarise  # noqa: PLC0415

    old = open_run(run)
    target = out or _default_out(old)
    mapping = calibration_for(calibration, old.settings.get("evaluation", {}), force=force)
    book = RuleBook.load(rules)
    if rules is None and old.settings.get("evaluation", {}).get("rules") not in (None, hashes_of(book)):
        say("stef: no --rules: scored by stef's default weights, not by those of the rules that the RUN was made under")
    finished = rescore_run(old, book, target, mapping)
    if finished.already:
        say(f"stef: {target}: already complete; nothing was scored again")
    before, after = summarise(old), summarise(finished.run)
    if as_json:
        show_json({"before": as_document(old, before), "after": as_document(finished.run, after)})
        return
    show_two_runs(old, before, after)
    show()
    show(f"The new run lies in {finished.run.path}; {old.path} is as it was")


def _default_out(run: "Run") -> Path:
    return run.path.resolve().with_name(f"{run.path.resolve().name}-rescored")
