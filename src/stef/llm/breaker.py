"""A circuit breaker: while the judge is down nobody is asked, but for a probe now and then."""

from typing import Final

TRIP: Final = 10
"""Failures one after the other, without an answer in between, that look like an outage."""

_FIRST_WAIT: Final = 1.0
_LONGEST_WAIT: Final = 30.0


class Breaker:
    """Opens after `trip` failures in a row; then one probe at a time is let through, later and later.

    The time is given with each call, in seconds of any clock that never goes back.
    """

    def __init__(self, trip: int = TRIP) -> None:
        self._trip = trip
        self._failures = 0
        self._since: float | None = None
        self._first_failure = 0.0
        self._wait = _FIRST_WAIT
        self._probe_at = 0.0
        self._probing = False
        self.said = ""

    @property
    def open(self) -> bool:
        """Whether the judge is taken to be down."""
        return self._since is not None

    def down_for(self, now: float) -> float:
        """How long the judge has been down, in seconds; 0 while it is not."""
        return 0.0 if self._since is None else now - self._since

    def until_probe(self, now: float) -> float | None:
        """Seconds until somebody may try; None while somebody tries."""
        return None if self._probing else max(0.0, self._probe_at - now)

    def probe(self) -> None:
        """Somebody tries now."""
        self._probing = True

    def leave(self, probing: bool) -> None:
        """A call ended that says nothing about the judge."""
        if probing:
            self._probing = False

    def well(self) -> None:
        """The judge answered."""
        self._failures = 0
        self._since = None
        self._probing = False
        self._wait = _FIRST_WAIT

    def failed(self, now: float, said: str, probing: bool) -> None:
        """The judge failed as one that is down does."""
        self.said = said
        if self._failures == 0:
            self._first_failure = now
        self._failures += 1
        if probing:
            self._probing = False
            self._wait = min(_LONGEST_WAIT, self._wait * 2)
            self._probe_at = now + self._wait
        elif not self.open and self._failures >= self._trip:
            self._since = self._first_failure
            self._probe_at = now + self._wait
