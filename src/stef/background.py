"""One event loop in a thread of its own, for ordinary code that calls an asynchronous judge."""

import asyncio
from collections.abc import Coroutine
from functools import lru_cache
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


@lru_cache(maxsize=1)
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="stef", daemon=True).start()
    return loop


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, run on the background loop; it may be called inside a running loop too."""
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()
