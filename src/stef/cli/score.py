"""`stef score`: logs → RUN → the agent table."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from stef.cli.guard import Stopped, guarded
from stef.cli.judges import MAX_TOKENS, RULES, SYMBOLIC, Asking, JudgeChoice, budget_of, gate_of
from stef.cli.options import (
    ApiKeyEnv,
    BaseUrl,
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
    Logs,
    Maps,
    MaxTokens,
    Preset,
    PriceIn,
    PriceOut,
    Prompts,
    Quiet,
    Reader,
    Refute,
    Rules,
    Samples,
    Strict,
)
from stef.cli.score_options import (
    BudgetOption,
    Concurrency,
    DryRun,
    EngineOption,
    Follow,
    From,
    NoStore,
    Out,
    PartRows,
    Patience,
    QueryOption,
    RayAddress,
    Rpm,
    SampleBy,
    SampleOption,
    SampleSeed,
    Since,
    StorePath,
    Tpm,
    WorkersOption,
    choice_of,
    query_of,
    settle_of,
    store_of,
)
from stef.cli.screen import say
from stef.errors import StefError, StoppedError, UserError

if TYPE_CHECKING:
    from stef.evaluator import Evaluator
    from stef.runs.calls import CallLog
    from stef.runs.score import Finished, ScoreJob


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("score", short_help="Score a log, and print the table of its agents.")(guarded(score))


def score(  # noqa: PLR0913, PLR0917  the options of a command
    logs: Logs = None,
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
    reader: Reader = RULES,
    samples: Samples = 1,
    refute: Refute = False,
    confidence: Confidence = "stated",
    judge_sees: JudgeSees = "all",
    max_tokens: MaxTokens = MAX_TOKENS,
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    budget: BudgetOption = None,
    dry_run: DryRun = False,
    calibration: Calibration = None,
    force: Force = False,
    concurrency: Concurrency = 16,
    limit: Limit = None,
    sample: SampleOption = None,
    sample_by: SampleBy = "random",
    sample_seed: SampleSeed = 0,
    since: Since = None,
    follow: Follow = None,
    database: From = None,
    query: QueryOption = None,
    encoding: Encoding = None,
    strict: Strict = False,
    as_json: Json = False,
    quiet: Quiet = False,
    workers: WorkersOption = None,
    requests_per_minute: Rpm = None,
    tokens_per_minute: Tpm = None,
    patience: Patience = 600.0,
    store: StorePath = None,
    no_store: NoStore = False,
    engine: EngineOption = "local",
    ray_address: RayAddress = None,
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
      stef score log.jsonl -o run2 --judge openai:gpt-5-mini --budget 5 --sample 500 --sample-by finding
      stef score --from postgresql://me@db/app --query 'SELECT * FROM turns ORDER BY id' -o run3 --since 7d
    """
    from stef.runs.mapping import field_map  # noqa: PLC0415  heavy
    from stef.runs.score import ScoreJob  # noqa: PLC0415

    query_rows = query_of(logs, database, query)
    if out is None and not dry_run:
        raise UserError("Missing option '-o' / '--out': the folder to write; --dry-run needs none")
    job = ScoreJob(
        logs=tuple(logs or ()),
        out=out or Path(),
        fields=field_map(maps or (), preset=preset, keep=keep or ()),
        encoding=encoding,
        limit=limit,
        strict=strict,
        concurrency=concurrency,
        part_rows=part_rows,
        workers=workers,
        store=store_of(store, no_store, judge),
        store_scope=(base_url or "").rstrip("/"),
        query=query_rows,
        settle=settle_of(follow, logs, sample),
        choice=choice_of(sample, sample_by, sample_seed, since, out),
    )
    asking = Asking(samples, refute, confidence, judge_sees, max_tokens, price_in, price_out)
    choice = JudgeChoice(judge, rules, dialect, base_url, api_key_env, prompts, reader, asking)
    if dry_run:
        from stef.cli.dry_run import show_plan  # noqa: PLC0415  heavy

        show_plan(job, choice, as_json)
        return
    from stef.llm.gate import Limits  # noqa: PLC0415  heavy
    from stef.runs.calls import CallLog  # noqa: PLC0415

    limits = Limits(concurrency, requests_per_minute, tokens_per_minute, patience)
    if engine != "local":
        from stef.cli.engines import OnRay, scored_on_ray  # noqa: PLC0415

        on_ray = OnRay(engine, ray_address, choice, calibration, force)
        report(scored_on_ray(job, on_ray, limits, budget, quiet or as_json), as_json)
        return

    def once() -> "Finished":
        calls = CallLog(budget_of(budget), gate_of(limits))
        evaluator = calibrated_evaluator(choice.evaluator(calls), calibration, force)
        return scored(job, evaluator, calls, quiet or as_json)

    if follow is None:
        report(once(), as_json)
        return
    from stef.cli.following import followed  # noqa: PLC0415  heavy

    followed(once, follow)


def calibrated_evaluator(evaluator: "Evaluator", path: Path | None, force: bool) -> "Evaluator":
    """`evaluator` with the calibration in `path`, where there is one; it must have been fitted on its judge."""
    from stef.cli.calibrations import calibration_for  # noqa: PLC0415  heavy

    evaluator.calibration = calibration_for(path, evaluator.settings(), force=force)
    return evaluator


def scored(job: "ScoreJob", evaluator: "Evaluator", calls: "CallLog", quiet: bool) -> "Finished":
    """Score the log of `job`, watched by a person. Raises Stopped at Ctrl-C, and what `score_log` raises."""
    from stef.cli.watching import watching  # noqa: PLC0415  heavy
    from stef.runs.collecting import collect_seldom  # noqa: PLC0415
    from stef.runs.score import score_log  # noqa: PLC0415

    collect_seldom()
    with watching(quiet) as watcher:
        try:
            return score_log(job, evaluator, calls, watcher)
        except (KeyboardInterrupt, StoppedError) as error:
            raise stopped(job) from error


def stopped(job: "ScoreJob") -> Stopped:
    """What the user should know about a Ctrl-C."""
    kept = (job.out / "run.json").exists()
    way_on = f"; what is finished stands in {job.out}, and the same command goes on from there" if kept else ""
    return Stopped(f"stopped{way_on}")


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
    example = summary.examples.get("harness_fault")
    if example is not None and not summary.total.scored:
        raise StefError(
            f"no turn has a score, as a bug in stef hit them (the first: {example}); please report it with what "
            f"stef explain {finished.run.path} {example} says"
        )
