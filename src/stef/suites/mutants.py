"""The mistakes that are planted: from a right query, one that is wrong in a known way."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from stef.databases import Database
from stef.records.case import Case
from stef.records.gold import Bucket
from stef.records.result import Failure, Result
from stef.sql.mutate import cut_short, fanned_out, with_other_columns, without_filters
from stef.sql.resolve import resolve
from stef.suites.same import same_answer


class Mistake(StrEnum):
    """A way of being wrong."""

    DROPPED_FILTER = "dropped_filter"
    FAN_OUT = "fan_out"
    WRONG_COLUMN = "wrong_column"
    EARLY_LIMIT = "early_limit"


BUCKETS: Mapping[Mistake, frozenset[Bucket]] = {
    Mistake.DROPPED_FILTER: frozenset({Bucket.TOO_MANY_ROWS, Bucket.WRONG_VALUES}),
    Mistake.FAN_OUT: frozenset({Bucket.TOO_MANY_ROWS, Bucket.WRONG_VALUES}),
    Mistake.WRONG_COLUMN: frozenset({Bucket.MISSING_COLUMNS, Bucket.WRONG_VALUES}),
    Mistake.EARLY_LIMIT: frozenset({Bucket.TOO_FEW_ROWS, Bucket.DISPLAY_CAP}),
}
"""Where each mistake must fall, once it changes the answer. A LIMIT of ten rows or more counts as a cap on display."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A query with a planted mistake. `changed`: its answer is that of no acceptable gold any more."""

    sql: str
    changed: bool


class Planting:
    """Plants mistakes on one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._schema = database.schema()

    def mutant(self, case: Case, right: str, mistake: Mistake) -> Mutant | None:
        """The first mutant of `right` that changes the answer, else the first; None where there is no place for one.

        A mutant that does not run is another mistake, and left out.
        """
        golds = [gold for gold in map(self._run, case.gold_sql) if gold is not None]
        ordered = any(found.ordered for sql in case.gold_sql if (found := resolve(sql, self._dialect, self._schema)))
        first = None
        for sql in self._mutants(right, mistake):
            given = self._run(sql)
            if given is not None:
                changed = not any(same_answer(case, gold, given, ordered=ordered) for gold in golds)
                if changed:
                    return Mutant(sql, changed=True)
                first = first or Mutant(sql, changed=False)
        return first

    @property
    def _dialect(self) -> str:
        return self._database.dialect

    def _run(self, sql: str) -> Result | None:
        executed = self._database.run(sql)
        return None if isinstance(executed, Failure) else executed

    def _mutants(self, right: str, mistake: Mistake) -> Iterator[str]:
        match mistake:
            case Mistake.DROPPED_FILTER:
                return without_filters(right, self._dialect)
            case Mistake.FAN_OUT:
                return fanned_out(right, self._dialect, self._schema)
            case Mistake.WRONG_COLUMN:
                return with_other_columns(right, self._dialect, self._schema)
            case Mistake.EARLY_LIMIT:
                whole = self._run(right)
                rows = whole.rows if whole is not None else 0
                return cut_short(right, self._dialect, rows // 2) if rows > 1 else iter(())
            case _:
                assert_never(mistake)
