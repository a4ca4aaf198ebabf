"""Equal results or equal queries? Gold and candidate on altered copies of the database.

Two queries that give one answer on today's data may part on another day's. Where a copy tells them apart, they are two
queries; where none does, nothing is proved, only that the data at hand does not matter much.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from stef.alignment.facts import facts_of
from stef.databases import Limits
from stef.databases.altering import Constants
from stef.databases.copies import Copy
from stef.databases.protocol import STANDARD_LIMITS
from stef.gold.best import known_of
from stef.gold.shapes import answer
from stef.gold.sides import Ran, with_ranked
from stef.records.case import Case
from stef.records.expressions import Column, Literal
from stef.records.gold import Apart, Coincidence
from stef.records.live import LiveSchema
from stef.records.predicates import Predicate
from stef.records.result import Executed, Failure, FailureKind
from stef.sql.read import read_sql
from stef.sql.resolve import resolve
from stef.sql.resolve.catalogue import schema_of


@dataclass(frozen=True, slots=True)
class Speaks:
    """How queries are run on the copies: within which limits, and in which dialect (None: the database's own)."""

    limits: Limits = STANDARD_LIMITS
    dialect: str | None = None


_PLAINLY = Speaks()


def coincidence(
    case: Case, gold: str, candidate: str, copies: Sequence[Copy], speaks: Speaks = _PLAINLY
) -> Coincidence:
    """Run both on every copy and compare in the case's answer shape. No SQL makes it raise.

    A copy says nothing where the gold fails or gives no row while the candidate gives none either, or where the
    comparison stays open; a candidate that fails where the gold answers is told apart.
    """
    told: list[str] = []
    looked_at = 0
    first: tuple[str, str] | None = None
    for copy in copies:
        wanted, given = (_ran(copy, sql, speaks) for sql in (gold, candidate))
        same = _same(case, wanted, given)
        if same is None:
            continue
        looked_at += 1
        if not same:
            told.append(str(copy))
            first = first or (_in_words(wanted.executed), _in_words(given.executed))
    apart = Apart.TOLD_APART if told else Apart.SAME if looked_at else Apart.OPEN
    return Coincidence(apart, tuple(told), looked_at, len(copies), first)


def constants_of(queries: Iterable[str], schema: LiveSchema, dialect: str | None = None) -> Constants:
    """What the queries compare columns with, by folded table and column, for copies that put such values in."""
    found: dict[tuple[str, str], list[Any]] = {}
    live = schema_of(schema)
    for sql in queries:
        spec = read_sql(sql, dialect or schema.dialect, live).spec
        if spec is None:
            continue
        for placed in facts_of(spec).placed:
            for predicate in placed.clause.predicates:
                subject = predicate.subject
                if isinstance(subject, Column) and len(subject.sources) == 1:
                    key = subject.sources[0].partition("#")[0].rpartition(".")[2], subject.name
                    held = found.setdefault(key, [])
                    held += [value for value in _constants(predicate) if value not in held]
    return found


def _constants(predicate: Predicate) -> Iterable[Any]:
    ends = (predicate.interval.low, predicate.interval.high) if predicate.interval is not None else ()
    literals: list[Literal | None] = [*predicate.values, *(end.literal for end in ends if end is not None)]
    for literal in literals:
        if literal is None or isinstance(literal.value, bool):
            continue
        if isinstance(literal.value, int | float):
            yield literal.value
        elif isinstance(literal.value, str) and literal.text:
            yield literal.text


def _ran(copy: Copy, sql: str, speaks: Speaks) -> Ran:
    database, dialect = copy.database, speaks.dialect or copy.database.dialect
    ran = Ran(sql, database.run(sql, speaks.limits), resolve(sql, dialect, database.schema()))
    return with_ranked(ran, dialect, lambda query: database.run(query, speaks.limits))


def _same(case: Case, wanted: Ran, given: Ran) -> bool | None:
    """Whether both give one answer; None where that says nothing."""
    reference, other = wanted.executed, given.executed
    if isinstance(reference, Failure) or _is_no_word(other):
        return None
    if not isinstance(other, Failure) and not reference.rows and not other.rows:
        return None
    said = answer(reference, other, case, known_of(wanted, reference, given))
    return said.correct


def _is_no_word(executed: Executed) -> bool:
    """A candidate that was too slow, or whose copy is gone, says nothing of its meaning."""
    return isinstance(executed, Failure) and executed.kind in (FailureKind.TIMEOUT, FailureKind.DATABASE_DOWN)


def _in_words(executed: Executed) -> str:
    if isinstance(executed, Failure):
        return f"fails ({executed.kind})"
    if executed.rows == 1 and len(executed.columns) == 1:
        return repr(next(iter(executed.columns[0])))[:60]
    return f"{executed.rows:,} rows of {len(executed.columns)} columns"
