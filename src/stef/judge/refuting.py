"""A second question after a verdict on the right side: what, if anything, is wrong with the SQL after all?"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol

from stef.judge.asking import Answer, Asker
from stef.judge.llm import Manner, render_messages
from stef.judge.options import Sees
from stef.judge.protocol import ModelJudge
from stef.judge.reply import REPLY_SCHEMA
from stef.judge.values import request_key
from stef.llm.client import ChatRequest, Client, Message
from stef.llm.cost import add_usage
from stef.prompts import Prompt, prompts_hash
from stef.records.judgement import Judgement, Usage, Verdict
from stef.records.request import JudgeRequest

PROMPT: Final = "refute.md.jinja"
FORM: Final = (
    '{"question_words": "…", "sql_words": "…", "fault": "…", "verdict": "correct" or "likely_correct" or '
    '"potentially_incorrect" or "incorrect", "confidence": a number from 0.0 to 1.0}'
)
_TEXT: Final = {"type": "string"}
_FIELDS: Final[dict[str, Any]] = {
    "question_words": _TEXT,
    "sql_words": _TEXT,
    "fault": _TEXT,
    "verdict": REPLY_SCHEMA["properties"]["verdict"],
    "confidence": REPLY_SCHEMA["properties"]["confidence"],
}
_SHORTEST_QUOTE: Final = 2


@dataclass(frozen=True, slots=True)
class Refutation:
    """What a second look brought: a verdict, its `p_correct`, the fault it names, and what it cost.

    `concrete`: it says what is wrong, and with which words of the question or of the SQL.
    """

    verdict: Verdict
    p_correct: float
    fault: str
    concrete: bool
    usage: Usage

    @property
    def refutes(self) -> bool:
        """Whether it is a concrete reason why the turn is wrong."""
        return self.concrete and not self.verdict.on_right_side


class Refuter(Protocol):
    """Looks for a concrete reason why a turn is wrong."""

    @property
    def settings(self) -> dict[str, Any]:
        """What decides its refutations."""
        ...

    @property
    def prompts_hash(self) -> str:
        """Short hash of the prompts of the judge and of the refuter."""
        ...

    def questions(self, request: JudgeRequest) -> tuple[ChatRequest, ...]:
        """What it asks of a model for `request`."""
        ...

    async def refute(self, request: JudgeRequest) -> Refutation:
        """What it finds. Raises as a judge does."""
        ...


class LLMRefuter:
    """Asks a model behind `client` what is wrong, without telling it what the judge said or why."""

    def __init__(self, client: Client, prompts_dir: Path | str | None = None, manner: Manner | None = None) -> None:
        self._client = client
        self._prompt = Prompt(PROMPT, prompts_dir)
        self._manner = manner or Manner()
        self._asker = Asker(client, FORM, self._manner.asks)
        self.prompts_hash = prompts_hash(("judge.md.jinja", PROMPT), prompts_dir)

    @property
    def settings(self) -> dict[str, Any]:
        """What decides its refutations beside its prompt."""
        return {"refute": True}

    def messages(self, request: JudgeRequest) -> tuple[Message, ...]:
        """What is sent for `request`."""
        return render_messages(self._prompt, request, self._manner.sees)

    def questions(self, request: JudgeRequest) -> tuple[ChatRequest, ...]:
        """The one question that it puts to the model."""
        manner = self._manner
        key = request_key(request, self._client.model, self._prompt.hash, manner.sees)
        messages = self.messages(request)
        schema = _schema(stated=not manner.logprobs)
        return (ChatRequest(messages, schema, manner.temperature, manner.max_tokens, manner.logprobs, f"{key}-refute"),)

    async def refute(self, request: JudgeRequest) -> Refutation:
        """What the model finds. Raises as a judge does."""
        (question,) = self.questions(request)
        answer = await self._asker.ask(question)
        fault = answer.reply.others.get("fault", "")
        return Refutation(
            answer.reply.verdict,
            answer.p_correct,
            fault,
            bool(fault) and _quotes(answer, request, self._manner.sees),
            answer.usage,
        )


class RefutingJudge:
    """Asks `judge`, and after a verdict on the right side `refuter` for a concrete reason against it.

    Such a reason lowers the verdict to the refuter's and `p_correct` to the lesser of both. An objection that quotes
    nothing of the turn changes nothing, and is told among the reasons. A second look that fails fails the turn.
    """

    def __init__(self, judge: ModelJudge, refuter: Refuter) -> None:
        self._judge = judge
        self._refuter = refuter
        self.name = f"{judge.name}, refuted"

    @property
    def prompts_hash(self) -> str | None:
        """Short hash of the prompts of both."""
        return self._refuter.prompts_hash

    @property
    def settings(self) -> dict[str, Any]:
        """What decides its judgements beside its name and prompts."""
        return {**self._judge.settings, **self._refuter.settings}

    def questions(self, request: JudgeRequest) -> tuple[ChatRequest, ...]:
        """The judge's questions, and the refuter's, which is asked only after a verdict on the right side."""
        return (*self._judge.questions(request), *self._refuter.questions(request))

    async def judge(self, request: JudgeRequest) -> Judgement:
        """The judgement after the second look. Raises as the protocol says."""
        judged = replace(await self._judge.judge(request), judge=self.name, prompts_hash=self.prompts_hash)
        if not judged.verdict.on_right_side:
            return judged
        found = await self._refuter.refute(request)
        judged = replace(judged, usage=_in_turn(judged.usage, found.usage), refuted=found.refutes)
        if found.refutes:
            return _lowered(judged, found)
        if found.fault and not found.verdict.on_right_side:
            told = f"An objection that quotes nothing of the turn was left aside: {found.fault}"
            return replace(judged, reasons=(*judged.reasons, told))
        return judged

    async def close(self) -> None:
        """Let go of connections."""
        await self._judge.close()


def _schema(*, stated: bool) -> dict[str, Any]:
    fields = {name: kind for name, kind in _FIELDS.items() if stated or name != "confidence"}
    return {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}


def _lowered(judged: Judgement, found: Refutation) -> Judgement:
    p = min(judged.p_correct, found.p_correct)
    return replace(
        judged,
        verdict=found.verdict,
        p_correct=p,
        confidence=1.0 - p,
        reasons=(f"Refuted: {found.fault}", *judged.reasons),
        refutation=found.fault,
    )


def _quotes(answer: Answer, request: JudgeRequest, sees: Sees) -> bool:
    """Whether the answer quotes words that stand in the turn, as the model saw it."""
    question = (request.question, request.enriched_question or "", *request.history, *request.app_notes)
    others = answer.reply.others
    return _stands_in(others.get("question_words", ""), question) or _stands_in(
        others.get("sql_words", ""), (request.sql, *(request.done if sees is not Sees.QUERY else ()))
    )


def _stands_in(quote: str, texts: tuple[str, ...]) -> bool:
    words = _plain(quote)
    return len(words) >= _SHORTEST_QUOTE and any(words in _plain(text) for text in texts)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .…\"'`")


def _in_turn(first: Usage | None, then: Usage) -> Usage:
    if first is None:
        return then
    waits = [usage.latency_s for usage in (first, then) if usage.latency_s is not None]
    return replace(add_usage(first, then), latency_s=sum(waits) if waits else None)
