"""Ends queries that overrun: one thread for all, which sleeps until the next deadline."""

import threading
import time
from collections.abc import Callable

_IDLE_SECONDS = 5.0
_AGAIN_AFTER = 0.025


class Watch:
    """One running query. `fired` counts how often it was told to stop, as its time had run out."""

    __slots__ = ("cancel", "deadline", "fired")

    def __init__(self, deadline: float, cancel: Callable[[int], object]) -> None:
        self.deadline = deadline
        self.cancel = cancel
        self.fired = 0


class Watchdog:
    """Calls `cancel` of every watch whose deadline passes, again and again until the watch is stopped.

    A query that is told to stop just before it starts would miss the call: hence again. Starting and stopping a watch
    costs a lock, no thread and, as deadlines mostly come in order, no wake-up.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watches: set[Watch] = set()
        self._thread: threading.Thread | None = None
        self._wakes_at = 0.0

    def start(self, deadline: float, cancel: Callable[[int], object]) -> Watch:
        """Watch a query from now on.

        At `deadline` (time.monotonic), and some times after that, `cancel` is called from another thread with the
        number of the call, from 1. It must not wait, as it holds up all the others.
        """
        watch = Watch(deadline, cancel)
        with self._changed:
            self._watches.add(watch)
            if self._thread is None:
                self._thread = threading.Thread(target=self._keep_watch, name="stef-watchdog", daemon=True)
                self._thread.start()
            elif watch.deadline < self._wakes_at:
                self._changed.notify()
        return watch

    def stop(self, watch: Watch) -> bool:
        """End a watch; afterwards its `cancel` is not called any more. True where the time had run out."""
        with self._changed:
            self._watches.discard(watch)
        return watch.fired > 0

    def _keep_watch(self) -> None:
        """Sleep until the earliest deadline that is known, or until an earlier one comes; end when long idle."""
        with self._changed:
            while True:
                now = time.monotonic()
                for watch in [watch for watch in self._watches if watch.deadline <= now]:
                    self._fire(watch)
                self._wakes_at = min((watch.deadline for watch in self._watches), default=now + _IDLE_SECONDS)
                notified = self._changed.wait(max(self._wakes_at - time.monotonic(), 0.0))
                if not notified and not self._watches:
                    self._thread = None
                    return

    def _fire(self, watch: Watch) -> None:
        """Tell one query to stop, and again later, ever more seldom: each time may cost a connection to a server."""
        watch.fired += 1
        # Under the lock: a watch that was stopped must not end the connection's next query.
        watch.cancel(watch.fired)
        watch.deadline = time.monotonic() + _AGAIN_AFTER * 2**watch.fired
