"""Much at once, but not too much, and an orderly end."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from stef.errors import BudgetError, StoppedError

_ENDS_IN_ORDER = (StoppedError, BudgetError)
"""After these what is under way is ended, as it has been paid for; after anything else it is cancelled."""


class Flow:
    """Runs pieces of work side by side, `most` units of them at once; a piece may be larger than that, alone."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._units = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended = asyncio.Event()
        self.failure: BaseException | None = None

    async def start(self, work: Coroutine[Any, Any, None], units: int) -> None:
        """Start `work` as soon as there is room. Raises what other work has raised meanwhile."""
        try:
            while self._units and self._units + units > self._most:
                await self._change()
            self.check()
        except BaseException:
            work.close()
            raise
        self._units += units
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._end(done, units))

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

    def _end(self, task: "asyncio.Task[None]", units: int) -> None:
        self._units -= units
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        # A bad key tells more than that somebody asked to stop.
        if error is not None and (self.failure is None or isinstance(self.failure, StoppedError)):
            self.failure = error
        self._ended.set()

    async def _change(self) -> None:
        self._ended.clear()
        if self._tasks:
            await self._ended.wait()
