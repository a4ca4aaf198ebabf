"""Two Specs side by side: what was matched, what is missing, what is extra, and what excused it."""

from enum import StrEnum

from stef.records.expressions import Span
from stef.records.record import record


class FilterAlignment(StrEnum):
    """The class of the filters: the STEF method's F."""

    FULLY_APPLIED = "fully_applied"
    FULLY_APPLIED_WITH_EXTRAS = "fully_applied_with_extras"
    PARTIALLY_APPLIED = "partially_applied"
    NOT_APPLIED = "not_applied"


class FilterState(StrEnum):
    """What became of a required filter. UNDECIDED (a relative period without a clock): neither missing nor applied."""

    APPLIED = "applied"
    ALTERED = "altered"
    OPPOSED = "opposed"
    ABSENT = "absent"
    UNDECIDED = "undecided"


class Origin(StrEnum):
    """Who asks for a filter."""

    QUESTION = "question"
    ENRICHED = "enriched"
    RULE = "rule"


class Dimension(StrEnum):
    """A part of a Spec that is aligned on its own; filters have their own record."""

    PROJECTIONS = "projections"
    AGGREGATIONS = "aggregations"
    GROUPING = "grouping"
    ORDERING = "ordering"
    LIMIT = "limit"
    DISTINCT = "distinct"
    SET_OPERATIONS = "set_operations"


@record(frozen=True, slots=True)
class RequiredFilter:
    """A filter that the question, the enriched question or a rule asks for, and what became of it in the SQL."""

    text: str
    origin: Origin
    state: FilterState
    applied_by: str | None = None
    why: str = ""
    critical: bool = False
    question_span: Span | None = None
    sql_span: Span | None = None


@record(frozen=True, slots=True)
class ExtraFilter:
    """A filter in the SQL that nothing asks for. `benign_by` names the rule that excuses it."""

    text: str
    benign_by: str | None = None
    why: str = ""
    sql_span: Span | None = None

    @property
    def benign(self) -> bool:
        """Whether a rule covers this filter."""
        return self.benign_by is not None


@record(frozen=True, slots=True)
class FiltersAligned:
    """All filters of a turn, with their class."""

    alignment: FilterAlignment
    required: tuple[RequiredFilter, ...] = ()
    extras: tuple[ExtraFilter, ...] = ()


@record(frozen=True, slots=True)
class Matched:
    """Something asked, and what answers it in the SQL. `strength` in (0, 1]: how surely the two are the same."""

    asked: str
    done: str
    strength: float = 1.0
    question_span: Span | None = None
    sql_span: Span | None = None


@record(frozen=True, slots=True)
class Unmatched:
    """Something asked that is missing, or something done that nobody asked for."""

    text: str
    why: str = ""
    span: Span | None = None


@record(frozen=True, slots=True)
class Excused:
    """A difference that production SQL may have, and the rule that excuses it."""

    text: str
    rule: str
    why: str
    span: Span | None = None


@record(frozen=True, slots=True)
class DimensionAligned:
    """One dimension of two Specs side by side."""

    dimension: Dimension
    matched: tuple[Matched, ...] = ()
    missing: tuple[Unmatched, ...] = ()
    extra: tuple[Unmatched, ...] = ()
    excused: tuple[Excused, ...] = ()


@record(frozen=True, slots=True)
class Alignment:
    """Two Specs side by side, dimension by dimension."""

    filters: FiltersAligned
    dimensions: tuple[DimensionAligned, ...]


class EnrichmentVerdict(StrEnum):
    """What the agent's own rewording did to the user's question."""

    FAITHFUL = "faithful"
    ADDS = "adds"
    DROPS = "drops"
    CONTRADICTS = "contradicts"
    ABSENT = "absent"


@record(frozen=True, slots=True)
class Enrichment:
    """The enriched question against the question. `resolved`: additions that settle what the question leaves open."""

    verdict: EnrichmentVerdict
    dropped: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    resolved: tuple[str, ...] = ()
