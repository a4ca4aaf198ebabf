"""`stef verify`: answers without gold, looked at on a live database."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stef.cli.gold_options import CELL_BUDGET, TIMEOUT, CellBudget, Db, RowLimit, Timeout
from stef.cli.guard import Stopped, guarded
from stef.cli.judges import MAX_TOKENS
from stef.cli.options import (
    ApiKeyEnv,
    BaseUrl,
    Dialect,
    Encoding,
    Json,
    Keep,
    Limit,
    Maps,
    MaxTokens,
    Preset,
    PriceIn,
    PriceOut,
    Prompts,
    Quiet,
    Rules,
    Strict,
)
from stef.cli.screen import count, say, show_json
from stef.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stef.cli.verify_means import Chosen
    from stef.runs.verify.job import VerifyJob

ROW_LIMIT = 100_000

Log = Annotated[
    str | None,
    typer.Argument(metavar="[LOG|RUN]", help="A log (a file, a folder, a glob, -), or a RUN that was made from one."),
]
Question = Annotated[str | None, typer.Option(metavar="TEXT", help="One question, in place of a log.")]
Sql = Annotated[str | None, typer.Option("--sql", metavar="SQL", help="The query that answers --question.")]
Answer = Annotated[str | None, typer.Option(metavar="TEXT", help="The words that answer --question.")]
Out = Annotated[
    Path | None, typer.Option("-o", "--out", metavar="RUN", help="The folder to write; an unfinished one goes on.")
]
Judge = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The model of the dear rungs: openai:MODEL, litellm:PROVIDER/MODEL, local:FILE."),
]
AgentSpec = Annotated[
    str | None, typer.Option("--agent", metavar="SPEC", help="Who answers anew, in place of the model: http:FILE, …")
]
Samples = Annotated[
    int, typer.Option("--samples", min=2, max=50, metavar="K", help="Answers drawn blindly on the last rung.")
]
BudgetOption = Annotated[
    float | None, typer.Option("--budget", metavar="USD", help="Climb no dear rung that would cost more than this.")
]
Rungs = Annotated[
    str | None, typer.Option("--rungs", metavar="NAMES", help="Climb these only, such as execute,sanity.")
]
Prior = Annotated[
    float, typer.Option(metavar="P", help="How probable a right answer is before anything is known of it.")
]
Settled = Annotated[float, typer.Option(metavar="P", help="How sure is sure enough to climb no further.")]
Words = Annotated[
    bool, typer.Option("--judge-wording", help="Ask the model about words of an answer that the rows do not explain.")
]
FailOn = Annotated[
    str | None,
    typer.Option("--fail-on", metavar="OUTCOME", help="End with 1 where an answer is: refuted, doubtful (or worse)."),
]
Concurrency = Annotated[int, typer.Option(min=1, max=1000, help="Answers on the ladder at once.")]
PartRows = Annotated[int | None, typer.Option(min=1, hidden=True, help="Input rows of one Parquet file.")]


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("verify", short_help="Look at answers without gold, on a live database.")(guarded(verify))


def verify(  # noqa: PLR0913, PLR0917  the options of a command
    db: Db,
    log: Log = None,
    question: Question = None,
    sql: Sql = None,
    answer: Answer = None,
    out: Out = None,
    judge: Judge = None,
    base_url: BaseUrl = None,
    api_key_env: ApiKeyEnv = None,
    agent: AgentSpec = None,
    samples: Samples = 5,
    budget: BudgetOption = None,
    rungs: Rungs = None,
    prior: Prior = 0.5,
    settled: Settled = 0.9,
    judge_wording: Words = False,
    prompts: Prompts = None,
    max_tokens: MaxTokens = MAX_TOKENS,
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    maps: Maps = None,
    preset: Preset = None,
    keep: Keep = None,
    rules: Rules = None,
    dialect: Dialect = None,
    timeout: Timeout = TIMEOUT,
    row_limit: RowLimit = ROW_LIMIT,
    cell_budget: CellBudget = CELL_BUDGET,
    fail_on: FailOn = None,
    concurrency: Concurrency = 8,
    limit: Limit = None,
    encoding: Encoding = None,
    strict: Strict = False,
    as_json: Json = False,
    quiet: Quiet = False,
    part_rows: PartRows = None,
) -> None:
    """Look at answers for which there is no gold, on the database that they are about, which is only read.

    A ladder from cheap to dear, climbed while doubt remains: does the query run (execute), does its result look right
    (sanity), what does it ask, told without the question (back-translation), and what do answers give that could not
    coordinate (consistency). The last two need --judge or --agent. Where a turn holds an answer in words, every
    number and name in it is traced to the rows. The outcome stands beside the score of `stef score`, and leaves it as
    it is.

    \b
    Examples:
      stef verify log.jsonl --db sqlite:///shop.sqlite
      stef verify run --db 'sqlite:///dbs/{database}.sqlite' -o checked
      stef verify log.jsonl --db postgresql://reader@host/shop --judge openai:gpt-5-mini --budget 2
      stef verify --question 'How many singers are there?' --sql 'SELECT COUNT(*) FROM singer' --db sqlite:///c.sqlite
    """
    from stef.cli.verify_means import Chosen, Price  # noqa: PLC0415
    from stef.databases import Limits  # noqa: PLC0415  heavy
    from stef.runs.mapping import field_map  # noqa: PLC0415
    from stef.runs.verify.job import VerifyJob  # noqa: PLC0415

    chosen = Chosen(
        judge=judge,
        base_url=base_url,
        api_key_env=api_key_env,
        agent=agent,
        samples=samples,
        rungs=rungs,
        prior=prior,
        settled=settled,
        dialect=dialect,
        prompts=prompts,
        wording=judge_wording,
        price=Price(max_tokens, price_in, price_out, budget),
    )
    gate = _gate(fail_on)
    limits = Limits(timeout, row_limit, cell_budget)
    if question is not None or sql is not None or answer is not None:
        if log is not None or out is not None:
            raise UserError("--question is about one answer: give it without a log and without -o")
        outcome = _one(_turn(question, sql, answer), (db, limits, rules), chosen, as_json=as_json)
        _end({outcome: 1}, gate)
        return
    if log is None:
        raise UserError("Missing argument 'LOG': a log or a RUN; or one answer with --question and --sql")
    job = VerifyJob(
        logs=(log,),
        database=db,
        out=out,
        fields=field_map(maps or (), preset=preset, keep=keep or ()),
        encoding=encoding,
        limit=limit,
        strict=strict,
        rules=rules,
        limits=limits,
        concurrency=concurrency,
        part_rows=part_rows,
    )
    mapped = bool(maps or preset or keep)
    job, scores = _of_run(job, mapped=mapped)
    _end(_log(job, chosen, scores, as_json=as_json, quiet=quiet), gate)


def _of_run(job: "VerifyJob", *, mapped: bool) -> "tuple[VerifyJob, Mapping[int, float | None]]":
    from stef.runs.verify.of_run import job_of_run  # noqa: PLC0415  heavy

    return job_of_run(job, mapped=mapped)


def _log(
    job: "VerifyJob", chosen: "Chosen", scores: "Mapping[int, float | None]", *, as_json: bool, quiet: bool
) -> "Mapping[str, int]":
    """Verify a log and print what was found; how many answers have each outcome."""
    from dataclasses import replace  # noqa: PLC0415

    from stef.cli.render_verify import document, show_verified  # noqa: PLC0415
    from stef.cli.verify_watching import watching  # noqa: PLC0415
    from stef.llm.gate import Gate, Limits  # noqa: PLC0415  heavy
    from stef.runs.calls import CallLog  # noqa: PLC0415
    from stef.runs.verify.run import verify_log  # noqa: PLC0415

    # What all calls go through: no more of them at once, and an end where the model answers nobody.
    calls = CallLog(chosen.budget(), Gate(Limits(job.concurrency)))
    with chosen.means(calls) as means, watching(quiet or as_json) as watcher:
        job = replace(job, asks=chosen.asks(means))
        try:
            verified = verify_log(job, means, calls, watcher, scores)
        except KeyboardInterrupt as error:
            kept = job.out is not None and (job.out / "run.json").exists()
            way_on = f"; what is finished stands in {job.out}, and the same command goes on from there" if kept else ""
            raise Stopped(f"stopped{way_on}") from error
    if verified.already:
        say(f"stef: {verified.path}: already complete; nothing was looked at again")
    if as_json:
        found, counts = document(verified)
        show_json(found)
    else:
        counts = show_verified(verified, means)
    return counts.outcomes


def _one(turn: dict[str, Any], where: tuple[str, Any, Path | None], chosen: "Chosen", *, as_json: bool) -> str:
    """Verify one answer and print all that is known of it; its outcome."""
    from stef.background import run  # noqa: PLC0415
    from stef.cli.render_verify import show_one  # noqa: PLC0415
    from stef.databases import Databases  # noqa: PLC0415  heavy
    from stef.records.turn import Turn  # noqa: PLC0415
    from stef.rules import RuleBook  # noqa: PLC0415
    from stef.verify import Places  # noqa: PLC0415
    from stef.verify.candidate import Candidate  # noqa: PLC0415
    from stef.verify.check import check  # noqa: PLC0415

    url, limits, rules = where
    with Databases(url) as databases, chosen.means(None) as means:
        places = Places(databases, limits)
        place = places.get(None)
        places.raise_where_none()
        candidate = Candidate(Turn(**turn), place, means.dialect, RuleBook.load(rules).for_app(None))
        found = run(check(candidate, means))
    if as_json:
        show_json(found.to_json())
    else:
        show_one(candidate.turn, found)
    return found.outcome.value


def _turn(question: str | None, sql: str | None, answer: str | None) -> dict[str, Any]:
    if question is None or not question.strip():
        raise UserError("Missing option '--question': what --sql answers")
    if sql is None:
        raise UserError("Missing option '--sql': the query that answers --question")
    return {"id": "1", "question": question, "sql": sql, "answer": answer}


def _gate(word: str | None) -> tuple[str, ...] | None:
    if word is None:
        return None
    gates = {"refuted": ("refuted",), "doubtful": ("refuted", "doubtful")}
    if word.casefold() not in gates:
        raise UserError(f"--fail-on {word}: there are {', '.join(gates)}")
    return gates[word.casefold()]


def _end(outcomes: "Mapping[str, int]", gate: tuple[str, ...] | None) -> None:
    failing = sum(outcomes.get(name, 0) for name in gate or ())
    if failing and gate:
        say(f"stef: --fail-on: {count(failing, 'answer')} {' or '.join(gate)}")
        raise typer.Exit(1)
