"""The one place of the gold families where a bug becomes a counted fault of stef's own."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from stef.records.gold import CaseFault, Whose

T = TypeVar("T")


@dataclass(slots=True)
class Watch:
    """Runs scorers; of those that raise it keeps what they raised."""

    faults: list[CaseFault] = field(default_factory=list)

    def over(self, family: str, scorer: Callable[[], T]) -> T | None:
        """What `scorer` says; None, and a fault with its traceback, where it raises."""
        try:
            return scorer()
        except Exception as error:  # a bug in one scorer must cost its own figure, and not the turn
            words = f"a bug in stef ({family}): {type(error).__name__}: {error}"
            self.faults.append(CaseFault(Whose.HARNESS, "harness_fault", words, traceback.format_exc()))
            return None
