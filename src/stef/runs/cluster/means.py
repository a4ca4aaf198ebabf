"""Who judges on a cluster, and what that may take."""

from collections.abc import Callable
from dataclasses import dataclass, field

from stef.evaluator import Evaluator
from stef.llm.budget import Budget
from stef.llm.gate import Limits
from stef.runs.calls import CallLog

Make = Callable[[CallLog], Evaluator]
"""Makes the evaluator, with its judge, in another process; what its judge asks goes to the log."""


@dataclass(frozen=True, slots=True)
class Means:
    """How an evaluator is made, and the bounds of all its calls together. `budget`: US dollars for the whole RUN."""

    make: Make
    limits: Limits = field(default_factory=Limits)
    budget: float | None = None

    def unasked(self) -> Evaluator:
        """The evaluator, to look at: it asks nobody. Raises what making it raises, an unknown price too."""
        return self.make(CallLog(None if self.budget is None else Budget(self.budget)))
