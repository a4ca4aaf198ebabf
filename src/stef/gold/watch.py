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
            self.faults.append(fault_of(family, error))
            return None


def fault_of(where: str, error: Exception) -> CaseFault:
    """A bug of stef's own as a fault: what it says, and its traceback."""
    words = f"a bug in stef ({where}): {type(error).__name__}: {error}"
    return CaseFault(Whose.HARNESS, "harness_fault", words, "".join(traceback.format_exception(error)))
