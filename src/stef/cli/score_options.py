"""Options of `stef score` alone, and what they mean together."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.judges import SYMBOLIC, default_store
from stef.errors import UserError

if TYPE_CHECKING:
    from datetime import datetime

    from stef.runs.choosing import Choice
    from stef.runs.incoming import Query

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
Rpm = Annotated[
    float | None, typer.Option("--requests-per-minute", metavar="N", help="Ask the judge's server no more often.")
]
Tpm = Annotated[float | None, typer.Option("--tokens-per-minute", metavar="N", help="Send and receive no more tokens.")]
Patience = Annotated[
    float, typer.Option(min=0.0, metavar="SECONDS", help="Wait so long for a judge that is down, then stop.")
]
StorePath = Annotated[
    Path | None,
    typer.Option("--store", metavar="FILE", help="Where judgements are kept for later runs (else the user's cache)."),
]
NoStore = Annotated[
    bool, typer.Option("--no-store", help="Take no judgement from an earlier run, and keep none for a later one.")
]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, max=256, metavar="N", help="Processes; else by the number of turns.")
]
EngineOption = Annotated[
    str, typer.Option("--engine", metavar="NAME", help="local, or ray: over a Ray cluster (extra stef[ray]).")
]
RayAddress = Annotated[
    str | None, typer.Option("--ray-address", metavar="ADDRESS", help="A running cluster; else one on this machine.")
]
From = Annotated[
    str | None, typer.Option("--from", metavar="URL", help="Read the log from a database: postgresql://…, sqlite:///…")
]
QueryOption = Annotated[str | None, typer.Option("--query", metavar="SQL", help="The rows of --from that are the log.")]
SampleOption = Annotated[str | None, typer.Option("--sample", metavar="N|P%", help="Score so many turns only.")]
SampleBy = Annotated[
    str, typer.Option(metavar="HOW", help="Draw them: random, agent (N of each), newest, finding (each as often).")
]
SampleSeed = Annotated[int, typer.Option(metavar="N", help="Another seed draws another sample.")]
Since = Annotated[
    str | None, typer.Option(metavar="WHEN", help="Score turns since a date, a time, or a span ago (24h, 7d) only.")
]
Follow = Annotated[
    float | None,
    typer.Option(min=0.0, metavar="SECONDS", help="Go on with files that come into the folder, looking so often."),
]
PartRows = Annotated[int | None, typer.Option(min=1, hidden=True, help="Input rows of one Parquet file.")]


def settle_of(follow: float | None, logs: list[str] | None, sample: str | None) -> float | None:
    """How long a new file must have been left alone; None where none are waited for."""
    if follow is None:
        return None
    if not logs or "-" in logs:
        raise UserError("--follow looks into folders and globs for new files; name one")
    if sample is not None and not sample.strip().endswith("%"):
        raise UserError("--follow and a number of turns to sample exclude each other; sample a share, such as 5%")
    return follow


def query_of(logs: list[str] | None, database: str | None, sql: str | None) -> "Query | None":
    """The query whose rows are the log. Raises UserError where it is not whole, or where there is no log at all."""
    if database is None and sql is None:
        if not logs:
            raise UserError("Missing argument 'LOG…': a log to score, or --from URL --query SQL")
        return None
    if database is None or sql is None:
        raise UserError("--from and --query belong together: a database's URL, and the SQL whose rows are the log")
    if logs:
        raise UserError("name a log, or --from and --query, but not both")
    from stef.runs.incoming import Query  # noqa: PLC0415  heavy

    return Query(database, sql)


def choice_of(sample: str | None, by: str, seed: int, since: str | None, out: Path | None) -> "Choice":
    """Which turns are scored. A span ago is what it was when the RUN was begun."""
    from datetime import UTC, datetime  # noqa: PLC0415

    from stef.runs.choosing import Choice, parse_sample, parse_since  # noqa: PLC0415  heavy

    drawn = None if sample is None else parse_sample(sample, by, seed)
    if since is None:
        return Choice(None, drawn)
    moment = parse_since(since, datetime.now(UTC))
    return Choice(_as_begun(moment, since, out), drawn)


def _as_begun(moment: "datetime", since: str, out: Path | None) -> "datetime":
    """The moment that an unfinished RUN began with, where `since` is a span ago."""
    import json  # noqa: PLC0415
    from datetime import datetime  # noqa: PLC0415

    if out is None or not since.strip()[-1:].isalpha() or "T" in since:
        return moment
    try:
        return datetime.fromisoformat(json.loads((out / "run.json").read_bytes())["settings"]["since"])
    except (OSError, ValueError, KeyError, TypeError):
        return moment


def store_of(named: Path | None, none: bool, judge: str) -> Path | None:
    """Where judgements are kept for later runs; None where they are not."""
    if none and named is not None:
        raise UserError("--store and --no-store exclude each other")
    if none or judge.strip() == SYMBOLIC:
        return None
    return named or default_store()
