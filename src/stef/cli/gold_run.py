"""`stef gold run`: cases → agents → RUN → the table of the agents."""

import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.gold_options import CELL_BUDGET, ROW_LIMIT, TIMEOUT, CellBudget, Db, Dialect, Penalty, RowLimit, Timeout
from stef.cli.guard import Stopped
from stef.cli.options import Json, Quiet, Rules
from stef.cli.screen import say, show_json

if TYPE_CHECKING:
    from stef.cli.gold_gates import Gate
    from stef.runs.gold.job import GoldFinished, GoldJob

Cases = Annotated[
    list[str], typer.Argument(metavar="CASES…", help="YAML, JSONL, JSON or CSV of cases; a folder, or a glob.")
]
Agents = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        metavar="SPEC",
        help="Who is asked: replay:turns.jsonl, python:module:function, http:agent.yaml, command:./ask.sh. Repeatable.",
    ),
]
RetrieverOption = Annotated[
    str | None, typer.Option("--retriever", metavar="SPEC", help="The retriever, which is asked directly too.")
]
Out = Annotated[
    Path, typer.Option("-o", "--out", metavar="RUN", help="The folder to write; an unfinished one goes on.")
]
FailUnder = Annotated[
    list[str] | None,
    typer.Option("--fail-under", metavar="FIGURE=X", help="End with 1 where an agent is below: correct=0.8."),
]
Paraphrases = Annotated[bool, typer.Option("--paraphrases", help="Ask every phrasing of a question.")]
Samples = Annotated[
    int, typer.Option(min=1, max=1000, metavar="K", help="How often each agent is asked each question.")
]
Slice = Annotated[
    str | None,
    typer.Option("--slice", metavar="NAME", help="The cases of one slice: fast, control, a category, difficulty, tag."),
]
LimitCases = Annotated[int | None, typer.Option("--limit", min=1, metavar="N", help="The first N cases only.")]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="The shape of the case files, where it is not told by their fields."),
]
AgentTimeout = Annotated[
    float, typer.Option("--agent-timeout", min=0.001, metavar="S", help="Seconds that an agent has for one question.")
]
Concurrency = Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Questions to agents in flight at once.")]
Perturb = Annotated[
    int,
    typer.Option(
        "--perturb",
        min=0,
        max=100,
        metavar="K",
        help="Look at each right turn again on K altered copies of its database.",
    ),
]
PartRows = Annotated[int, typer.Option(min=1, hidden=True, help="Rows of one Parquet file.")]


def run(  # noqa: PLR0913, PLR0917  the options of a command
    cases: Cases,
    db: Db,
    out: Out,
    agents: Agents = None,
    retriever: RetrieverOption = None,
    rules: Rules = None,
    paraphrases: Paraphrases = False,
    samples: Samples = 1,
    chosen: Slice = None,
    limit: LimitCases = None,
    timeout: Timeout = TIMEOUT,
    row_limit: RowLimit = ROW_LIMIT,
    cell_budget: CellBudget = CELL_BUDGET,
    fail_under: FailUnder = None,
    penalty: Penalty = 1.0,
    perturb: Perturb = 0,
    format_: Format = None,
    dialect: Dialect = None,
    agent_timeout: AgentTimeout = 120.0,
    concurrency: Concurrency = 8,
    as_json: Json = False,
    quiet: Quiet = False,
    part_rows: PartRows = 500,
) -> None:
    """Put every case to every agent, run the agent's query and the gold live, and compare what they give.

    Retrieval, output and component are families of their own and are never folded into one number. The RUN keeps
    turns and results; the same command goes on where an unfinished one stopped.

    \b
    Examples:
      stef gold run cases.yaml --db sqlite:///shop.sqlite --agent replay:turns.jsonl -o run
      stef gold run spider.jsonl --db 'sqlite:///dbs/{database}.sqlite' --agent replay:systems.jsonl -o run
      stef gold run cases.yaml --db postgresql://reader@host/shop --agent http:agent.yaml --slice fast -o run
    """
    from stef.cli.gold_gates import read_gates  # noqa: PLC0415
    from stef.databases import Limits  # noqa: PLC0415  heavy
    from stef.runs.gold.job import GoldJob  # noqa: PLC0415

    gates = read_gates(fail_under or ())
    job = GoldJob(
        cases=tuple(cases),
        database=db,
        agents=tuple(agents or ()),
        out=out,
        retriever=retriever,
        rules=rules,
        format=format_,
        dialect=dialect,
        paraphrases=paraphrases,
        samples=samples,
        chosen=chosen,
        limit=limit,
        limits=Limits(timeout, row_limit, cell_budget),
        ask_timeout=agent_timeout,
        concurrency=concurrency,
        part_rows=part_rows,
        perturb=perturb,
    )
    report(_run(job, quiet or as_json), as_json, gates, penalty)


def _run(job: "GoldJob", quiet: bool) -> "GoldFinished":
    from stef.cli.gold_watching import watching  # noqa: PLC0415  heavy
    from stef.runs.gold.run import run_gold  # noqa: PLC0415

    # What an agent of this process prints is no part of the one JSON document.
    with watching(quiet) as watcher, redirect_stdout(sys.stderr):
        try:
            return run_gold(job, os.environ, watcher)
        except KeyboardInterrupt as error:
            kept = (job.out / "run.json").exists()
            way_on = f"; what is finished stands in {job.out}, and the same command goes on from there" if kept else ""
            raise Stopped(f"stopped{way_on}") from error


def report(finished: "GoldFinished", as_json: bool, gates: "tuple[Gate, ...]" = (), penalty: float = 1.0) -> None:
    """Print a gold RUN, as tables or as one JSON document; end with 1 where a gate fails."""
    from stef.cli.gold_gates import failures  # noqa: PLC0415
    from stef.cli.render_gold import gold_document, show_gold_run  # noqa: PLC0415
    from stef.runs.gold.summary import summarise_gold  # noqa: PLC0415

    if finished.already:
        say(f"stef: {finished.run.path}: already complete; nobody was asked again")
    summary = summarise_gold(finished.run)
    failed = failures(gates, summary.overview.agents)
    if as_json:
        if left_out := finished.run.about.get("case_faults"):
            say(f"stef: left out: {left_out[0]}" + (f", and {len(left_out) - 1:,} more" if left_out[1:] else ""))
        document = gold_document(finished.run, summary, penalty)
        show_json({**document, "already_complete": finished.already, "failed_gates": failed})
    else:
        show_gold_run(finished.run, summary, penalty)
    for one in failed:
        say(f"stef: --fail-under: {one}")
    if failed:
        raise typer.Exit(1)
