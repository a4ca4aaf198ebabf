"""`stef monitor`: how scores go over time, whether they drift, and whether questions or SQL moved."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.guard import guarded
from stef.cli.options import Json
from stef.cli.screen import say, show, show_json
from stef.errors import UserError

if TYPE_CHECKING:
    from stef.runs.monitor import Monitored, MonitorOptions

_STDOUT = "-"

Runs = Annotated[list[Path], typer.Argument(metavar="RUN…", help="RUNs, such as one for each night.")]
ByWhat = Annotated[str, typer.Option("--by", metavar="PERIOD", help="day, week (from Monday) or hour.")]
TimeZone = Annotated[str, typer.Option("--time-zone", metavar="NAME", help="Where days begin, such as Europe/Oslo.")]
Per = Annotated[
    str | None,
    typer.Option(metavar="FIELD", help="Watch each value apart: agent, agent_version, app, database."),
]
Only = Annotated[list[str] | None, typer.Option(metavar="FIELD=VALUE", help="Turns of this agent, app, … only.")]
Since = Annotated[
    str | None, typer.Option(metavar="DATE", help="Begin anew here, as after a change that is known: 2025-11-03.")
]
FalseAlarms = Annotated[
    float,
    typer.Option(
        min=0.01, max=50, metavar="PERCENT", help="How many series that never drift may raise an alarm, ever."
    ),
]
FailOnWhat = Annotated[
    list[str] | None,
    typer.Option("--fail-on", metavar="GATE", help="Exit 1 on drift, new-drift (seen in the last period), questions."),
]
Prometheus = Annotated[str | None, typer.Option(metavar="FILE|-", help="Write the last period as Prometheus text.")]
WebhookPayload = Annotated[
    str | None, typer.Option(metavar="FILE|-", help="Write the body for a webhook; stef sends nothing itself.")
]
Last = Annotated[int, typer.Option(min=0, metavar="N", help="Periods to print; 0 prints all.")]
Level = Annotated[int, typer.Option(min=50, max=99, metavar="PERCENT", help="The level of the intervals.")]


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("monitor", short_help="Watch scores over time: drift, and whether questions or SQL moved.")(
        guarded(monitor)
    )


def monitor(  # noqa: PLR0913, PLR0917  the options of a command
    runs: Runs,
    by: ByWhat = "day",
    time_zone: TimeZone = "UTC",
    per: Per = None,
    only: Only = None,
    since: Since = None,
    false_alarms: FalseAlarms = 5.0,
    fail_on: FailOnWhat = None,
    prometheus: Prometheus = None,
    webhook_payload: WebhookPayload = None,
    last: Last = 31,
    level: Level = 95,
    as_json: Json = False,
) -> None:
    """Show how scores go over time, and say from when on they drift, and why.

    Turns are put into periods by their timestamps; a period without turns is a gap, never a zero. A sequential test
    with a stated false-alarm rate watches scores, readable SQL, declined turns, and what is asked; it may be looked
    at after every period. All is computed anew from the RUNs each time. Turns that another judge, or other rules,
    measured are a series of their own.

    \b
    Examples:
      stef monitor runs/2025-11-* --by day
      stef monitor runs/* --by week --time-zone Europe/Oslo --per agent
      stef monitor runs/* --fail-on new-drift --json > drift.json
      stef monitor runs/* --prometheus /var/lib/node_exporter/stef.prom
      stef monitor runs/* --webhook-payload body.json && curl --json @body.json "$URL"
    """
    from stef.runs.monitor import monitor_runs  # noqa: PLC0415  heavy
    from stef.runs.monitor.gate import failures, read_gates  # noqa: PLC0415
    from stef.runs.run import open_run  # noqa: PLC0415

    _refuse_two_on_stdout(as_json, prometheus, webhook_payload)
    gates = read_gates(fail_on or ())
    options = _options(by, time_zone, per, only, since, false_alarms, level)
    found = monitor_runs([open_run(run) for run in runs], options, datetime.now(UTC))
    failed = failures(gates, found)
    _give(found, options, (prometheus, webhook_payload), last, failed if gates else None, as_json=as_json)
    if failed:
        for one in failed:
            say(f"stef: gate failed: {one}")
        raise typer.Exit(1)


def _options(  # noqa: PLR0913, PLR0917  those of the command
    by: str, zone: str, per: str | None, only: list[str] | None, since: str | None, false_alarms: float, level: int
) -> "MonitorOptions":
    from stef.runs.monitor import MonitorOptions, read_only  # noqa: PLC0415  heavy
    from stef.stats.periods import By  # noqa: PLC0415

    if by not in {one.value for one in By}:
        raise UserError(f"--by {by}: turns are watched by {', '.join(one.value for one in By)}")
    return MonitorOptions(
        by=By(by),
        zone=zone,
        rate=false_alarms / 100,
        per=per,
        only=tuple(read_only(only or ()).items()),
        since=None if since is None else _moment(since),
        level=level / 100,
    )


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise UserError(f"--since {text}: write a date as in 2025-11-03, or a moment as in 2025-11-03T14:00") from error


def _refuse_two_on_stdout(as_json: bool, *files: str | None) -> None:
    if as_json + sum(file == _STDOUT for file in files) > 1:
        raise UserError("standard output takes one document: give a file to --prometheus or --webhook-payload")


def _give(  # noqa: PLR0913  what goes where
    found: "Monitored",
    options: "MonitorOptions",
    files: tuple[str | None, str | None],
    last: int,
    failed: list[str] | None,
    *,
    as_json: bool,
) -> None:
    """Write the files, and one thing to standard output."""
    import json  # noqa: PLC0415

    from stef.cli.monitor_document import monitor_document, payload  # noqa: PLC0415  heavy
    from stef.cli.monitor_prometheus import prometheus_text  # noqa: PLC0415
    from stef.cli.monitor_render import show_monitored  # noqa: PLC0415
    from stef.findings import all_rules  # noqa: PLC0415

    titles = {rule.code: rule.title for rule in all_rules()}
    prometheus, webhook = files
    if prometheus is not None:
        _write(prometheus, prometheus_text(found, options.per))
    if webhook is not None:
        body = json.dumps(payload(found, titles, failed), ensure_ascii=False, indent=2, allow_nan=False)
        _write(webhook, f"{body}\n")
    if as_json:
        show_json(monitor_document(found, titles, failed))
    elif _STDOUT not in files:
        show_monitored(found, last, options.level, titles)


def _write(file: str, text: str) -> None:
    if file == _STDOUT:
        show(text.rstrip("\n"))
        return
    from stef.runs.folder import write_whole  # noqa: PLC0415  heavy

    # A scraper must never read half a file.
    write_whole(Path(file), text.encode("utf-8", "replace"))
