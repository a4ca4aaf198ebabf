"""The first half: a turn read and aligned, or the reason why there is nothing to judge."""

from dataclasses import replace

from stef.alignment.align import align_sides
from stef.alignment.asked import asked_of
from stef.evaluator.application import Application
from stef.findings import Finding, context_of
from stef.judge.evidence import evidence
from stef.question.read import read_question
from stef.records.assessment import Unscored
from stef.records.gold import Outcome
from stef.records.reading import QuestionReading, SqlReading
from stef.records.reasons import UnscoredReason
from stef.records.record import record
from stef.records.request import JudgeRequest
from stef.records.turn import Turn
from stef.rules import AppRules
from stef.sql.clean import clean
from stef.sql.describe import describe
from stef.sql.replies import Markers, outcome_of_status, outcome_of_turn

TOLERATED = (
    "a column grouped only because the SELECT mixes it with aggregates",
    "grouping on a column that a filter fixes to one value",
    "an order that nobody asked for, unless it decides which rows a small LIMIT keeps",
    "a high LIMIT as a safety measure",
)


_OPENERS = ("select", "with ", "with\n")


@record(frozen=True, slots=True)
class Prepared:
    """A turn, read and aligned: a `request` for the judge, or the reason why there is nothing to judge.

    `faults`: rules that raised on this turn; they are counted, and no judge sees them.
    """

    turn: Turn
    application: Application
    request: JudgeRequest | None = None
    unscored: Unscored | None = None
    sql: SqlReading | None = None
    faults: tuple[Finding, ...] = ()


def open_turn(turn: Turn, application: Application, dialect: str | None) -> Prepared:
    """A turn with its SQL read, or with the reason why there is none to judge."""
    behaviour = _behaviour(turn, application.rules)
    if behaviour is not None:
        return Prepared(turn, application, unscored=behaviour)
    sql = application.read_sql(turn, dialect)
    if sql.unreadable is not None:
        return Prepared(turn, application, None, Unscored(sql.unreadable.reason, sql.unreadable.detail), sql)
    return Prepared(turn, application, sql=sql)


def read_by_rules(text: str | None, opened: Prepared) -> QuestionReading | None:
    """What a question or enriched question of an opened turn asks for; None where there is no text."""
    if not text:
        return None
    clock, calendar = opened.application.clock(opened.turn), opened.application.rules.calendar
    now = None if clock is None else clock.now
    return read_question(text, now=now, calendar=calendar, history=opened.turn.history)


def align_turn(opened: Prepared, question: QuestionReading | None, enriched: QuestionReading | None) -> Prepared:
    """A turn with its request, or unscored where the question cannot be read."""
    if question is None or question.unreadable is not None:
        detail = (
            "the question is empty" if question is None or question.unreadable is None else question.unreadable.detail
        )
        return replace(opened, unscored=Unscored(UnscoredReason.QUESTION_NOT_READABLE, detail))
    if enriched is not None and enriched.unreadable is not None:
        enriched = None
    return _with_request(opened, question, enriched)


def _with_request(opened: Prepared, question: QuestionReading, enriched: QuestionReading | None) -> Prepared:
    turn, application, sql = opened.turn, opened.application, opened.sql
    if sql is None or sql.spec is None:
        raise ValueError("a turn without readable SQL has no request")
    asked = asked_of(application.policy, question, enriched)
    sides, alignment = align_sides(asked, sql, application.clock(turn))
    findings, faults = application.findings.run(context_of(sides, alignment, asked.enrichment))
    request = JudgeRequest(
        question=turn.question,
        enriched_question=turn.enriched_question,
        history=turn.history,
        sql=sql.text,
        dialect=sql.dialect,
        asked_reading=question,
        enriched_reading=enriched,
        done_reading=sql,
        asked=asked.described,
        done=describe(sql.spec),
        alignment=alignment,
        enrichment=asked.enrichment,
        findings=findings,
        evidence=evidence(sides, alignment, asked.enrichment, findings),
        app_notes=application.rules.notes,
        tolerated=TOLERATED,
    )
    return Prepared(turn, application, request, None, sql, faults)


def _behaviour(turn: Turn, rules: AppRules) -> Unscored | None:
    """The reason why a turn holds no SQL to judge, by the agent's own word first, then by its SQL and its text."""
    logged = turn.sql or ""
    query = logged if logged.lstrip()[:6].casefold().startswith(_OPENERS) else clean(logged).text
    outcome = outcome_of_turn(turn, query, Markers(rules.refusal_markers, rules.clarification_markers))
    own = outcome_of_status(turn.outcome) is outcome
    by = "by its own word" if own else "in place of the SQL" if logged.strip() else "in its answer"
    if outcome is Outcome.DECLINED:
        return Unscored(UnscoredReason.DECLINED, f"the agent declined {by}")
    if outcome is Outcome.CLARIFIED:
        return Unscored(UnscoredReason.CLARIFIED, f"the agent asked back {by}")
    if not logged.strip():
        in_words = "; the answer stands in words alone" if outcome is Outcome.NO_QUERY else ""
        return Unscored(UnscoredReason.EMPTY, f"the turn holds no SQL{in_words}")
    return None
