"""One logged interaction of a text-to-SQL agent: all that an evaluation reads of it."""

from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, model_validator


class Turn(BaseModel):
    """One question and what the agent made of it.

    Only `question` and one of `sql`, `answer`, `outcome` are needed. `enriched_question` is the agent's own rewording,
    `history` the earlier questions of the session, `outcome` the agent's own word for how it ended (`answered`,
    `declined`, `clarified`, `failed`), `answer` its final text. `timestamp` is the clock that "last month" is read by.
    `latency` is in seconds, `cost` in US dollars. `ddl_offered` are CREATE statements that sharpen the reading.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    question: str
    sql: str | None = None
    enriched_question: str | None = None
    id: str | None = None
    dialect: str | None = None
    app: str | None = None
    agent: str | None = None
    agent_version: str | None = None
    timestamp: datetime | None = None
    session: str | None = None
    history: tuple[str, ...] = ()
    outcome: str | None = None
    answer: str | None = None
    tables_offered: tuple[str, ...] | None = None
    ddl_offered: tuple[str, ...] | None = None
    trace: tuple[dict[str, Any], ...] | None = None
    latency: float | None = None
    cost: float | None = None
    database: str | None = None
    source: dict[str, Any] | None = None
    rows: tuple[dict[str, Any], ...] | None = None
    metadata: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _has_something_to_judge(self) -> Self:
        if self.sql is None and self.answer is None and self.outcome is None:
            raise ValueError("a turn needs one of sql, answer, outcome")
        return self
