"""How many calls are in flight at once: it rises while all is well, and halves where the server says "too many"."""

from typing import Final

FIRST: Final = 64
"""Calls in flight to begin with, where more are allowed."""


class Adaptive:
    """The number of calls that may be in flight, from 1 to `most` (additive increase, multiplicative decrease).

    It doubles with each round of answers until the server first says "too many", then grows by one a round.
    """

    def __init__(self, most: int, first: int = FIRST) -> None:
        self.most = most
        self._limit = float(min(most, first))
        self._least_room_seen = False
        self._cut_at = float("-inf")

    @property
    def limit(self) -> int:
        """How many may be in flight now."""
        return int(self._limit)

    def well(self) -> None:
        """A call was answered."""
        step = 1.0 / self._limit if self._least_room_seen else 1.0
        self._limit = min(float(self.most), self._limit + step)

    def too_many(self, started: float, now: float) -> None:
        """A call that was `started` then was refused `now`: the limit halves once for all that were in flight."""
        if started >= self._cut_at:
            self._limit = max(1.0, self._limit / 2)
            self._least_room_seen = True
            self._cut_at = now
