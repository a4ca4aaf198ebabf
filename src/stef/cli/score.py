"""`stef score`: logs → RUN → the agent table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.guard import Stopped, guarded
from stef.cli.judges import SYMBOLIC, JudgeChoice
from stef.cli.options import ApiKeyEnv, BaseUrl, Calibration, Dialect, Force, Json, Judge, Prompts, Rules
from stef.cli.screen import say

if TYPE_CHECKING:
    from stef.runs.score import Finished, ScoreJob

Out = Annotated[
    Path | None, typer.Option("-o", "--out", metavar="RUN", help="The folder to write; an unfinished one goes on.")
]
Concurrency = Annotated[int, typer.Option(min=1, max=1000, help="Calls of the judge in flight at once.")]
BudgetOption = Annotated[
    float | None, typer.Option("--budget", metavar="USD", help="Stop before the calls of this RUN cost more.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print the calls, tokens and dollars that a run would take; make no call.")
]
PartRows = Annotated[int | None, typer.Option(min=1, hidden=True, help="Input rows of one Parquet file.")]


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("score", short_help="Score a log, and print the table of its agents.")(guarded(score))


def score(  # noqa: PLR0913, PLR0917  the options of a command
    logs: Logs,
    out: Out = None,
    maps: Maps = None,
    preset: Preset = None,
    keep: Keep = None,
    rules: Rules = None,
    dialect: Dialect = None,
    judge: Judge = SYMBOLIC,
    base_url: BaseUrl = None,
    api_key_env: ApiKeyEnv = None,
    prompts: Prompts = None,
    calibration: Calibration = None,
    force: Force = False,
    concurrency: Concurrency = 16,
    limit: Limit = None,
    encoding: Encoding = None,
    strict: Strict = False,
    as_json: Json = False,
    quiet: Quiet = False,
    part_rows: PartRows = None,
) -> None:
    """Score a log: 0 to 100 for each turn, with every reason behind it, and the table of the agents.

    Needs no gold SQL, no schema, no database and, with the default judge, no key and no network.
    The same command goes on where an unfinished RUN stopped.

    \b
    Examples:
      stef score log.jsonl -o run
      stef score 'logs/*.csv.gz' -o run --map question=user_text --map sql=final_sql --rules rules/sales.json
      stef score log.jsonl --judge openai:gpt-5-mini --dry-run
      stef score log.jsonl -o run2 --judge openai:gpt-5-mini --budget 5
    """
    from stef.runs.mapping import field_map  # noqa: PLC0415  heavy
    from stef.runs.score import ScoreJob  # noqa: PLC0415

    if out is None and not dry_run:
        raise UserError("Missing option '-o' / '--out': the folder to write; --dry-run needs none")
    job = ScoreJob(
        logs=tuple(logs),
        out=out or Path(),
        fields=field_map(maps or (), preset=preset, keep=keep or ()),
        encoding=encoding,
        limit=limit,
        strict=strict,
        concurrency=concurrency,
        part_rows=part_rows,
    )
    asking = Asking(samples, refute, confidence, judge_sees, max_tokens, price_in, price_out)
    choice = JudgeChoice(judge, rules, dialect, base_url, api_key_env, prompts, reader, asking)
    if dry_run:
        from stef.cli.dry_run import show_plan  # noqa: PLC0415  heavy

        show_plan(job, choice, as_json)
        return
    finished = _run(job, choice, budget_of(budget), quiet or as_json)
    report(finished, as_json)


def _run(job: "ScoreJob", choice: JudgeChoice, mapped: tuple[Path | None, bool], quiet: bool) -> "Finished":
    from stef.cli.calibrations import calibration_for  # noqa: PLC0415
    from stef.runs.calls import CallLog  # noqa: PLC0415  heavy

    calls = CallLog(budget)
    evaluator = choice.evaluator(calls)
    evaluator.calibration = calibration_for(mapped[0], evaluator.settings(), force=mapped[1])
    with watching(quiet) as watcher:
        try:
            return score_log(job, evaluator, calls, watcher)
        except KeyboardInterrupt as error:
            kept = (job.out / "run.json").exists()
            way_on = f"; what is finished stands in {job.out}, and the same command goes on from there" if kept else ""
            raise Stopped(f"stopped{way_on}") from error


def report(finished: "Finished", as_json: bool) -> None:
    """Print a RUN: the agent table and what stands behind it, or one JSON document."""
    from stef.cli.render_run import as_document, show_run  # noqa: PLC0415
    from stef.cli.screen import show_json  # noqa: PLC0415
    from stef.runs.summary import summarise  # noqa: PLC0415

    if finished.already:
        say(f"stef: {finished.run.path}: already complete; nothing was scored again")
    summary = summarise(finished.run)
    if as_json:
        show_json({**as_document(finished.run, summary), "already_complete": finished.already})
    else:
        show_run(finished.run, summary)
