"""What a judge is given: everything that was read and aligned of one turn, and nothing that names the agent."""

from collections.abc import Mapping
from dataclasses import field

from stef.records.alignment import Alignment, Enrichment
from stef.records.assessment import Finding
from stef.records.reading import QuestionReading, SqlReading
from stef.records.record import record


@record(frozen=True, slots=True)
class JudgeRequest:
    """One turn, read and aligned, for a judge.

    `asked` and `done` are the two Specs in words, one line a fact. `app_notes` is the application's free text for the
    judge; `evidence` are the named features that the symbolic judge weighs; `tolerated` names the differences that the
    rules excuse in general. There is no id, agent or database here: a verdict may rest on the question, the SQL and the
    rules alone.
    """

    question: str
    enriched_question: str | None
    history: tuple[str, ...]
    sql: str
    dialect: str | None
    asked_reading: QuestionReading
    enriched_reading: QuestionReading | None
    done_reading: SqlReading
    asked: tuple[str, ...]
    done: tuple[str, ...]
    alignment: Alignment
    enrichment: Enrichment
    findings: tuple[Finding, ...] = ()
    evidence: Mapping[str, float] = field(default_factory=dict)
    app_notes: tuple[str, ...] = ()
    tolerated: tuple[str, ...] = ()
