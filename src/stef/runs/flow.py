"""Much at once, but not too much, and an orderly end."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

from stef.errors import BudgetError, StoppedError

_ENDS_IN_ORDER = (StoppedError, BudgetError)
"""After these what is under way is ended, as it has been paid for; after anything else it is cancelled."""

_HELD: Final = 8
"""Units of all pieces under way, settled or not, for each that may be unsettled: a bound on memory."""

Settle = Callable[[], None]
"""Says that one unit of a piece waits for nothing any more: there is room for another, while the piece goes on."""


class Flow:
    """Runs pieces of work side by side, `most` units of them at once; a piece may be larger than that, alone.

    A piece ends with the slowest of its units; those that are settled before do not keep others waiting.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._unsettled = 0
        self._held = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self.failure: BaseException | None = None

    async def start(self, work: Callable[[Settle], Coroutine[Any, Any, None]], units: int) -> None:
        """Start `work` as soon as there is room. Raises what other work has raised meanwhile."""
        while self._held and (self._unsettled + units > self._most or self._held + units > _HELD * self._most):
            await self._change()
        self.check()
        left = units

        def settle(some: int = 1) -> None:
            nonlocal left
            some = min(some, left)
            left -= some
            self._unsettled -= some
            self._changed.set()

        def end(task: "asyncio.Task[None]") -> None:
            settle(units)
            self._held -= units
            self._end(task)

        self._unsettled += units
        self._held += units
        task = asyncio.ensure_future(work(settle))
        self._tasks.add(task)
        task.add_done_callback(end)

    async def end(self) -> None:
        """Wait for all that was started. Raises the first thing that any of it raised."""
        while self._tasks and (self.failure is None or isinstance(self.failure, _ENDS_IN_ORDER)):
            await self._change()
        await self.cancel()
        self.check()

    async def cancel(self) -> None:
        """End all of it now."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def check(self) -> None:
        """Raise what any work has raised."""
        if self.failure is not None:
            raise self.failure

    def _end(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        # A bad key tells more than that somebody asked to stop.
        if error is not None and (self.failure is None or isinstance(self.failure, StoppedError)):
            self.failure = error

    async def _change(self) -> None:
        self._changed.clear()
        if self._tasks:
            await self._changed.wait()
