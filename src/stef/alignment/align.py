"""Asked against done: the alignment of one turn."""

from dataclasses import replace

from stef.alignment.asked import Asked
from stef.alignment.clock import Clock, at
from stef.alignment.dimensions import DIMENSIONS
from stef.alignment.facts import facts_of
from stef.alignment.filters import align_filters
from stef.alignment.sides import Sides, block_of
from stef.records.alignment import Alignment
from stef.records.reading import SqlReading


def align_sides(asked: Asked, sql: SqlReading, clock: Clock | None = None) -> tuple[Sides, Alignment]:
    """What a comparison of a readable question with readable SQL rests on, and the alignment that came of it.

    The user's question wins: what only the enriched question asks for counts where the check of it says that it settles
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
    question, enriched, policy, ground = asked.question, asked.enriched, asked.policy, asked.grounds.both
    filters = align_filters(asked.wanted, done, policy, asked.grounds)
    sides = Sides(block_of(question), question, enriched, sql, done, policy, ground, filters)
    return sides, Alignment(filters, tuple(dimension(sides) for dimension in DIMENSIONS))
