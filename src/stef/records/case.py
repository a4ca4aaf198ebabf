"""One entry of a gold set: a question, its acceptable answers, and what is expected of the agent."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field


class CaseKind(StrEnum):
    """What the question allows."""

    ANSWERABLE = "answerable"
    AMBIGUOUS = "ambiguous"  # several acceptable readings
    UNANSWERABLE = "unanswerable"


class Expected(StrEnum):
    """What is right in place of an answer."""

    ANSWER = "answer"
    CLARIFY = "clarify"
    DECLINE = "decline"
    UNSUPPORTED = "unsupported"


class Shape(StrEnum):
    """How the answer of a case is compared (`compare_on`)."""

    ID_SET = "id_set"
    SCALAR = "scalar"
    RANKING = "ranking"
    GROUPED = "grouped"
    TABLE = "table"


class Tolerance(BaseModel):
    """How far two numbers may lie apart and still be one: |a - b| ≤ max(relative · max(|a|, |b|), absolute)."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    relative: Annotated[float, Field(ge=0, lt=1)] = 1e-6
    absolute: Annotated[float, Field(ge=0)] = 1e-9


class RecordedAnswer(BaseModel):
    """A gold's answer as it once was: a scalar's `value`, else `rows` and the distinct `ids`, with its date."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: Any = None
    rows: Annotated[int, Field(ge=0)] | None = None
    ids: tuple[Any, ...] | None = None
    recorded: datetime | None = None


class Case(BaseModel):
    """A question with what is right for it.

    `gold_sql` are the acceptable queries, any of which counts (several for an ambiguous question: its readings).
    `compare_on` names the answer's shape, for `id_set` with its column after a colon (`id_set:film_id`); None: inferred
    of the gold. `expect` is what each stage of the agent should have produced, by path (`semantic.status`), or one word
    of `Expected`. `hint` is knowledge that goes to the agent with the question. `where` is the file and line that it
    came from.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    id: str
    question: str
    paraphrases: tuple[str, ...] = ()
    kind: CaseKind = CaseKind.ANSWERABLE
    gold_sql: tuple[str, ...] = ()
    compare_on: str | None = None
    expect: Expected | dict[str, Any] | None = None
    expect_empty: bool = False
    recorded_answer: RecordedAnswer | None = None
    tolerance: Tolerance = Tolerance()
    category: str | None = None
    difficulty: str | None = None
    tags: tuple[str, ...] = ()
    control: bool = False
    fast: bool = False
    database: str | None = None
    dialect: str | None = None
    hint: str | None = None
    verified_by: str | None = None
    notes: str | None = None
    where: str | None = Field(default=None, exclude=True)
