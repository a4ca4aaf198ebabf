"""What every judge can do."""

from typing import Any, Protocol, runtime_checkable

from stef.llm.client import ChatRequest
from stef.records.judgement import Judgement
from stef.records.request import JudgeRequest


@runtime_checkable
class Judge(Protocol):
    """Says whether a turn's SQL answers its question, and how sure it is.

    One judge is asked many turns at once, on one event loop. It knows a turn by its request only.
    """

    @property
    def name(self) -> str:
        """Who judges (`symbolic`, `openai:MODEL`, …): it stands in every output."""
        ...

    @property
    def prompts_hash(self) -> str | None:
        """Short hash of the prompts in force; None for a judge without prompts."""
        ...

    async def judge(self, request: JudgeRequest) -> Judgement:
        """The judgement on one turn.

        Raises JudgeUnavailableError or JudgeReplyError for this turn only; JudgeSetupError and BudgetError end the run.
        """
        ...

    async def close(self) -> None:
        """Let go of connections. A closed judge is not asked again."""
        ...


@runtime_checkable
class ModelJudge(Judge, Protocol):
    """A judge that asks a model, and can say what it will ask without asking it."""

    @property
    def settings(self) -> dict[str, Any]:
        """What decides its judgements beside its name and prompts, as JSON values."""
        ...

    def questions(self, request: JudgeRequest) -> tuple[ChatRequest, ...]:
        """All questions that judging `request` may take, second asks for unreadable replies aside."""
        ...
