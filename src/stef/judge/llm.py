"""The LLM judge: renders the prompt, asks a model, reads the reply."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from stef.judge.asking import ASKS, Asker
from stef.judge.options import ConfidenceFrom, Sees
from stef.judge.reply import REPLY_SCHEMA, VERDICT_SCHEMA
from stef.judge.values import prompt_values, request_key
from stef.judge.verdicts import make_judgement
from stef.llm.client import ChatRequest, Client, Message
from stef.prompts import Prompt, fence_mark
from stef.records.judgement import Judgement
from stef.records.request import JudgeRequest

PROMPT: Final = "judge.md.jinja"
FORM: Final = (
    '{"reasons": ["…"], "verdict": "correct" or "likely_correct" or "potentially_incorrect" or "incorrect", '
    '"confidence": a number from 0.0 to 1.0}'
)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a model is asked: `sees` is how much evidence its prompt carries, `confidence` where γ is read.

    `asks`: how often, where a reply can't be read. `sample` tells blind samples apart, 1 is the first.
    """

    temperature: float | None = 0.0
    max_tokens: int = 2048
    sees: Sees = Sees.ALL
    confidence: ConfidenceFrom = ConfidenceFrom.STATED
    asks: int = ASKS
    sample: int = 1

    @property
    def logprobs(self) -> bool:
        """Whether log-probabilities are asked for."""
        return self.confidence is ConfidenceFrom.LOGPROB

    def settings(self) -> dict[str, Any]:
        """What of it decides results."""
        return {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "sees": self.sees.value,
            "confidence": self.confidence.value,
        }


class LLMJudge:
    """Asks a model behind `client`, with stef's prompt or the one in `prompts_dir`.

    A reply that can't be read is answered once with what is wrong with it; a second one fails the turn.
    """

    def __init__(self, client: Client, prompts_dir: Path | str | None = None, manner: Manner | None = None) -> None:
        self._client = client
        self._prompt = Prompt(PROMPT, prompts_dir)
        self._manner = manner or Manner()
        self._asker = Asker(client, FORM, self._manner.asks)
        self.name = judge_name(client.model, self._manner)

    @property
    def prompts_hash(self) -> str | None:
        """Short hash of the prompt in force."""
        return self._prompt.hash

    @property
    def settings(self) -> dict[str, Any]:
        """What decides its judgements beside its name and prompt."""
        return self._manner.settings()

    def messages(self, request: JudgeRequest) -> tuple[Message, ...]:
        """What is sent for `request`: all that leaves the machine. Raises JudgeSetupError for a broken template."""
        return render_messages(self._prompt, request, self._manner.sees)

    def questions(self, request: JudgeRequest) -> tuple[ChatRequest, ...]:
        """The one question that `request` is put to the model as."""
        manner, key = self._manner, request_key(request, self.name, self.prompts_hash, self._manner.sees)
        if manner.sample > 1:
            key = f"{key}-{manner.sample}"
        messages = self.messages(request)
        schema = VERDICT_SCHEMA if manner.logprobs else REPLY_SCHEMA
        return (ChatRequest(messages, schema, manner.temperature, manner.max_tokens, manner.logprobs, key),)

    async def judge(self, request: JudgeRequest) -> Judgement:
        """The model's judgement. Its usage counts every ask. Raises as the protocol says."""
        (question,) = self.questions(request)
        answer = await self._asker.ask(question)
        judgement = make_judgement(
            answer.reply.verdict, answer.confidence, answer.reasons, self.name, self.prompts_hash
        )
        return replace(
            judgement, p_correct=answer.p_correct, usage=answer.usage, confidence_from=answer.confidence_from.value
        )

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()


def judge_name(model: str, manner: Manner) -> str:
    """The model, and what is out of the ordinary in how it is asked: `openai:MODEL, by logprob, sees query`."""
    said = [model]
    if manner.confidence is ConfidenceFrom.LOGPROB:
        said.append("by logprob")
    if manner.sees is not Sees.ALL:
        said.append(f"sees {manner.sees.value}")
    return ", ".join(said)


def render_messages(prompt: Prompt, request: JudgeRequest, sees: Sees) -> tuple[Message, ...]:
    """The system and the user message of `prompt` for `request`."""
    values = prompt_values(request, sees)
    rules = [*request.app_notes, *request.tolerated]
    turn = [request.question, request.enriched_question or "", *request.history, request.sql]
    # The rules' mark does not depend on the turn: servers reuse what stays the same at the start of a prompt.
    values["rules_mark"] = fence_mark(rules)
    values["turn_mark"] = fence_mark([*rules, *turn, *_shown(request, sees)])
    system, user = prompt.render_blocks(("system", "user"), **values)
    return Message("system", system), Message("user", user)


def _shown(request: JudgeRequest, sees: Sees) -> Sequence[str]:
    return () if sees is Sees.QUERY else (*request.asked, *request.done)
