"""Altered copies of the databases of a run, made when they are first needed, and gone with it."""

from collections import OrderedDict
from collections.abc import Iterable
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from stef.databases import Database
from stef.databases.copies import Copy, altered_copies
from stef.errors import StefError
from stef.gold.coincidence import Speaks, coincidence, constants_of
from stef.records.case import Case
from stef.records.gold import Apart, Coincidence

SEED = 0
_MOST_KEPT = 4
"""Databases whose copies are kept at once."""


class Perturbing:
    """`count` altered copies of each database that is asked for; a context that ends with the copies deleted."""

    def __init__(self, count: int, seed: int = SEED) -> None:
        self.count = count
        self._seed = seed
        self._kept: OrderedDict[str, tuple[ExitStack, tuple[Copy, ...] | str]] = OrderedDict()

    def copies(self, database: Database, queries: Iterable[str], dialect: str | None = None) -> tuple[Copy, ...] | str:
        """The copies of a database, or why there are none. What `queries` ask for is put into some rows.

        They are made once: later `queries` change nothing while the copies are kept.
        """
        known = self._kept.pop(database.name, None)
        if known is None:
            known = self._made(database, queries, dialect)
        self._kept[database.name] = known
        while len(self._kept) > _MOST_KEPT:
            _, (stack, _) = self._kept.popitem(last=False)
            stack.close()
        return known[1]

    def compared(  # noqa: PLR0913  the two queries, and what they run on
        self, case: Case, gold: str, candidate: str, *, database: Database, queries: Iterable[str], speaks: Speaks
    ) -> Coincidence:
        """Whether the copies of `database` tell the candidate from the gold."""
        copies = self.copies(database, queries, speaks.dialect)
        if isinstance(copies, str):
            return Coincidence(Apart.NOT_AVAILABLE, why=copies)
        return coincidence(case, gold, candidate, copies, speaks)

    def _made(
        self, database: Database, queries: Iterable[str], dialect: str | None
    ) -> tuple[ExitStack, tuple[Copy, ...] | str]:
        stack = ExitStack()
        try:
            constants = constants_of(queries, database.schema(), dialect)
            return stack, stack.enter_context(
                altered_copies(database, self.count, seed=self._seed, constants=constants)
            )
        except (StefError, OSError) as error:
            stack.close()
            return stack, str(error)

    def close(self) -> None:
        """Delete all copies."""
        while self._kept:
            self._kept.popitem()[1][0].close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
