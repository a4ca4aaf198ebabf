"""Both sides of a comparison as they ran: a query, what it gave, and what its SQL says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from stef.gold.doubt import gold_states
from stef.gold.near import near
from stef.gold.ranked import Ranked, ranked_by
from stef.gold.values import canonical
from stef.records.case import Case, Tolerance
from stef.records.gold import GoldState
from stef.records.result import Executed, Failure, Result
from stef.sql.resolve import Resolved


@dataclass(frozen=True, slots=True)
class Ran:
    """A query, what it gave, and what its SQL says under the live schema (None where it could not be read).

    `ranked` fetches a gold's rows before its LIMIT, where the LIMIT cut some off: then any tie at the cut is right.
    """

    sql: str
    executed: Executed
    resolved: Resolved | None = None
    ranked: Callable[[], Ranked | None] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Golds:
    """The acceptable golds of one case, and what became of each."""

    runs: tuple[Ran, ...] = ()
    states: tuple[GoldState, ...] = ()

    @property
    def usable(self) -> tuple[int, ...]:
        """The indices of those that anything can be measured against."""
        return tuple(index for index, state in enumerate(self.states) if state.usable)


def with_ranked(
    ran: Ran,
    dialect: str | None,
    run: Callable[[str], Executed],
    keep: Callable[[str, Result], None] = lambda _query, _result: None,
) -> Ran:
    """A gold with a way to its rows before the LIMIT, where it has one that decides.

    `run` runs a query, once and only if it is needed; `keep` is told that query and what was needed of its result.
    """
    executed, resolved = ran.executed, ran.resolved
    if isinstance(executed, Failure) or resolved is None or not resolved.ordered or resolved.limit is None:
        return ran
    if executed.rows < resolved.limit and not resolved.offset:
        return ran

    @cache
    def ranked() -> Ranked | None:
        asked: list[str] = []

        def once(query: str) -> Executed:
            asked.append(query)
            return run(query)

        found = ranked_by(ran.sql, dialect, once)
        if found is None:
            return None
        found = _as_far_as_needed(found)
        keep(asked[-1], found.result)
        return found

    return replace(ran, ranked=ranked)


def _as_far_as_needed(ranked: Ranked) -> Ranked:
    """Without the rows behind those that tie with the last one shown."""
    result, limit = ranked.result, ranked.limit
    end = result.rows if limit is None else min(result.rows, ranked.offset + limit)
    if end in (0, result.rows):
        return ranked
    keys = [canonical(column) for column in result.columns[ranked.width :]]
    while end < result.rows and all(near(key[end], key[end - 1], Tolerance()) for key in keys):
        end += 1
    columns = tuple(list(column[:end]) for column in result.columns)
    return replace(
        ranked, result=replace(result, columns=columns, rows=end, cut=None if end < result.rows else result.cut)
    )


def golds_of(case: Case, runs: Sequence[Ran]) -> Golds:
    """The golds of `case` as they ran, after the cheap checks."""
    return Golds(tuple(runs), gold_states(case, [one.executed for one in runs]))
