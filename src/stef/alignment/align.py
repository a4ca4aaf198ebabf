"""Asked against done: the alignment of one turn."""

from stef.alignment.dimensions import DIMENSIONS
from stef.alignment.facts import Facts, facts_of
from stef.alignment.filters import align_filters
from stef.alignment.ground import ground_of
from stef.alignment.policy import Policy
from stef.alignment.required import wanted_filters
from stef.alignment.sides import Sides, block_of
from stef.records.alignment import Alignment, Enrichment
from stef.records.reading import QuestionReading, SqlReading


def align(
    question: QuestionReading,
    enriched: QuestionReading | None,
    sql: SqlReading,
    policy: Policy,
    enrichment: Enrichment,
) -> Alignment:
    """The alignment of a readable question with readable SQL, dimension by dimension.

    The user's question wins: what only the enriched question asks for counts where `enrichment` says that it settles
    something.
    """
    if sql.spec is None:
        raise ValueError("SQL that could not be read has no alignment")
    done: Facts = facts_of(sql.spec)
    own = ground_of(policy, question)
    both = own if enriched is None else ground_of(policy, question, enriched)
    filters = align_filters(wanted_filters(question, enriched, enrichment), done, policy, own, both)
    sides = Sides(block_of(question), question, enriched, sql, done, policy, both, filters)
    return Alignment(filters, tuple(dimension(sides) for dimension in DIMENSIONS))
