"""Both sides of a comparison as they ran: a query, what it gave, and what its SQL says."""

from collections.abc import Sequence
from dataclasses import dataclass

from stef.gold.doubt import gold_states
from stef.records.case import Case
from stef.records.gold import GoldState
from stef.records.result import Executed
from stef.sql.resolve import Resolved


@dataclass(frozen=True, slots=True)
class Ran:
    """A query, what it gave, and what its SQL says under the live schema (None where it could not be read)."""

    sql: str
    executed: Executed
    resolved: Resolved | None = None


@dataclass(frozen=True, slots=True)
class Golds:
    """The acceptable golds of one case, and what became of each."""

    runs: tuple[Ran, ...] = ()
    states: tuple[GoldState, ...] = ()

    @property
    def usable(self) -> tuple[int, ...]:
        """The indices of those that anything can be measured against."""
        return tuple(index for index, state in enumerate(self.states) if state.usable)


def golds_of(case: Case, runs: Sequence[Ran]) -> Golds:
    """The golds of `case` as they ran, after the cheap checks."""
    return Golds(tuple(runs), gold_states(case, [one.executed for one in runs]))
