"""The kernel: a Turn in, an Assessment out. Two pure halves, and the judge's call between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zoneinfo import ZoneInfo

from stef.alignment.align import align
from stef.alignment.clock import Clock
from stef.alignment.enrichment import check_enrichment
from stef.alignment.policy import Policy, compile_policy
from stef.errors import BudgetError, JudgeReplyError, JudgeUnavailableError
from stef.judge.protocol import Judge
from stef.judge.registry import make_judge
from stef.judge.symbolic import SymbolicJudge
from stef.question.read import read_question
from stef.records.assessment import Assessment, Scored, Unscored
from stef.records.judgement import Judgement
from stef.records.reading import QuestionReading, SqlReading
from stef.records.reasons import UnscoredReason
from stef.records.request import JudgeRequest
from stef.records.turn import Turn
from stef.rules import AppRules, RuleBook, resolve, rules_hash
from stef.score import compose
from stef.sql.describe import describe
from stef.sql.dialects import check_dialect
from stef.sql.read import read_sql
from stef.sql.refusals import looks_like_refusal
from stef.sql.schema import Schema
from stef.version import VERSION

TOLERATED = (
    "a column grouped only because the SELECT mixes it with aggregates",
    "grouping on a column that a filter fixes to one value",
    "an order that nobody asked for, unless it decides which rows a small LIMIT keeps",
    "a high LIMIT as a safety measure",
)


@dataclass(frozen=True, slots=True)
class _Application:
    """One application's rules, with what is derived of them once."""

    rules: AppRules
    hash: str
    policy: Policy
    zone: ZoneInfo
    schema: Schema | None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A turn, read and aligned: a `request` for the judge, or the reason why there is nothing to judge."""

    turn: Turn
    application: _Application
    request: JudgeRequest | None = None
    unscored: Unscored | None = None
    sql: SqlReading | None = None


class Evaluator:
    """Scores turns under an application's rules with one judge.

    `rules`: rules for every turn, or a RuleBook that chooses by `Turn.app`; None is stef's default rules. `judge`: a
    Judge, or a name that `make_judge` knows. `dialect`: for turns and rules that name none. Raises UserError for an
    unknown dialect, RulesError for SQL in the rules that cannot be read, JudgeSetupError for a judge that cannot work.
    """

    def __init__(
        self, rules: AppRules | RuleBook | None = None, judge: Judge | str = "symbolic", dialect: str | None = None
    ) -> None:
        self.judge: Judge = make_judge(judge) if isinstance(judge, str) else judge
        self.dialect = None if dialect is None else check_dialect(dialect)
        self.book = rules if isinstance(rules, RuleBook) else RuleBook.load() if rules is None else RuleBook.of(rules)
        self._applications: dict[int, _Application] = {}
        for one in self.book.all():
            self._application(one)

    async def assess(self, turn: Turn) -> Assessment:
        """The Assessment of one turn; a bad turn, or a judge that fails on it, is Unscored with its reason."""
        prepared = self.prepare_turn(turn)
        return self.finish_turn(prepared, await self._judged(prepared))

    def assess_sync(self, turn: Turn) -> Assessment:
        """The same as `assess`, from ordinary code; it also works inside a running event loop (a notebook)."""
        prepared = self.prepare_turn(turn)
        if prepared.request is None:
            return self.finish_turn(prepared, None)
        if isinstance(self.judge, SymbolicJudge):
            return self.finish_turn(prepared, self.judge.judge_now(prepared.request))
        from stef.background import run  # noqa: PLC0415  # starts a thread, which most uses do without

        return self.finish_turn(prepared, run(self._judged(prepared)))

    async def assess_many(self, turns: Sequence[Turn], *, concurrency: int = 16) -> list[Assessment]:
        """The Assessments of `turns`, in their order, with at most `concurrency` calls of the judge in flight."""
        prepared = self.prepare(turns)
        return self.finish(prepared, await self.judge_many(prepared, concurrency=concurrency))

    def prepare(self, turns: Iterable[Turn]) -> list[Prepared]:
        """The first pure half: every turn read and aligned."""
        return [self.prepare_turn(turn) for turn in turns]

    def finish(
        self, prepared: Sequence[Prepared], judgements: Sequence[Judgement | Unscored | None]
    ) -> list[Assessment]:
        """The second pure half: what was prepared and judged, composed into Assessments."""
        return [self.finish_turn(one, judgement) for one, judgement in zip(prepared, judgements, strict=True)]

    async def judge_many(
        self, prepared: Sequence[Prepared], *, concurrency: int = 16
    ) -> list[Judgement | Unscored | None]:
        """A judgement for each prepared turn, None where there is nothing to judge; JudgeSetupError ends it."""
        import asyncio  # noqa: PLC0415  # the symbolic path has no event loop

        gate = asyncio.Semaphore(max(1, concurrency))

        async def judged(one: Prepared) -> Judgement | Unscored | None:
            async with gate:
                return await self._judged(one)

        tasks = [asyncio.ensure_future(judged(one)) for one in prepared]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    def judge_now(self, prepared: Sequence[Prepared]) -> list[Judgement | Unscored | None] | None:
        """The judgements where the judge needs no call (symbolic), else None."""
        judge = self.judge
        if not isinstance(judge, SymbolicJudge):
            return None
        return [None if one.request is None else judge.judge_now(one.request) for one in prepared]

    async def _judged(self, prepared: Prepared) -> Judgement | Unscored | None:
        if prepared.request is None:
            return None
        try:
            return await self.judge.judge(prepared.request)
        except JudgeReplyError as error:
            return Unscored(UnscoredReason.JUDGE_REPLY_INVALID, str(error), error.reply)
        except JudgeUnavailableError as error:
            return Unscored(UnscoredReason.JUDGE_UNAVAILABLE, str(error))
        except BudgetError as error:
            return Unscored(UnscoredReason.BUDGET, str(error))

    def prepare_turn(self, turn: Turn) -> Prepared:
        """One turn read and aligned."""
        application = self._application(self.book.for_app(turn.app))
        behaviour = _behaviour(turn, application.rules)
        if behaviour is not None:
            return Prepared(turn, application, unscored=behaviour)
        sql = self._read_sql(turn, application)
        if sql.unreadable is not None:
            return Prepared(turn, application, None, Unscored(sql.unreadable.reason, sql.unreadable.detail), sql)
        question = _read(turn.question, turn, application)
        if question.unreadable is not None:
            reason = Unscored(question.unreadable.reason, question.unreadable.detail)
            return Prepared(turn, application, None, reason, sql)
        enriched = _read(turn.enriched_question, turn, application) if turn.enriched_question else None
        if enriched is not None and enriched.unreadable is not None:
            enriched = None
        return Prepared(turn, application, _request(turn, application, question, enriched, sql), None, sql)

    def finish_turn(self, prepared: Prepared, judgement: Judgement | Unscored | None) -> Assessment:
        """One turn composed."""
        turn, application, request = prepared.turn, prepared.application, prepared.request
        verdict = judgement if isinstance(judgement, Judgement) else None
        reading = prepared.sql
        return Assessment(
            turn.question,
            turn.enriched_question,
            turn.sql or "" if reading is None else reading.text,
            None if reading is None else reading.dialect,
            _outcome(prepared, judgement),
            () if request is None else request.asked,
            () if request is None else request.done,
            None if request is None else request.alignment,
            None if request is None else request.enrichment,
            () if request is None else request.findings,
            () if reading is None else reading.notes,
            verdict,
            application.hash,
            VERSION,
        )

    def settings(self) -> dict[str, object]:
        """What decides the results of this evaluator: judge, prompts, rules, dialect and version."""
        return {
            "judge": self.judge.name,
            "prompts_hash": self.judge.prompts_hash,
            "rules": {rules.app or "default": rules_hash(rules) for rules in self.book.all()},
            "dialect": self.dialect,
            "stef_version": VERSION,
        }

    def _application(self, rules: AppRules) -> _Application:
        known = self._applications.get(id(rules))
        if known is None:
            merged = resolve(rules) if rules.extends is not None else rules
            if merged.dialect is not None:
                check_dialect(merged.dialect)
            schema = Schema.from_types(merged.column_types) if merged.column_types else None
            zone = ZoneInfo(merged.calendar.time_zone)
            known = _Application(merged, rules_hash(merged), compile_policy(merged), zone, schema)
            self._applications[id(rules)] = known
        return known

    def _read_sql(self, turn: Turn, application: _Application) -> SqlReading:
        dialect = turn.dialect or application.rules.dialect or self.dialect
        schema = _schema(turn.ddl_offered, dialect) if turn.ddl_offered else application.schema
        return read_sql(turn.sql or "", dialect, schema)


def _outcome(prepared: Prepared, judgement: Judgement | Unscored | None) -> Scored | Unscored:
    """The score, or the first reason why there is none: the turn's own before the judge's."""
    if prepared.unscored is not None:
        return prepared.unscored
    if isinstance(judgement, Unscored):
        return judgement
    if prepared.request is None or judgement is None:
        return Unscored(UnscoredReason.HARNESS_FAULT, "no judgement came back for this turn")
    return compose(prepared.request.alignment.filters, judgement, prepared.application.rules.scoring)


@lru_cache(maxsize=256)
def _schema(ddl: tuple[str, ...], dialect: str | None) -> Schema:
    return Schema.from_ddl(ddl, dialect)


def _behaviour(turn: Turn, rules: AppRules) -> Unscored | None:
    """The reason why a turn holds no SQL to judge, by the agent's own word first, then by its text."""
    said = (turn.outcome or "").strip().casefold()
    if turn.sql is None or not turn.sql.strip():
        if said in ("declined", "refused"):
            return Unscored(UnscoredReason.DECLINED, "the agent declined")
        if said in ("clarified", "clarification"):
            return Unscored(UnscoredReason.CLARIFIED, "the agent asked back")
        if looks_like_refusal(turn.answer or "", rules.refusal_markers):
            return Unscored(UnscoredReason.DECLINED, "the agent's answer is a refusal")
        return Unscored(UnscoredReason.EMPTY, "the turn holds no SQL")
    if looks_like_refusal(turn.sql, rules.refusal_markers):
        return Unscored(UnscoredReason.DECLINED, "a refusal stands in place of the SQL")
    return None


def _read(text: str, turn: Turn, application: _Application) -> QuestionReading:
    clock = _clock(turn, application)
    now = None if clock is None else clock.now
    return read_question(text, now=now, calendar=application.rules.calendar, history=turn.history)


def _clock(turn: Turn, application: _Application) -> Clock | None:
    """The turn's time as a naive local time of the application; a naive timestamp is one already."""
    at = turn.timestamp
    if at is None:
        return None
    local = at if at.tzinfo is None else at.astimezone(application.zone).replace(tzinfo=None)
    return Clock(local, application.rules.calendar.week_start)


def _request(
    turn: Turn,
    application: _Application,
    question: QuestionReading,
    enriched: QuestionReading | None,
    sql: SqlReading,
) -> JudgeRequest:
    enrichment = check_enrichment(question, enriched)
    alignment = align(
        question, enriched, sql, application.policy, enrichment=enrichment, clock=_clock(turn, application)
    )
    return JudgeRequest(
        question=turn.question,
        enriched_question=turn.enriched_question,
        history=turn.history,
        sql=sql.text,
        dialect=sql.dialect,
        asked_reading=question,
        enriched_reading=enriched,
        done_reading=sql,
        asked=() if question.spec is None else describe(question.spec),
        done=() if sql.spec is None else describe(sql.spec),
        alignment=alignment,
        enrichment=enrichment,
        app_notes=application.rules.notes,
        tolerated=TOLERATED,
    )
