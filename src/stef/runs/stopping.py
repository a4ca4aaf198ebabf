"""Ctrl-C: once ends what is under way in order, twice ends at once."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def stop_on_interrupt(stop: Callable[[], int], remark: Callable[[str], None]) -> Iterator[None]:
    """Inside this context the first Ctrl-C calls `stop`, which says how many calls are waited for.

    The second one cancels the running task. Where signals cannot be handled (another thread, Windows), Ctrl-C is left
    as it is.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    asked = False

    def interrupted() -> None:
        nonlocal asked
        if asked and task is not None:
            task.cancel()
            return
        asked = True
        waited_for = stop()
        if waited_for:
            calls = "1 call" if waited_for == 1 else f"{waited_for} calls"
            remark(f"stopping: {calls} under way may have been paid for; Ctrl-C again does not wait for them")

    try:
        loop.add_signal_handler(signal.SIGINT, interrupted)
    except (NotImplementedError, RuntimeError, ValueError):
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
