"""Asking again: back-off with jitter, within a number of attempts and a time."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from stef.llm.faults import ServerFault

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long to ask again.

    `max_attempts` counts the first one. No wait is begun that would end after `max_wait` seconds from the start.
    A wait is `initial` seconds, doubled each time up to `longest`, of which a random half is taken off; a server's own
    Retry-After is never undercut. `sleep` and `jitter` (a number in [0, 1)) can be replaced in tests.
    """

    max_attempts: int = 5
    max_wait: float = 180.0
    initial: float = 1.0
    longest: float = 30.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    # Not for secrets: it only keeps many callers from coming back at the same moment.
    jitter: Callable[[], float] = random.random

    def wait(self, attempt: int, retry_after: float | None) -> float:
        """Seconds to wait after `attempt` (1 is the first)."""
        backoff = min(self.longest, self.initial * 2.0 ** (attempt - 1))
        spread = backoff * (1.0 - self.jitter() / 2)
        return spread if retry_after is None else retry_after + spread * 0.1


async def with_retries(attempt: Callable[[], Awaitable[T]], policy: RetryPolicy) -> T:
    """What `attempt` returns, asked again after each ServerFault. Raises the last ServerFault where none succeeds."""
    from tenacity import (  # noqa: PLC0415  # only where a model is asked
        AsyncRetrying,
        retry_if_exception_type,
        stop_after_attempt,
        stop_before_delay,
    )

    def wait(state: "RetryCallState") -> float:
        fault = state.outcome.exception() if state.outcome else None
        return policy.wait(state.attempt_number, fault.retry_after if isinstance(fault, ServerFault) else None)

    retrying = AsyncRetrying(
        sleep=policy.sleep,
        retry=retry_if_exception_type(ServerFault),
        wait=wait,
        stop=stop_after_attempt(policy.max_attempts) | stop_before_delay(policy.max_wait),
        reraise=True,
    )

    # tenacity awaits functions that are declared asynchronous, and no others.
    async def once() -> T:
        return await attempt()

    return await retrying(once)
