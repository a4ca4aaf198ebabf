"""How many calls are in flight at once: it rises while all is well, and falls where the server says "too many"."""

from typing import Final

FIRST: Final = 128
"""Calls in flight to begin with, where more are allowed."""

_NEAR: Final = 0.75
_ROUND: Final = 8.0
_STEP: Final = 1 / 32


class Adaptive:
    """The number of calls that may be in flight, from 1 to `most`.

    A refusal takes away half of the share of calls that were refused of late, once for all that were under way: the
    half of all where every call is refused (and at the first refusal), next to nothing where a server refuses one in
    thirty by chance, which fewer calls would not mend (as in DCTCP, RFC 8257). It grows by one with each answer as long
    as it is well below where it was last refused (or never was), then by one with each round of answers, or by one in
    32 where that is more: so refusals of up to one in sixteen are borne.
    """

    def __init__(self, most: int, first: int = FIRST) -> None:
        self.most = most
        self._limit = float(min(most, first))
        self._refused_at: float | None = None
        self._cut_at = float("-inf")
        self._share = 1.0

    @property
    def limit(self) -> int:
        """How many may be in flight now."""
        return int(self._limit)

    def well(self) -> None:
        """A call was answered."""
        near = self._refused_at is not None and self._limit >= _NEAR * self._refused_at
        self._limit = min(float(self.most), self._limit + (max(1.0 / self._limit, _STEP) if near else 1.0))
        self.let_in()

    def let_in(self) -> None:
        """A call was not refused, whatever else became of it."""
        if self._refused_at is not None:
            self._share -= self._share / self._memory

    def too_many(self, started: float, now: float) -> None:
        """A call that was `started` then was refused `now`."""
        if started >= self._cut_at:
            self._refused_at = self._limit
            self._limit = max(1.0, self._limit * (1.0 - self._share / 2.0))
            self._cut_at = now
        self._share += (1.0 - self._share) / self._memory

    @property
    def _memory(self) -> float:
        """Calls that "of late" speaks of: about one round of them."""
        return max(_ROUND, self._limit)
