"""A request to judge, for the tests of model calls and of judges."""

from stef.records.alignment import (
    Alignment,
    Dimension,
    DimensionAligned,
    Enrichment,
    EnrichmentVerdict,
    FilterAlignment,
    FiltersAligned,
    FilterState,
    Origin,
    RequiredFilter,
    Unmatched,
)
from stef.records.reading import QuestionReading, SqlReading
from stef.records.request import JudgeRequest


def build(
    question: str = "How many loans are overdue?", sql: str = "SELECT COUNT(*) FROM loan", **values: object
) -> JudgeRequest:
    """A request over a small library's loans."""
    required = RequiredFilter("loan is overdue", Origin.QUESTION, FilterState.ABSENT, why="no predicate on it")
    limit = DimensionAligned(Dimension.LIMIT, extra=(Unmatched("the first 5 rows"),))
    given: dict[str, object] = {
        "question": question,
        "enriched_question": None,
        "history": (),
        "sql": sql,
        "dialect": "duckdb",
        "asked_reading": QuestionReading(question),
        "enriched_reading": None,
        "done_reading": SqlReading(sql),
        "asked": ("count of loans", "filter: overdue"),
        "done": ("count of rows of loan",),
        "alignment": Alignment(FiltersAligned(FilterAlignment.NOT_APPLIED, (required,)), (limit,)),
        "enrichment": Enrichment(EnrichmentVerdict.ABSENT),
    }
    return JudgeRequest(**{**given, **values})  # type: ignore[arg-type]
