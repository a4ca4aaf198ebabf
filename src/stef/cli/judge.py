"""`stef judge`: a run's questions as a batch file, and a batch's replies as a RUN."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.guard import guarded
from stef.cli.judges import MAX_TOKENS, SYMBOLIC, Asking, JudgeChoice
from stef.cli.options import (
    Calibration,
    Confidence,
    Dialect,
    Encoding,
    Force,
    Json,
    Judge,
    JudgeSees,
    Keep,
    Limit,
    Maps,
    MaxTokens,
    Preset,
    PriceIn,
    PriceOut,
    Prompts,
    Quiet,
    Refute,
    Rules,
    Samples,
    Strict,
)
from stef.cli.screen import count, harmless, quoted, say, show, show_json
from stef.errors import UserError

if TYPE_CHECKING:
    from stef.llm.batch import BatchClient, Replies
    from stef.runs.score import ScoreJob

judge_app = typer.Typer(
    name="judge",
    help="Carry the judge's questions to a model as files, and its replies back.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Log = Annotated[str, typer.Argument(metavar="LOG|RUN", help="The log (also a folder, a glob), or a RUN made from it.")]
RepliesFile = Annotated[
    Path,
    typer.Argument(metavar="REPLIES", help='A batch\'s output, or lines of {"custom_id": …, "content": …}.'),
]
Requests = Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The requests to write.")]
Out = Annotated[Path, typer.Option("-o", "--out", metavar="RUN", help="The folder to write.")]


@judge_app.command("export")
@guarded
def export(  # noqa: PLR0913, PLR0917  the options of a command
    log: Log,
    out: Requests,
    judge: Judge = SYMBOLIC,
    maps: Maps = None,
    preset: Preset = None,
    keep: Keep = None,
    rules: Rules = None,
    dialect: Dialect = None,
    prompts: Prompts = None,
    samples: Samples = 1,
    refute: Refute = False,
    confidence: Confidence = "stated",
    judge_sees: JudgeSees = "all",
    max_tokens: MaxTokens = MAX_TOKENS,
    limit: Limit = None,
    encoding: Encoding = None,
    strict: Strict = False,
    as_json: Json = False,
) -> None:
    """Write what a judge would ask of its model, in OpenAI's batch format. Nothing is sent, and no key is needed.

    \b
    Examples:
      stef judge export log.jsonl -o requests.jsonl --judge openai:gpt-5-mini
    """
    from stef.report.output import check_output  # noqa: PLC0415
    from stef.runs.batch import export_requests  # noqa: PLC0415  heavy

    check_output(out, "-o", '"custom_id"', "file of requests")
    asking = Asking(samples, refute, confidence, judge_sees, max_tokens)
    choice = JudgeChoice(judge, rules, dialect, prompts=prompts, asking=asking)
    model = _model_of(judge)
    job = _job(log, (maps, preset, keep), encoding, limit, strict)
    done = export_requests(job, choice.unasked(), model, out)
    if as_json:
        show_json(
            {
                "requests": done.requests,
                "turns": done.turns,
                "unasked_turns": done.unasked,
                "bad_lines": done.bad_lines,
                "file": str(done.path),
            }
        )
        return
    asked = done.turns - done.unasked
    show(f"{count(done.requests, 'request')} of {count(asked, 'turn')} written to {harmless(str(out))}")
    if done.unasked:
        show(f"{count(done.unasked, 'turn')} without a readable question and SQL: nothing to ask")
    if done.bad_lines:
        show(f"{count(done.bad_lines, 'broken line')} left out")
    show(f"Next: stef judge import {quoted(log)} REPLIES -o RUN --judge {judge}, with the same options")


@judge_app.command("import")
@guarded
def import_(  # noqa: PLR0913, PLR0917  the options of a command
    log: Log,
    replies: RepliesFile,
    out: Out,
    judge: Judge = SYMBOLIC,
    maps: Maps = None,
    preset: Preset = None,
    keep: Keep = None,
    rules: Rules = None,
    dialect: Dialect = None,
    prompts: Prompts = None,
    samples: Samples = 1,
    refute: Refute = False,
    confidence: Confidence = "stated",
    judge_sees: JudgeSees = "all",
    max_tokens: MaxTokens = MAX_TOKENS,
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    calibration: Calibration = None,
    force: Force = False,
    limit: Limit = None,
    encoding: Encoding = None,
    strict: Strict = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Score a log with replies from a file, as `stef score` does with replies from a server.

    Give the options of the export: a reply belongs to a turn, a judge, its prompts and rules. A turn without
    a reply, or with one that cannot be read, is unscored with its reason.

    \b
    Examples:
      stef judge import log.jsonl replies.jsonl -o run --judge openai:gpt-5-mini
    """
    from dataclasses import replace  # noqa: PLC0415

    from stef.cli.score import calibrated_evaluator, report, scored  # noqa: PLC0415
    from stef.llm.batch import BatchClient, read_replies  # noqa: PLC0415  heavy
    from stef.runs.calls import CallLog  # noqa: PLC0415

    asking = Asking(samples, refute, confidence, judge_sees, max_tokens, price_in, price_out)
    choice = JudgeChoice(judge, rules, dialect, prompts=prompts, asking=asking)
    _model_of(judge)
    job = _job(log, (maps, preset, keep), encoding, limit, strict)
    found = read_replies(replies)
    calls = CallLog()
    client = BatchClient(judge.strip(), found, asking.price(), calls.add)
    evaluator = calibrated_evaluator(choice.asking_client(client), calibration, force)
    finished = scored(replace(job, out=out, replies=replies), evaluator, calls, quiet or as_json)
    if not finished.already:
        _remark(found, client)
    report(finished, as_json)


def _remark(found: "Replies", client: "BatchClient") -> None:
    """What of the file was of no use."""
    left = len(found.by_id.keys() - client.used)
    if found.faulty:
        say(f"stef: {found.path}: {count(found.faulty, 'line')} without a reply; {harmless(found.faults[0])}")
    if left:
        why = "" if client.used else "; give the log, the judge and the options of the export"
        say(f"stef: {found.path}: {count(left, 'custom_id')} belong to no turn, or brought an error{why}")


def _model_of(judge: str) -> str:
    """The provider's name of the model. Raises UserError for a judge whose questions are not carried by files."""
    kind, _, model = judge.strip().partition(":")
    if kind not in ("openai", "litellm") or not model:
        raise UserError(f"--judge {judge}: name the model that the batch is for, such as --judge openai:gpt-5-mini")
    return model if kind == "openai" else model.partition("/")[2]


def _job(
    log: str,
    mapping: tuple[list[str] | None, str | None, list[str] | None],
    encoding: str | None,
    limit: int | None,
    strict: bool,
) -> "ScoreJob":
    from stef.runs.batch import logs_of_run  # noqa: PLC0415  heavy
    from stef.runs.mapping import field_map  # noqa: PLC0415
    from stef.runs.score import ScoreJob  # noqa: PLC0415

    maps, preset, keep = mapping
    if (Path(log) / "run.json").is_file():
        logs, fields, run_encoding, run_limit = logs_of_run(Path(log))
        if maps or preset or keep:
            fields = field_map(maps or (), preset=preset, keep=keep or ())
        return ScoreJob(logs, Path(), fields, encoding or run_encoding, limit or run_limit, strict)
    fields = field_map(maps or (), preset=preset, keep=keep or ())
    return ScoreJob((log,), Path(), fields, encoding, limit, strict)
