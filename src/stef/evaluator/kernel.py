"""The Evaluator: rules, a reader of questions and a judge, and the two halves around the judge's call."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from stef.errors import BudgetError, JudgeReplyError, JudgeUnavailableError
from stef.evaluator.application import Application, open_application
from stef.evaluator.finish import finish_turn
from stef.evaluator.prepare import Prepared, align_turn, open_turn, read_by_rules
from stef.judge.calibration import calibrated
from stef.judge.protocol import Judge, ModelJudge
from stef.judge.registry import make_judge
from stef.judge.symbolic import SymbolicJudge
from stef.question.readers import RULES, QuestionReader, make_reader
from stef.records.assessment import Assessment, Unscored
from stef.records.calibration import Calibration
from stef.records.judgement import Judgement
from stef.records.reading import QuestionReading
from stef.records.reasons import UnscoredReason
from stef.records.request import JudgeRequest
from stef.records.turn import Turn
from stef.rules import AppRules, RuleBook, rules_hash
from stef.sql.dialects import check_dialect
from stef.version import VERSION


class Evaluator:
    """Scores turns under an application's rules with one judge.

    `rules`: rules for every turn, or a RuleBook that chooses by `Turn.app`; None is stef's default rules. `judge`: a
    Judge, or a name that `make_judge` knows. `dialect`: for turns and rules that name none. `reader`: a model that
    reads the questions in place of rules. `calibration`: maps what the judge says to a probability. Raises UserError
    for an unknown dialect, RulesError for SQL in the rules that cannot be read, JudgeSetupError for a judge or reader
    that cannot work.
    """

    def __init__(
        self,
        rules: AppRules | RuleBook | None = None,
        judge: Judge | str = "symbolic",
        dialect: str | None = None,
        reader: QuestionReader | str = RULES,
        calibration: Calibration | None = None,
    ) -> None:
        self.reader: QuestionReader | None = make_reader(reader) if isinstance(reader, str) else reader
        self.judge: Judge = make_judge(judge) if isinstance(judge, str) else judge
        self.calibration = calibration
        self.dialect = None if dialect is None else check_dialect(dialect)
        self.book = rules if isinstance(rules, RuleBook) else RuleBook.load() if rules is None else RuleBook.of(rules)
        self._applications: dict[int, Application] = {}
        for one in self.book.all():
            self._application(one)

    async def assess(self, turn: Turn) -> Assessment:
        """The Assessment of one turn; a bad turn, or a judge that fails on it, is Unscored with its reason."""
        prepared = await self.prepare_now(turn)
        return self._finished(prepared, await self._judged(prepared))

    def assess_sync(self, turn: Turn) -> Assessment:
        """The same as `assess`, from ordinary code; it also works inside a running event loop (a notebook)."""
        if self.answers_at_once:
            prepared = self.prepare((turn,))
            return self.finish(prepared, self.judge_now(prepared))[0]
        from stef.background import run  # noqa: PLC0415  # starts a thread, which most uses do without

        return run(self.assess(turn))

    @property
    def answers_at_once(self) -> bool:
        """Whether a turn needs no model call: rules read the question, and the judge is symbolic."""
        return self.reader is None and isinstance(self.judge, SymbolicJudge)

    async def assess_many(self, turns: Sequence[Turn], *, concurrency: int = 16) -> list[Assessment]:
        """The Assessments of `turns`, in their order, with at most `concurrency` of them in work at once."""
        import asyncio  # noqa: PLC0415  # the symbolic path has no event loop

        gate = asyncio.Semaphore(max(1, concurrency))

        async def one(turn: Turn) -> Assessment:
            async with gate:
                return await self.assess(turn)

        tasks = [asyncio.ensure_future(one(turn)) for turn in turns]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    def prepare(self, turns: Iterable[Turn]) -> list[Prepared]:
        """The first pure half: every turn read by rules and aligned."""
        return [self.prepare_turn(turn) for turn in turns]

    def finish(
        self, prepared: Sequence[Prepared], judgements: Sequence[Judgement | Unscored | None]
    ) -> list[Assessment]:
        """The second pure half: what was prepared and judged, composed into Assessments."""
        return [self._finished(one, judgement) for one, judgement in zip(prepared, judgements, strict=True)]

    def judge_now(self, prepared: Sequence[Prepared]) -> list[Judgement | Unscored | None]:
        """The judgements of a judge that needs no call. Raises TypeError for any other (see `answers_at_once`)."""
        judge = self.judge
        if not isinstance(judge, SymbolicJudge):
            raise TypeError(f"{judge.name} has to be awaited")
        return [None if one.request is None else _judged_now(judge, one.request) for one in prepared]

    def _finished(self, prepared: Prepared, judgement: Judgement | Unscored | None) -> Assessment:
        if self.calibration is not None and isinstance(judgement, Judgement):
            judgement = calibrated(judgement, self.calibration)
        return finish_turn(prepared, judgement)

    async def _judged(self, prepared: Prepared) -> Judgement | Unscored | None:
        return None if prepared.request is None else await self.judge_request(prepared.request)

    async def judge_request(self, request: JudgeRequest) -> Judgement | Unscored:
        """What the judge says of one request; a judge that fails on it is Unscored with its reason.

        Raises JudgeSetupError, and JudgeDownError and StoppedError where the calls go through a gate.
        """
        if isinstance(self.judge, SymbolicJudge):
            return _judged_now(self.judge, request)
        try:
            return await self.judge.judge(request)
        except (JudgeReplyError, JudgeUnavailableError, BudgetError) as error:
            return _as_unscored(error)

    async def prepare_now(self, turn: Turn) -> Prepared:
        """One turn read, by rules or by the model that reads, and aligned. Raises as `judge_request` does."""
        return self.prepare_turn(turn) if self.reader is None else await self._prepare_by_model(turn, self.reader)

    def finish_one(self, prepared: Prepared, judgement: Judgement | Unscored | None) -> Assessment:
        """One turn, prepared and judged, composed into its Assessment."""
        return self._finished(prepared, judgement)

    def prepare_turn(self, turn: Turn) -> Prepared:
        """One turn read by rules and aligned."""
        opened = self._opened(turn)
        if opened.unscored is not None:
            return opened
        question, enriched = (read_by_rules(text, opened) for text in (turn.question, turn.enriched_question))
        return align_turn(opened, question, enriched)

    async def _prepare_by_model(self, turn: Turn, reader: QuestionReader) -> Prepared:
        """One turn read by a model and aligned; the model is asked only where there is SQL to judge."""
        opened = self._opened(turn)
        if opened.unscored is not None:
            return opened
        clock, calendar = opened.application.clock(turn), opened.application.rules.calendar
        now = None if clock is None else clock.now

        async def read(text: str | None) -> QuestionReading | None:
            return await reader.read(text, now=now, calendar=calendar, history=turn.history) if text else None

        try:
            return align_turn(opened, await read(turn.question), await read(turn.enriched_question))
        except (JudgeReplyError, JudgeUnavailableError, BudgetError) as error:
            return replace(opened, unscored=_as_unscored(error))

    def application(self, turn: Turn) -> Application:
        """The application that `turn` belongs to, with what is derived of its rules."""
        return self._application(self.book.for_app(turn.app))

    def _opened(self, turn: Turn) -> Prepared:
        return open_turn(turn, self.application(turn), self.dialect)

    async def close(self) -> None:
        """Let go of the connections of the judge and of the reader."""
        await self.judge.close()
        if self.reader is not None:
            await self.reader.close()

    def settings(self) -> dict[str, object]:
        """What decides the results of this evaluator: judge, prompts, rules, dialect, calibration and version."""
        return {
            "judge": self.judge.name,
            "prompts_hash": self.judge.prompts_hash,
            **({"judge_settings": self.judge.settings} if isinstance(self.judge, ModelJudge | SymbolicJudge) else {}),
            "reader": RULES if self.reader is None else self.reader.name,
            "reader_prompts_hash": None if self.reader is None else self.reader.prompts_hash,
            "rules": {rules.app or "default": rules_hash(rules) for rules in self.book.all()},
            "dialect": self.dialect,
            "calibration": None if self.calibration is None else self.calibration.settings(),
            "stef_version": VERSION,
        }

    def _application(self, rules: AppRules) -> Application:
        known = self._applications.get(id(rules))
        if known is None:
            known = self._applications[id(rules)] = open_application(rules)
        return known


def _judged_now(judge: SymbolicJudge, request: JudgeRequest) -> Judgement | Unscored:
    stranger = judge.abstains(request)
    return judge.judge_now(request) if stranger is None else Unscored(UnscoredReason.QUESTION_NOT_READABLE, stranger)


def _as_unscored(error: JudgeReplyError | JudgeUnavailableError | BudgetError) -> Unscored:
    match error:
        case JudgeReplyError():
            return Unscored(UnscoredReason.JUDGE_REPLY_INVALID, str(error), error.reply)
        case JudgeUnavailableError():
            return Unscored(UnscoredReason.JUDGE_UNAVAILABLE, str(error))
        case BudgetError():
            return Unscored(UnscoredReason.BUDGET, str(error))
