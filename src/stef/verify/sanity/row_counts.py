"""Another number of rows than was asked for."""

from collections.abc import Iterator

from stef.alignment.facts import facts_of
from stef.records.result import Result
from stef.verify.candidate import Candidate
from stef.verify.records import Sign
from stef.verify.sanity import expecting


def row_counts(candidate: Candidate, result: Result) -> Iterator[Sign]:
    """At most one sign of what the question asks, and one of a cut."""
    yield from _asked(candidate, result)
    yield from _cut(candidate, result)


def _asked(candidate: Candidate, result: Result) -> Iterator[Sign]:
    wanted = expecting.how_many_rows(candidate)
    facts = {"rows": result.rows}
    if expecting.one_value(candidate) and result.rows > 1:
        yield Sign(
            "many_rows_for_one_value",
            f"the question asks for one value, the query gives {result.rows:,} rows",
            way_out="aggregate over all of them, without grouping",
            facts=facts,
        )
    elif (thing := expecting.one_thing(candidate)) is not None and result.rows > 1 and not _keeps_ties(candidate):
        yield Sign(
            "many_rows_for_one",
            f"the question asks for one {thing!r}, the query gives {result.rows:,} rows",
            way_out="order them, and keep the first",
            facts=facts,
        )
    elif wanted is not None and result.rows > wanted:
        yield Sign(
            "more_rows_than_asked",
            f"the question asks for {wanted:,}, the query gives {result.rows:,} rows",
            facts={**facts, "asked": wanted},
        )
    elif wanted is not None and 0 < result.rows < wanted:
        yield Sign(
            "fewer_rows_than_asked",
            f"the question asks for {wanted:,}, the query gives {result.rows:,} {_rows(result.rows)}",
            way_out="are there no more, or is a condition too strict?",
            facts={**facts, "asked": wanted},
        )
    elif (each := expecting.one_for_each(candidate)) is not None and result.rows == 1:
        yield Sign(
            "one_row_for_each",
            f"the question asks for a row for each ({each}), the query gives one row",
            way_out="group by it",
            facts=facts,
        )


def _keeps_ties(candidate: Candidate) -> bool:
    """Whether the query picks by an extreme (`= (SELECT MAX …)`): then all rows that tie are meant."""
    spec = candidate.gold.reading.spec
    return spec is None or any(top.k in (1, None) for top in facts_of(spec).tops)


def _cut(candidate: Candidate, result: Result) -> Iterator[Sign]:
    """Rows that end exactly where the query's LIMIT does, though nobody asked for so many."""
    resolved = candidate.gold.resolved
    limit = None if resolved is None else resolved.limit
    if result.cut is not None:
        yield Sign("cut", f"the result was cut at {result.rows:,} rows; what follows was not looked at")
    elif limit is not None and limit > 1 and result.rows == limit and not _asks_for(candidate, limit):
        yield Sign(
            "ends_at_limit",
            f"the query gives exactly the {limit:,} rows of its LIMIT; there may be more",
            way_out="nobody asked for so many: leave the LIMIT out",
            facts={"limit": limit},
        )


def _asks_for(candidate: Candidate, limit: int) -> bool:
    spec = candidate.asked.spec
    return spec is not None and (bool(spec.tops) or spec.limit == limit)


def _rows(rows: int) -> str:
    return "row" if rows == 1 else "rows"
