"""The one place where a command's errors become messages and exit codes."""

import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec

import typer

from stef.cli.screen import harmless, say
from stef.errors import StefError

P = ParamSpec("P")

FAILED = 3
INTERRUPTED = 130
DEBUG = "--debug"


class Stopped(KeyboardInterrupt):
    """Ctrl-C, with what the user should know about it."""


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """`command`, ending with a message and an exit code where it raises: 2 the user's mistake, 3 something failed.

    `--debug` lets a traceback through.
    """

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except StefError as error:
            if _debugging():
                raise
            say(f"stef: {harmless(str(error))}")
            raise typer.Exit(error.exit_code) from error
        except BrokenPipeError as error:
            # Whoever read our output has gone; Python must not fail again when it flushes at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from error
        except KeyboardInterrupt as error:
            say(f"\nstef: {error.args[0] if isinstance(error, Stopped) and error.args else 'stopped'}")
            raise typer.Exit(INTERRUPTED) from error
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except Exception as error:  # the one place that turns a bug into a message
            if _debugging():
                raise
            say(f"stef: this is a bug in stef: {type(error).__name__}: {harmless(str(error))}")
            say("stef: please report it with what `--debug` prints for the same command")
            raise typer.Exit(FAILED) from error

    return run


def _debugging() -> bool:
    return bool(os.environ.get("STEF_DEBUG"))
