"""Superlatives and aggregates of a question against those of its rewording."""

from stef.alignment.enrichment_facts import aggregates_of, subject_stems
from stef.alignment.enrichment_ledger import Ledger, is_vague
from stef.records.expressions import Span
from stef.records.reading import MentionKind, QuestionReading
from stef.records.spec import Select, TopK

_OPPOSED_AGGREGATES = (frozenset({"AVG"}), frozenset({"MAX"}), frozenset({"MIN"}), frozenset({"SUM", "COUNT"}))


def check_tops(question: QuestionReading, enriched: QuestionReading, ledger: Ledger) -> None:
    """Superlatives and "top 5": kept, with the same end and number, or not."""
    asked, reworded = tops_of(question), tops_of(enriched)
    if asked and not reworded:
        if not (aggregates_of(enriched) & {"MAX", "MIN"} or _orders(enriched)):
            ledger.dropped.extend(_shown(question, top.span) for top in asked)
        return
    if reworded and not asked:
        vague = is_vague(question, MentionKind.NUMBER)
        if not (aggregates_of(question) & {"MAX", "MIN"} or _orders(question)):
            kept = ledger.resolved if vague else ledger.added
            kept.extend(_shown(enriched, top.span) for top in reworded)
        return
    for top, other in zip(asked, reworded, strict=False):
        shown = f"{_shown(question, top.span)} → {_shown(enriched, other.span)}"
        if (top.k is not None and other.k is not None and top.k != other.k) or _turned(top, other):
            ledger.contradicted.append(shown)
        elif top.k is None and other.k is not None and other.k > 1:
            ledger.resolved.append(_shown(enriched, other.span))


def tops_of(reading: QuestionReading) -> tuple[TopK, ...]:
    """The superlatives and "top 5"s that a question asks for."""
    return reading.spec.tops if reading.spec is not None else ()


def _orders(reading: QuestionReading) -> bool:
    return isinstance(reading.spec, Select) and bool(reading.spec.order)


def _shown(reading: QuestionReading, span: Span | None) -> str:
    return reading.text[slice(*span)] if span else "top rows"


def _turned(top: TopK, other: TopK) -> bool:
    """Whether one asks for the largest and the other for the smallest of the same thing."""
    if not top.order or not other.order or top.order[0].descending == other.order[0].descending:
        return False
    return bool(subject_stems(top.order[0].expr) & subject_stems(other.order[0].expr))


def check_aggregates(question: QuestionReading, enriched: QuestionReading, ledger: Ledger) -> None:
    """Another aggregate than the question's: an average for a total."""
    asked, reworded = aggregates_of(question), aggregates_of(enriched)
    for kind in _OPPOSED_AGGREGATES:
        # A count may be told in many ways, and a superlative is a maximum.
        if not asked & kind or reworded & kind or not reworded or len(asked) > 1:
            continue
        others = frozenset().union(*(one for one in _OPPOSED_AGGREGATES if one is not kind and one & reworded))
        if kind & {"MAX", "MIN"} and tops_of(enriched):
            continue
        ledger.contradicted.append(f"{min(asked)} → {min(reworded & others)}")
