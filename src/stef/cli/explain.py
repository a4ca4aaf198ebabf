"""`stef explain`: one turn, and every reason behind its score."""

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stef.cli.guard import guarded
from stef.cli.judges import MAX_TOKENS, RULES, SYMBOLIC, Asking, JudgeChoice
from stef.cli.options import (
    ApiKeyEnv,
    BaseUrl,
    Confidence,
    Dialect,
    Json,
    Judge,
    JudgeSees,
    MaxTokens,
    PriceIn,
    PriceOut,
    Prompts,
    Reader,
    Refute,
    Rules,
    Samples,
)
from stef.cli.screen import one_line, say, show_json
from stef.errors import InputError, UserError

if TYPE_CHECKING:
    from stef.records.assessment import Assessment
    from stef.records.turn import Turn

RunArgument = Annotated[Path | None, typer.Argument(metavar="RUN", help="The folder that stef score wrote.")]
Id = Annotated[str | None, typer.Argument(metavar="ID", help="The turn's id, or its row: 17 or '#17'.")]
Question = Annotated[str | None, typer.Option(metavar="TEXT", help="Instead of a RUN: the user's question …")]
Enriched = Annotated[str | None, typer.Option(metavar="TEXT", help="… the agent's own rewording of it …")]
Sql = Annotated[str | None, typer.Option(metavar="TEXT", help="… and the SQL; - reads it from standard input.")]
Now = Annotated[str | None, typer.Option(metavar="TIME", help='When it was asked, for "last month": 2024-03-05T10:00.')]


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("explain", short_help="Show one turn, and every reason behind its score.")(guarded(explain))


def explain(  # noqa: PLR0913, PLR0917  the options of a command
    run: RunArgument = None,
    turn_id: Id = None,
    question: Question = None,
    enriched: Enriched = None,
    sql: Sql = None,
    now: Now = None,
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
    as_json: Json = False,
) -> None:
    """Show one turn: question and SQL side by side, what matched, what is missing or extra, and why this score.

    Takes a turn of a RUN, or a question and its SQL. With --json it prints the full Assessment.

    \b
    Examples:
      stef explain run 17
      stef explain run sales-2024-0031 --json
      stef explain --question "How many orders in 2023?" --sql "SELECT COUNT(*) FROM orders"
    """
    if question is None and sql is None:
        about, assessment = _stored(run, turn_id)
    else:
        if run is not None:
            raise UserError("give either RUN and ID, or --question and --sql, not both")
        turn = _turn(question, enriched, sql, now)
        asking = Asking(samples, refute, confidence, judge_sees, max_tokens, price_in, price_out)
        choice = JudgeChoice(judge, rules, dialect, base_url, api_key_env, prompts, reader, asking)
        about, assessment = "", choice.evaluator().assess_sync(turn)
    _show(assessment, about, as_json)


def _show(assessment: "Assessment", about: str, as_json: bool) -> None:
    from stef.records.serialise import assessment_to_json  # noqa: PLC0415  heavy

    if as_json:
        show_json(json.loads(assessment_to_json(assessment)))
        return
    from stef.cli.render_turn import show_turn  # noqa: PLC0415

    show_turn(assessment, about)


def _stored(path: Path | None, turn_id: str | None) -> tuple[str, "Assessment"]:
    """The turn of a RUN: what it is called, and its Assessment."""
    from stef.records.serialise import assessment_from_json  # noqa: PLC0415  heavy
    from stef.runs.run import open_run  # noqa: PLC0415

    if path is None or turn_id is None:
        raise UserError('name a turn: stef explain RUN ID, or stef explain --question "…" --sql "…"')
    run = open_run(path)
    found = run.find(turn_id)
    row = found[0]
    if len(found) > 1:
        rows = ", ".join(f"'#{one['row']}'" for one in found[:10])
        say(f"stef: {len(found)} turns have the id {one_line(turn_id, 60)}; the first is shown; their rows: {rows}")
    try:
        return _about(row), assessment_from_json(row["assessment"])
    except ValueError as error:
        raise InputError(f"{path}: row {row['row']} holds no Assessment of this version of stef") from error


def _about(row: dict[str, Any]) -> str:
    named = [f"turn {row['id']}", f"row {row['row']}"]
    agent = " ".join(str(row[name]) for name in ("agent", "agent_version") if row[name])
    named += [f"agent {agent}"] if agent else []
    named += [f"app {row['app']}"] if row["app"] else []
    named += [f"case {row['case_id']}"] if row.get("case_id") else []
    named += [f"{'right' if row['gold_correct'] else 'wrong'} by gold"] if row.get("gold_correct") is not None else []
    named += [f"asked {row['timestamp']:%Y-%m-%d %H:%M} UTC"] if row["timestamp"] else []
    return " · ".join(named)


def _turn(question: str | None, enriched: str | None, sql: str | None, now: str | None) -> "Turn":
    from stef.records.turn import Turn  # noqa: PLC0415  heavy

    if question is None or not question.strip():
        raise UserError("--question is missing: the SQL is judged against it")
    if sql is None:
        raise UserError("--sql is missing: the query that is to be judged; - reads it from standard input")
    text = typer.get_text_stream("stdin").read() if sql == "-" else sql
    return Turn(question=question, enriched_question=enriched, sql=text, timestamp=_time(now))


def _time(text: str | None) -> datetime | None:
    from stef.runs.values import time_of  # noqa: PLC0415  heavy

    try:
        return time_of(text)
    except ValueError as error:
        raise UserError(f"--now {text}: no time; write it as 2024-03-05 or 2024-03-05T10:00") from error
