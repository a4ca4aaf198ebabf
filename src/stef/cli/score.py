"""`stef score`: logs → RUN → the agent table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.guard import Stopped, guarded
from stef.cli.judges import SYMBOLIC, JudgeChoice
from stef.cli.options import ApiKeyEnv, BaseUrl, Dialect, Json, Judge, Prompts, Rules
from stef.cli.screen import say

if TYPE_CHECKING:
    from stef.runs.score import Finished, ScoreJob

Logs = Annotated[
    list[str],
    typer.Argument(metavar="LOG…", help="JSONL, JSON, CSV, TSV or Parquet (also .gz), a folder, a glob, or -"),
]
Out = Annotated[
    Path, typer.Option("-o", "--out", metavar="RUN", help="The folder to write; an unfinished one goes on.")
]
Maps = Annotated[
    list[str] | None,
    typer.Option(
        "--map", metavar="FIELD=PATH", help="Where a field stands: question=input.text, sql=messages.-1.content"
    ),
]
Preset = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="A known export: langfuse, langsmith, phoenix, mlflow, spider, bird."),
]
Keep = Annotated[list[str] | None, typer.Option(metavar="PATH", help="Keep a field of the log as metadata.")]
Concurrency = Annotated[int, typer.Option(min=1, max=1000, help="Calls of the judge in flight at once.")]
Limit = Annotated[int | None, typer.Option(min=1, metavar="N", help="Score the first N turns only.")]
Encoding = Annotated[str | None, typer.Option(metavar="NAME", help="The log's encoding, where it is not UTF-8.")]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first broken line.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No progress and no remarks.")]
PartRows = Annotated[int | None, typer.Option(min=1, hidden=True, help="Input rows of one Parquet file.")]


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("score", short_help="Score a log, and print the table of its agents.")(guarded(score))


def score(  # noqa: PLR0913, PLR0917  the options of a command
    logs: Logs,
    out: Out,
    maps: Maps = None,
    preset: Preset = None,
    keep: Keep = None,
    rules: Rules = None,
    dialect: Dialect = None,
    judge: Judge = SYMBOLIC,
    base_url: BaseUrl = None,
    api_key_env: ApiKeyEnv = None,
    prompts: Prompts = None,
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
      stef score log.jsonl -o run2 --judge openai:gpt-5-mini
    """
    from stef.runs.mapping import field_map  # noqa: PLC0415  heavy
    from stef.runs.score import ScoreJob  # noqa: PLC0415

    job = ScoreJob(
        logs=tuple(logs),
        out=out,
        fields=field_map(maps or (), preset=preset, keep=keep or ()),
        encoding=encoding,
        limit=limit,
        strict=strict,
        concurrency=concurrency,
        part_rows=part_rows,
    )
    choice = JudgeChoice(judge, rules, dialect, base_url, api_key_env, prompts)
    finished = _run(job, choice, quiet or as_json)
    _report(finished, as_json)


def _run(job: "ScoreJob", choice: JudgeChoice, quiet: bool) -> "Finished":
    from stef.cli.watching import watching  # noqa: PLC0415
    from stef.runs.calls import CallLog  # noqa: PLC0415
    from stef.runs.score import score_log  # noqa: PLC0415

    calls = CallLog()
    evaluator = choice.evaluator(calls)
    with watching(quiet) as watcher:
        try:
            return score_log(job, evaluator, calls, watcher)
        except KeyboardInterrupt as error:
            kept = (job.out / "run.json").exists()
            way_on = f"; what is finished stands in {job.out}, and the same command goes on from there" if kept else ""
            raise Stopped(f"stopped{way_on}") from error


def _report(finished: "Finished", as_json: bool) -> None:
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
