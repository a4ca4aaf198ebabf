"""A loop in a thread of its own, and calls that end in time."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")

CLOSED = "broken off: the agent was closed while it answered"


class Loop:
    """One event loop in one thread. An asynchronous client belongs to one loop, so that each agent keeps its own."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """The result of `work`, which is cancelled after `seconds`; TimeoutError then, CancelledError once closed."""
        future = asyncio.run_coroutine_threadsafe(work, self._started())
        try:
            return _result(future, seconds)
        finally:
            # Nobody waits for it any more, also where the waiting was interrupted.
            future.cancel()

    def close(self, last: Callable[[], Awaitable[object]] | None = None) -> None:
        """Cancel what still runs (CancelledError for whoever waits for it), do `last`, and end the loop's thread."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            asyncio.run_coroutine_threadsafe(_ended(last), loop).add_done_callback(
                lambda _: loop.call_soon_threadsafe(loop.stop)
            )

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                Thread(target=_turn, args=(self._loop,), name=self._name, daemon=True).start()
            return self._loop


def _result(future: Future[T], seconds: float) -> T:
    """The result of `future`, or what the work raised, also a time-out of its own; TimeoutError after `seconds`."""
    try:
        return future.result(seconds)
    except FutureTimeoutError:
        if future.done():
            raise
        raise TimeoutError from None


async def _ended(last: Callable[[], Awaitable[object]] | None) -> None:
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
    if last is not None:
        await last()


def _turn(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


def within(seconds: float, work: Callable[[], T]) -> T:
    """The result of `work`, run in a thread of its own; TimeoutError after `seconds`.

    Python cannot stop a thread: one that takes too long is left behind, and its result is dropped.
    """
    future: Future[T] = Future()

    def call() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # whatever it is, it is raised again where it is waited for
            future.set_exception(error)

    Thread(target=call, name="stef-agent", daemon=True).start()
    return _result(future, seconds)
