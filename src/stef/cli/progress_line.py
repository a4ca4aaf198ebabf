"""One line that says how far a run is: turns, rate, time and cost so far and to come, what is unscored and why."""

import time
from collections.abc import Callable
from typing import Final

from stef.runs.job import Progress

_REASONS: Final = 3
_SOON: Final = 60
_HOUR: Final = 3600


class ProgressLine:
    """Makes the line. `clock` counts seconds, and never goes back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()

    def text(self, progress: Progress) -> str:
        """The line for where the run is now."""
        seconds = max(self._clock() - self._start, 1e-3)
        scored = progress.turns - progress.resumed
        rate = scored / seconds
        parts = [_turns(progress), f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"]
        left = None if progress.expected is None else max(0, progress.expected - progress.turns)
        if left and rate > 0 and scored:
            parts.append(f"about {_span(left / rate)} to go")
        if progress.calls or progress.kept:
            parts.append(_calls(progress, scored, left))
        if progress.unscored:
            most = progress.unscored.most_common(_REASONS)
            more = f" and {len(progress.unscored) - _REASONS} more" if len(progress.unscored) > _REASONS else ""
            parts.append(f"unscored: {', '.join(f'{number:,} {reason}' for reason, number in most)}{more}")
        if progress.bad_lines:
            parts.append(f"{progress.bad_lines:,} broken lines")
        return " · ".join(parts)


def _turns(progress: Progress) -> str:
    of = f" of about {progress.expected:,}" if progress.expected and progress.expected > progress.turns else ""
    before = f" ({progress.resumed:,} before)" if progress.resumed else ""
    return f"{progress.turns:,}{of} turns{before}"


def _calls(progress: Progress, scored: int, left: int | None) -> str:
    said = f"{progress.calls:,} calls"
    if progress.kept:
        said += f", {progress.kept:,} kept"
    if progress.cost:
        said += f", ${progress.cost:.2f}"
        if left and scored:
            said += f" and about ${progress.cost / scored * left:.2f} to come"
    return said


def _span(seconds: float) -> str:
    if seconds < _SOON:
        return f"{seconds:.0f} s"
    if seconds < _HOUR:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / _HOUR:.1f} h"
