"""How many requests and tokens a minute a server allows."""

import asyncio
from collections.abc import Callable


class Rate:
    """At most `per_minute` units a minute, evenly: what comes at once is at most one second's worth.

    A taking that is larger than that goes through when its turn comes, and those after it wait the longer.
    """

    def __init__(self, per_minute: float, clock: Callable[[], float] | None = None) -> None:
        if per_minute <= 0:
            raise ValueError("a rate is more than 0")
        self._per_second = per_minute / 60.0
        self._most = max(1.0, self._per_second)
        self._level = self._most
        self._clock = clock
        self._at: float | None = None

    def wait_for(self, units: float) -> float:
        """Take `units`, and say how many seconds to wait before using them."""
        self._refill()
        waits = max(0.0, -(self._level - min(units, self._most))) / self._per_second
        self._level -= units
        return waits

    def correct(self, units: float) -> None:
        """As many `units` more (or, where negative, fewer) were used than had been taken."""
        self._level = min(self._most, self._level - units)

    def _refill(self) -> None:
        now = self._clock() if self._clock is not None else asyncio.get_running_loop().time()
        if self._at is not None:
            self._level = min(self._most, self._level + max(0.0, now - self._at) * self._per_second)
        self._at = now
