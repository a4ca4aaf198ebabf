"""How many calls are in flight at once: it rises while all is well, and halves where the server says "too many"."""

from typing import Final

FIRST: Final = 128
"""Calls in flight to begin with, where more are allowed."""

_NEAR: Final = 0.75
_STEP: Final = 4.0


class Adaptive:
    """The number of calls that may be in flight, from 1 to `most`.

    It halves where a call is refused, once for all that were under way. It grows by one with each answer as long as it
    is well below where it was last refused (or never was), then by four with each round of answers: a server that
    refuses now and then by chance does not bring a run to a halt.
    """

    def __init__(self, most: int, first: int = FIRST) -> None:
        self.most = most
        self._limit = float(min(most, first))
        self._refused_at = float("inf")
        self._cut_at = float("-inf")

    @property
    def limit(self) -> int:
        """How many may be in flight now."""
        return int(self._limit)

    def well(self) -> None:
        """A call was answered."""
        far = self._limit < _NEAR * self._refused_at
        self._limit = min(float(self.most), self._limit + (1.0 if far else min(1.0, _STEP / self._limit)))

    def too_many(self, started: float, now: float) -> None:
        """A call that was `started` then was refused `now`."""
        if started >= self._cut_at:
            self._refused_at = self._limit
            self._limit = max(1.0, self._limit / 2)
            self._cut_at = now
