"""Asked against done: the alignment of one turn."""

from dataclasses import replace

from stef.alignment.clock import Clock, at
from stef.alignment.dimensions import DIMENSIONS
from stef.alignment.facts import facts_of
from stef.alignment.filters import align_filters
from stef.alignment.ground import grounds_of
from stef.alignment.policy import Policy
from stef.alignment.required import wanted_filters
from stef.alignment.sides import Sides, block_of
from stef.records.alignment import Alignment, Enrichment
from stef.records.reading import QuestionReading, SqlReading


def align_sides(  # noqa: PLR0913  # the two sides, and what a comparison of them rests on
    question: QuestionReading,
    enriched: QuestionReading | None,
    sql: SqlReading,
    policy: Policy,
    *,
    enrichment: Enrichment,
    clock: Clock | None = None,
) -> tuple[Sides, Alignment]:
    """What a comparison of a readable question with readable SQL rests on, and the alignment that came of it.

    The user's question wins: what only the enriched question asks for counts where `enrichment` says that it settles
    something. With a `clock`, relative periods of the SQL are read by it, as the question's were.
    """
    if sql.spec is None:
        raise ValueError("SQL that could not be read has no alignment")
    done = facts_of(sql.spec)
    if any(note.code == "silently_correlated" for note in sql.notes):
        # A subquery that names the outer column only is always true: it keeps no row out.
        done.subqueries = 0
    if clock is not None:
        done.placed = [replace(placed, clause=at(placed.clause, clock)) for placed in done.placed]
    grounds = grounds_of(policy, question, enriched, enrichment)
    filters = align_filters(wanted_filters(question, enriched, enrichment), done, policy, grounds)
    sides = Sides(block_of(question), question, enriched, sql, done, policy, grounds.both, filters)
    return sides, Alignment(filters, tuple(dimension(sides) for dimension in DIMENSIONS))
