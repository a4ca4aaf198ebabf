"""The same thing is done once, however many wait for it."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Doing(Generic[T]):
    """Something on its way, and how many wait for it."""

    task: "asyncio.Task[T]"
    waiting: int = 0


class Once(Generic[T]):
    """Does what has one key once at a time. Nothing is remembered: who comes after its end does it anew."""

    def __init__(self) -> None:
        self._doing: dict[Hashable, _Doing[T]] = {}

    async def get(self, key: Hashable, do: Callable[[], Awaitable[T]]) -> T:
        """What `do` gives, or what the same key on its way gives. Raises what it raises, for all who wait."""
        doing = self._doing.get(key)
        if doing is None:
            doing = self._doing[key] = _Doing(asyncio.ensure_future(_awaited(do)))
            doing.task.add_done_callback(lambda _: self._doing.pop(key, None))
        doing.waiting += 1
        try:
            # Who waits may be cancelled; the others who wait for the same are not.
            return await asyncio.shield(doing.task)
        except asyncio.CancelledError:
            if doing.waiting == 1:
                doing.task.cancel()
                await asyncio.gather(doing.task, return_exceptions=True)
            raise
        finally:
            doing.waiting -= 1


async def _awaited(do: Callable[[], Awaitable[T]]) -> T:
    return await do()
