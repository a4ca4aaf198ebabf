"""What the symbolic judge looks at: counts of what was matched, missing, extra and excused in one turn.

Nothing here knows the id, the agent, the database or the layout of the SQL.
"""

from collections.abc import Iterable

from stef.alignment.sides import Sides
from stef.judge.shape import shape
from stef.records.alignment import (
    Alignment,
    DimensionAligned,
    Enrichment,
    EnrichmentVerdict,
    FilterAlignment,
    FilterState,
    Origin,
    RequiredFilter,
)
from stef.records.assessment import Finding

_TRANSPORT = frozenset(
    (
        *("fence_removed", "fence_unclosed", "prose_removed", "chat_removed", "tag_removed", "label_removed"),
        *("quotes_removed", "json_unwrapped", "html_unescaped", "line_ends_unescaped", "markdown_unescaped"),
        *("curly_quotes_repaired", "characters_repaired", "explain_removed", "doubled_select", "comment_removed"),
        *("prelude", "template_placeholder", "dialect_guessed", "dialect_detected", "double_quoted_text"),
        *("implicit_join", "cast", "union_all", "unused_cte"),
    )
)
"""Notes on how the SQL was packed and styled: they tell the agent apart, and say nothing of its SQL."""
_MOST = 3.0
"""A count above this says nothing more."""


def evidence(
    sides: Sides, alignment: Alignment, enrichment: Enrichment, findings: Iterable[Finding]
) -> dict[str, float]:
    """Named features of one turn, each ≥ 0; one that is 0 is left out."""
    found = shape(sides)
    _of_filters(alignment, found)
    for dimension in alignment.dimensions:
        _of_dimension(dimension, found)
    if enrichment.verdict in (EnrichmentVerdict.CONTRADICTS, EnrichmentVerdict.DROPS):
        found[f"enrichment_{enrichment.verdict.value}"] = 1.0
    for note in sides.sql.notes:
        if note.code not in _TRANSPORT:
            found[f"sql_{note.code}"] = 1.0
    for finding in findings:
        if finding.weight:
            found[finding.code] = finding.weight
    return found


def _of_filters(alignment: Alignment, into: dict[str, float]) -> None:
    for filter_ in alignment.filters.required:
        _add(into, f"filter_{_standing(filter_)}")
    if alignment.filters.alignment in (FilterAlignment.NOT_APPLIED, FilterAlignment.PARTIALLY_APPLIED):
        into[f"filters_{alignment.filters.alignment.value}"] = 1.0
    for extra in alignment.filters.extras:
        _add(into, "filter_benign" if extra.benign else "filter_extra")


def _standing(filter_: RequiredFilter) -> str:
    if filter_.origin is Origin.RULE and filter_.state is not FilterState.APPLIED:
        return "rule_broken"
    return filter_.state.value


def _of_dimension(dimension: DimensionAligned, into: dict[str, float]) -> None:
    name = dimension.dimension.value
    for _ in dimension.missing:
        _add(into, f"{name}_missing")
    for _ in dimension.extra:
        _add(into, f"{name}_extra")
    for match in dimension.matched:
        _add(into, f"{name}_matched" if match.strength >= 0.8 else f"{name}_loose")
        into[f"{name}_gap"] = into.get(f"{name}_gap", 0.0) + 1.0 - match.strength


def _add(into: dict[str, float], name: str) -> None:
    into[name] = min(_MOST, into.get(name, 0.0) + 1.0)
