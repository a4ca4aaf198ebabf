"""Rows → Assessments: chunk by chunk where the judge needs no call, side by side where it waits for a model."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TypeAlias

from stef.errors import BudgetError, JudgeUnavailableError, StefError
from stef.evaluator import Evaluator
from stef.records.assessment import Assessment, Scored, Unscored
from stef.records.reasons import UnscoredReason
from stef.runs.calls import current_row
from stef.runs.turns import Row

_CHUNK = 50
_PATIENCE = 20
"""Turns in a row that a judge may leave without an answer, before any was answered; then the run stops."""

Assessed: TypeAlias = tuple[Row, Assessment]


def needs_no_calls(evaluator: Evaluator) -> bool:
    """Whether the judge answers at once, without a call that would have to be awaited."""
    return evaluator.answers_at_once


async def assess_rows(
    evaluator: Evaluator, rows: Sequence[Row], concurrency: int, *, patient: bool = False
) -> AsyncGenerator[Assessed, None]:
    """Each row with its Assessment, as they come.

    Raises JudgeSetupError where the judge cannot work at all, and JudgeUnavailableError where it answers nobody: where
    the first turns, or all of `rows`, come back without an answer (not where `patient`: a file is never down). Raises
    BudgetError, after the calls that are in flight, where the budget did not last for all of `rows`.
    """
    if needs_no_calls(evaluator):
        async for assessed in _at_once(evaluator, rows):
            yield assessed
        return
    outage = _Outage()
    spent: str | None = None
    async with aclosing(_side_by_side(evaluator, rows, concurrency)) as pairs:
        async for row, assessment in pairs:
            outcome = assessment.outcome
            if isinstance(outcome, Unscored) and outcome.reason is UnscoredReason.BUDGET:
                spent = outcome.detail
                continue
            if not patient:
                outage.note(assessment)
            yield row, assessment
    if spent is not None:
        raise BudgetError(f"{spent}; what was judged is kept, and the same command with a greater --budget goes on")
    outage.end()


async def _at_once(evaluator: Evaluator, rows: Sequence[Row]) -> AsyncGenerator[Assessed, None]:
    for start in range(0, len(rows), _CHUNK):
        await asyncio.sleep(0)  # A Ctrl-C gets its turn.
        for row in rows[start : start + _CHUNK]:
            yield row, _assessed_now(evaluator, row)


def _assessed_now(evaluator: Evaluator, row: Row) -> Assessment:
    try:
        prepared = evaluator.prepare((row.turn,))
        return evaluator.finish(prepared, evaluator.judge_now(prepared))[0]
    except StefError:
        raise
    except Exception as error:  # a bug must cost one turn, counted as stef's own, and not the run
        return _fault(row, error)


async def _side_by_side(evaluator: Evaluator, rows: Sequence[Row], concurrency: int) -> AsyncGenerator[Assessed, None]:
    gate = asyncio.Semaphore(concurrency)

    async def one(row: Row) -> Assessed:
        async with gate:
            current_row.set(row.row)
            try:
                return row, await evaluator.assess(row.turn)
            except StefError:
                raise
            except Exception as error:  # as in `_assessed_now`
                return row, _fault(row, error)

    tasks = [asyncio.ensure_future(one(row)) for row in rows]
    try:
        for done in asyncio.as_completed(tasks):
            yield await done
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _fault(row: Row, error: Exception) -> Assessment:
    turn = row.turn
    detail = f"a bug in stef: {type(error).__name__}: {error}"
    return Assessment(
        turn.question, turn.enriched_question, turn.sql or "", None, Unscored(UnscoredReason.HARNESS_FAULT, detail)
    )


class _Outage:
    """Tells an outage of the judge from turns that it could not judge."""

    def __init__(self) -> None:
        self._silent = 0
        self._answered = False
        self._detail = ""

    def note(self, assessment: Assessment) -> None:
        """Take one turn in. Raises JudgeUnavailableError where patience ends."""
        outcome = assessment.outcome
        if isinstance(outcome, Scored) or outcome.reason is UnscoredReason.JUDGE_REPLY_INVALID:
            self._answered = True
        elif outcome.reason is UnscoredReason.JUDGE_UNAVAILABLE:
            self._silent += 1
            self._detail = outcome.detail
            if self._silent >= _PATIENCE:
                self.end()

    def end(self) -> None:
        """Raises JudgeUnavailableError where turns were put to the judge and none was answered."""
        if self._silent and not self._answered:
            turns = "turn" if self._silent == 1 else "turns"
            raise JudgeUnavailableError(
                f"the judge answered none of {self._silent} {turns}: {self._detail}; "
                "finished parts are kept, and the same command goes on from there"
            )
