"""A database as the checks ask it: every question once, however many golds need the answer."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stef.databases import Database, Limits
from stef.errors import StefError
from stef.gold.coincidence import Speaks
from stef.records.case import Case
from stef.records.gold import Coincidence
from stef.records.live import LiveSchema, LiveTable
from stef.records.result import Executed, Failure, Result

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_KEPT = 50_000
"""Cells of an answer that is kept for the next check."""


@dataclass(frozen=True, slots=True)
class Values:
    """The distinct values of a column, NULL left out; `whole` is False where there are more."""

    values: tuple[Any, ...]
    whole: bool


class Place:
    """One database within limits. Nothing here raises for what the database says.

    `perturbed` compares two queries on altered copies, where such are to be made.
    """

    def __init__(self, database: Database, limits: Limits) -> None:
        self.database = database
        self.perturbed: Callable[..., Coincidence] | None = None
        self.limits = limits
        self.dialect = database.dialect
        self.schema = _schema(database)
        self.memory: dict[Any, Any] = {}
        self._ran: dict[tuple[str, Limits], Executed] = {}

    def run(self, sql: str, limits: Limits | None = None) -> Executed:
        """What a query gives; asked once."""
        key = sql, limits or self.limits
        found = self._ran.get(key)
        if found is None:
            found = self.database.run(*key)
            if isinstance(found, Failure) or found.rows * len(found.columns) <= _MOST_KEPT:
                self._ran[key] = found
        return found

    def number(self, sql: str | None) -> int | None:
        """The one number that a query gives; None where it gives something else."""
        executed = None if sql is None else self.run(sql)
        if not isinstance(executed, Result) or executed.rows != 1 or not executed.columns:
            return None
        value = next(iter(executed.columns[0]))
        return int(value) if isinstance(value, int) else None

    def compared(self, case: Case, first: str, second: str, dialect: str | None) -> Coincidence | None:
        """Whether altered copies tell two queries apart; None where none are to be made."""
        if self.perturbed is None:
            return None
        return self.perturbed(case, first, second, speaks=Speaks(self.limits, dialect))

    def table(self, name: str) -> LiveTable | None:
        """The table of that name, case aside, without the name of its schema."""
        tables = self.schema.tables if self.schema is not None else {}
        folded = name.casefold()
        found = tables.get(folded) or tables.get(folded.rpartition(".")[2])
        return found or next((one for one in tables.values() if one.name.casefold() == folded.rpartition(".")[2]), None)


def _schema(database: Database) -> LiveSchema | None:
    try:
        return database.schema()
    except StefError:
        return None
