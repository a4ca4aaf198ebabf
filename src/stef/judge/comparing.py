"""A model's judgement with what the symbolic evidence alone makes of the turn beside it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from stef.judge.protocol import ModelJudge
from stef.judge.symbolic import SymbolicJudge
from stef.llm.client import ChatRequest
from stef.records.judgement import Judgement
from stef.records.request import JudgeRequest


class ComparingJudge:
    """Asks `judge`, and notes in its judgement the symbolic judge's `p_correct`. The verdict stays the judge's own.

    `about` is added to the settings.
    """

    def __init__(self, judge: ModelJudge, about: Mapping[str, Any] | None = None) -> None:
        self._judge = judge
        self._about = dict(about or {})
        self._symbolic = SymbolicJudge()
        self.name = judge.name

    @property
    def prompts_hash(self) -> str | None:
        """Short hash of the prompts in force."""
        return self._judge.prompts_hash

    @property
    def settings(self) -> dict[str, Any]:
        """What decides its judgements beside its name and prompts."""
        return {**self._judge.settings, **self._about}

    def questions(self, request: JudgeRequest) -> tuple[ChatRequest, ...]:
        """What is asked of a model for `request`."""
        return self._judge.questions(request)

    async def judge(self, request: JudgeRequest) -> Judgement:
        """The judge's judgement. Raises as the protocol says."""
        judged = await self._judge.judge(request)
        return replace(judged, symbolic_p=self._symbolic.judge_now(request).p_correct)

    async def close(self) -> None:
        """Let go of connections."""
        await self._judge.close()
