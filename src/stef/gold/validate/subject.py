"""What a check reads: a case, its acceptable queries as they ran and read, and the case's database."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from stef.gold.doubt import gold_states
from stef.gold.validate.place import Place
from stef.records.assessment import Assessment
from stef.records.case import Case
from stef.records.gold import GoldState
from stef.records.reading import SqlReading
from stef.records.result import Executed, Result
from stef.records.turn import Turn
from stef.sql.read import read_sql
from stef.sql.resolve import Resolved, resolve
from stef.sql.resolve.catalogue import schema_of

Assess: TypeAlias = Callable[[Turn], Assessment]
"""What stef says of a turn without gold: here the gold takes the place of the agent's query."""


class Gold:
    """One acceptable query of a case. What is dear is worked out when it is first asked for."""

    def __init__(self, index: int, sql: str, dialect: str | None, place: Place | None) -> None:
        self.index = index
        self.sql = sql
        self.place = place
        self.dialect = dialect or (place.dialect if place is not None else None)

    @cached_property
    def executed(self) -> Executed | None:
        """What it gives now; None without a database."""
        return self.place.run(self.sql) if self.place is not None else None

    @property
    def result(self) -> Result | None:
        """Its answer, where it gives one."""
        return self.executed if isinstance(self.executed, Result) else None

    @cached_property
    def resolved(self) -> Resolved | None:
        """What its SQL says; None where it cannot be read."""
        return resolve(self.sql, self.dialect, self.place.schema if self.place is not None else None)

    @cached_property
    def reading(self) -> SqlReading:
        """Its Spec and notes."""
        live = self.place.schema if self.place is not None else None
        return read_sql(self.sql, self.dialect, schema_of(live) if live is not None else None)


@dataclass(frozen=True, slots=True)
class Subject:
    """A case under validation. `away` says why its database could not be reached."""

    case: Case
    place: Place | None = None
    golds: Sequence[Gold] = ()
    away: str | None = None
    assess: Assess | None = None
    memory: dict[str, Assessment] = field(default_factory=dict)

    @property
    def states(self) -> tuple[GoldState, ...]:
        """What the cheap checks of a run say of each query; without a database there is nothing to say."""
        executed = [gold.executed for gold in self.golds]
        ran = [one for one in executed if one is not None]
        return gold_states(self.case, ran) if len(ran) == len(executed) else tuple(GoldState() for _ in executed)

    @property
    def database(self) -> str:
        """The name of its database; empty for the only one."""
        return self.case.database or ""

    def which(self, gold: Gold) -> str:
        """How a message names a query of the case: not at all where there is only one."""
        return f"query {gold.index + 1} of {len(self.golds)} " if len(self.golds) > 1 else ""
