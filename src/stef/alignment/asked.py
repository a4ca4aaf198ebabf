"""The asked side of a turn: all that follows from question, rewording and rules, whatever the SQL does."""

from functools import lru_cache
from typing import Generic, TypeVar

from stef.alignment.enrichment import check_enrichment
from stef.alignment.ground import Grounds, grounds_of
from stef.alignment.policy import Policy
from stef.alignment.required import Wanted, wanted_filters
from stef.records.alignment import Enrichment
from stef.records.reading import QuestionReading
from stef.records.record import record
from stef.sql.describe import describe

T = TypeVar("T")


@record(frozen=True, slots=True)
class Asked:
    """What a turn asks for, under `policy`. `described` is the question's Spec in words, one line a fact."""

    policy: Policy
    question: QuestionReading
    enriched: QuestionReading | None
    enrichment: Enrichment
    grounds: Grounds
    wanted: tuple[Wanted, ...]
    described: tuple[str, ...]


def asked_of(policy: Policy, question: QuestionReading, enriched: QuestionReading | None) -> Asked:
    """The asked side of a readable question. Several agents answer one question: it is worked out once for all."""
    return _asked_of(_Same(policy), _Same(question), _Same(enriched))


class _Same(Generic[T]):
    """A thing as itself, for a cache: readings come from one, and to compare their parts would take longer."""

    __slots__ = ("thing",)

    def __init__(self, thing: T) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.thing is self.thing


@lru_cache(maxsize=1024)
def _asked_of(
    policy: _Same[Policy], question: _Same[QuestionReading], enriched: _Same[QuestionReading | None]
) -> Asked:
    rules, asked, reworded = policy.thing, question.thing, enriched.thing
    enrichment = check_enrichment(asked, reworded)
    return Asked(
        rules,
        asked,
        reworded,
        enrichment,
        grounds_of(rules, asked, reworded, enrichment),
        wanted_filters(asked, reworded, enrichment),
        () if asked.spec is None else describe(asked.spec),
    )
