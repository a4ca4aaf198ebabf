"""The entry point of the `stef` command."""

import importlib
import os
import sys
from typing import Annotated

import typer

from stef.cli.guard import DEBUG, told
from stef.cli.screen import show

COMMANDS = (
    "score",
    "explain",
    "compare",
    "monitor",
    "report",
    "findings",
    "rescore",
    "agree",
    "calibrate",
    "selfcheck",
    "verify",
)
"""Modules of stef.cli, each with a function `register(app)`."""


def _version(asked: bool) -> None:
    if asked:
        from stef.version import VERSION  # noqa: PLC0415

        show(f"stef {VERSION}")
        raise typer.Exit


def stef(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Tells whether a text-to-SQL agent's SQL is right: scores its log, without gold SQL, schema or database.

    \b
    stef score log.jsonl -o run     score a log
    stef explain run 17             one turn: what matched, what is missing, why this score
    stef gold run CASES --db URL    agents against gold queries on a live database
    stef verify log.jsonl --db URL  answers without gold, looked at on a live database
    """


def build() -> typer.Typer:
    """The application with all of its commands."""
    app = typer.Typer(
        name="stef",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
        pretty_exceptions_enable=False,
    )
    app.callback()(stef)
    for name in COMMANDS:
        importlib.import_module(f"stef.cli.{name}").register(app)
    from stef.cli.gold import gold_app  # noqa: PLC0415
    from stef.cli.judge import judge_app  # noqa: PLC0415
    from stef.cli.rules import rules_app  # noqa: PLC0415

    app.add_typer(gold_app, name="gold", help="Compare agents with gold queries on a live database.")
    app.add_typer(judge_app, name="judge", help="Carry the judge's questions to a model as files, and back.")
    app.add_typer(rules_app, name="rules", help="Check an application's rules, and print their JSON Schema.")
    return app


def _open_what_is_closed() -> None:
    """Give a closed standard stream (`>&-`) nowhere to go: else the next file that is opened would be taken for it."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def main() -> None:
    """Run the command line. Exit codes: 0 done, 1 a gate failed, 2 the user's mistake, 3 something failed."""
    if DEBUG in sys.argv[1:]:
        sys.argv = [sys.argv[0], *(argument for argument in sys.argv[1:] if argument != DEBUG)]
        os.environ["STEF_DEBUG"] = "1"
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        # A terminal of another encoding must not end a run on a ✓.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        build()()
    except (OSError, KeyboardInterrupt) as error:  # before or beside every command: in --help, while modules are read
        sys.exit(told(error))
