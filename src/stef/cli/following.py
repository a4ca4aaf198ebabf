"""`stef score --follow`: a folder that files keep coming into."""

import time
from collections.abc import Callable
from typing import NoReturn

from stef.cli.guard import Stopped
from stef.cli.screen import say
from stef.runs.incoming import NothingYetError
from stef.runs.job import Finished


def followed(once: Callable[[], Finished], seconds: float) -> NoReturn:
    """Score what is there, and every `seconds` what has come since, until somebody stops it.

    Raises what `once` raises, and Stopped at a Ctrl-C.
    """
    told = ""
    while True:
        try:
            finished = once()
            turns = finished.run.about["counts"]["turns"]
            said = f"stef: {finished.run.path}: {turns:,} turns; waiting for more (Ctrl-C ends it)"
        except NothingYetError as error:
            said = f"stef: {error}; looking again"
        if said != told:
            say(said)
            told = said
        try:
            time.sleep(seconds)
        except KeyboardInterrupt as error:
            raise Stopped("stopped; the RUN holds all that had come") from error
