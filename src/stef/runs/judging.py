"""Judgements of a run: from the store where somebody paid for them already, else from the judge, each once."""

import asyncio
from collections.abc import Callable

from stef.errors import JudgeUnavailableError
from stef.evaluator import Evaluator
from stef.llm.once import Once
from stef.llm.replies import Keeper
from stef.records.assessment import Unscored
from stef.records.judgement import Judgement
from stef.records.reasons import UnscoredReason
from stef.records.request import JudgeRequest
from stef.runs.calls import CallLog, current_row
from stef.runs.judgements import from_bytes, to_bytes
from stef.runs.kernel import bug

PATIENCE = 20
"""Turns in a row that a judge may leave without an answer, before any was answered; then the run stops."""


class Judging:
    """Asks the judge of `evaluator` what `kept` does not hold, at most `at_once` turns at a time (None: any number).

    `spent` says how the budget ended, once it has.
    """

    def __init__(
        self, evaluator: Evaluator, kept: Keeper | None, calls: CallLog, at_once: int | None, *, patient: bool = False
    ) -> None:
        self._evaluator = evaluator
        self._kept = kept
        self._calls = calls
        self._gate = None if at_once is None else asyncio.Semaphore(at_once)
        self._asking: Once[bytes] = Once()
        self._patient = patient
        self._silent = 0
        self._answered = False
        self._detail = ""
        self.spent: str | None = None

    async def judged(self, row: int, key: bytes, request: Callable[[], JudgeRequest]) -> bytes:
        """The judgement, or why there is none, as `to_bytes` gives it; `request` is made only where it is needed.

        Raises what ends the run: JudgeSetupError, JudgeDownError, StoppedError, and JudgeUnavailableError where the
        first turns of all come back without an answer.
        """
        kept = None if self._kept is None else _sound(self._kept.read(key))
        if kept is not None:
            self._answered = True
            self._calls.hit(row)
            return kept
        current_row.set(row)
        judged = await self._asking.get(key, lambda: self._asked(key, request))
        if not self._patient:
            self._note(judged)
        return judged

    def check_answered(self, silent: int, answered: int) -> None:
        """Raise JudgeUnavailableError where `silent` turns were put to the judge and it `answered` none."""
        if silent and not answered and not self._patient:
            turns = "turn" if silent == 1 else "turns"
            raise JudgeUnavailableError(
                f"the judge answered none of {silent} {turns}: {self._detail}; "
                "finished parts are kept, and the same command goes on from there"
            )

    async def _asked(self, key: bytes, request: Callable[[], JudgeRequest]) -> bytes:
        if self._gate is None:
            judged = await self._from_judge(request)
        else:
            async with self._gate:
                judged = await self._from_judge(request)
        text = to_bytes(judged)
        if self._kept is not None and isinstance(judged, Judgement):
            self._kept.write(key, text)
        return text

    async def _from_judge(self, request: Callable[[], JudgeRequest]) -> Judgement | Unscored:
        return await self._evaluator.judge_request(request())

    def _note(self, judged: bytes) -> None:
        if not judged.startswith(b'{"unscored"'):
            self._answered = True
            return
        outcome = from_bytes(judged)
        if not isinstance(outcome, Unscored):
            return
        match outcome.reason:
            case UnscoredReason.JUDGE_REPLY_INVALID:
                self._answered = True
            case UnscoredReason.BUDGET:
                self.spent = outcome.detail
            case UnscoredReason.JUDGE_UNAVAILABLE:
                self._silent += 1
                self._detail = outcome.detail
                if self._silent >= PATIENCE:
                    self.check_answered(self._silent, int(self._answered))


def _sound(kept: bytes | None) -> bytes | None:
    """What was kept, where this version of stef can read it."""
    if kept is None:
        return None
    try:
        from_bytes(kept)
    except (ValueError, KeyError, TypeError):
        return None
    return kept


def harness_fault(error: Exception) -> bytes:
    """A bug in the judge costs one turn, counted as stef's own."""
    return to_bytes(Unscored(UnscoredReason.HARNESS_FAULT, bug(error)))
