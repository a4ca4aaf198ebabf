"""The one place where a command's errors become messages and exit codes."""

import functools
import os
import sys
import traceback
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

    With `--debug` the traceback comes first.
    """

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except (Exception, KeyboardInterrupt) as error:  # the one place that turns a bug into a message
            if _debugging():
                traceback.print_exc()
            raise typer.Exit(told(error)) from error

    return run


def told(error: BaseException) -> int:
    """Say what happened; what comes back is the exit code."""
    match error:
        case StefError():
            say(f"stef: {harmless(str(error))}")
            return error.exit_code
        case KeyboardInterrupt():
            say(f"\nstef: {error.args[0] if isinstance(error, Stopped) and error.args else 'stopped'}")
            return INTERRUPTED
        case BrokenPipeError():
            # Whoever read our output has gone; Python must not fail again when it flushes at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        case OSError():
            say(f"stef: {harmless(str(error.filename or 'cannot go on'))}: {error.strerror or error}")
            return FAILED
        case _:
            say(f"stef: this is a bug in stef: {type(error).__name__}: {harmless(str(error))}")
            say("stef: please report it with what `--debug` prints for the same command")
            return FAILED


def _debugging() -> bool:
    return bool(os.environ.get("STEF_DEBUG"))
