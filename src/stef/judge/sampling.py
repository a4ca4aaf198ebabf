"""Several blind judgements of one turn, drawn together."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, pstdev
from typing import Any, Final

from stef.errors import JudgeReplyError, JudgeUnavailableError
from stef.judge.options import ConfidenceFrom
from stef.judge.protocol import Judge, ModelJudge
from stef.llm.client import ChatRequest
from stef.llm.cost import add_usage
from stef.records.judgement import Judgement, Sample, Usage, Verdict
from stef.records.request import JudgeRequest

_ORDER: Final = tuple(Verdict)


class SamplingJudge:
    """Asks each of `judges` once, none of which knows of the others, and draws their judgements together.

    `p_correct` is the mean of theirs, the verdict their median (the lower of two), `spread` the standard deviation of
    `p_correct`. With `by_agreement`, `p_correct` is the share of judgements on the right side. A judgement that fails
    is left out as long as more than half of them came back; else the turn fails.
    """

    def __init__(self, judges: Sequence[ModelJudge], *, by_agreement: bool = False) -> None:
        if not judges:
            raise ValueError("at least one judge is needed")
        self._judges = tuple(judges)
        self._by_agreement = by_agreement
        agreement = " by agreement" if by_agreement else ""
        self.name = f"{judges[0].name}, {len(judges)} samples{agreement}"

    @property
    def prompts_hash(self) -> str | None:
        """Short hash of the prompts in force."""
        return self._judges[0].prompts_hash

    @property
    def settings(self) -> dict[str, Any]:
        """What decides its judgements beside its name and prompt."""
        confidence = {"confidence": ConfidenceFrom.SAMPLES.value} if self._by_agreement else {}
        return {**self._judges[0].settings, "samples": len(self._judges), **confidence}

    def questions(self, request: JudgeRequest) -> tuple[ChatRequest, ...]:
        """The questions of all samples."""
        return tuple(question for judge in self._judges for question in judge.questions(request))

    async def judge(self, request: JudgeRequest) -> Judgement:
        """The judgements of all samples as one. Raises as the protocol says."""
        tasks = [asyncio.ensure_future(_one(judge, request)) for judge in self._judges]
        try:
            results = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        judged = [one for one in results if isinstance(one, Judgement)]
        failed = [one for one in results if not isinstance(one, Judgement)]
        if 2 * len(judged) <= len(results):
            raise failed[0]
        return self._together(judged, failed)

    async def close(self) -> None:
        """Let go of connections."""
        for judge in self._judges:
            await judge.close()

    def _together(self, judged: list[Judgement], failed: list[JudgeReplyError | JudgeUnavailableError]) -> Judgement:
        verdict = _median([one.verdict for one in judged])
        right = [float(one.verdict.on_right_side) for one in judged]
        p = fmean(right if self._by_agreement else [one.p_correct for one in judged])
        spread = pstdev(one.p_correct for one in judged)
        speaker = min((one for one in judged if one.verdict is verdict), key=lambda one: abs(one.p_correct - p))
        lost = (f"{len(failed)} of {len(self._judges)} samples failed: {failed[0]}",) if failed else ()
        return replace(
            speaker,
            confidence=p if verdict.on_right_side else 1.0 - p,
            p_correct=p,
            reasons=(*speaker.reasons, *lost),
            judge=self.name,
            usage=_usage(judged),
            confidence_from=ConfidenceFrom.SAMPLES.value if self._by_agreement else speaker.confidence_from,
            samples=tuple(Sample(one.verdict, one.p_correct) for one in judged),
            spread=spread,
        )


async def _one(judge: Judge, request: JudgeRequest) -> Judgement | JudgeReplyError | JudgeUnavailableError:
    try:
        return await judge.judge(request)
    except (JudgeReplyError, JudgeUnavailableError) as error:
        return error


def _median(verdicts: list[Verdict]) -> Verdict:
    """The middle verdict; of two, the lower."""
    return sorted(verdicts, key=_ORDER.index)[len(verdicts) // 2]


def _usage(judged: Sequence[Judgement]) -> Usage | None:
    """All that was used; the samples ran side by side, so the longest of them is what somebody waited."""
    usages = [one.usage for one in judged if one.usage is not None]
    if not usages:
        return None
    total = usages[0]
    for usage in usages[1:]:
        total = add_usage(total, usage)
    waits = [usage.latency_s for usage in usages if usage.latency_s is not None]
    return replace(total, latency_s=max(waits) if waits else None)
