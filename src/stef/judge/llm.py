"""The LLM judge: renders the prompt, asks a model, reads the reply."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from stef.errors import JudgeReplyError, JudgeSetupError
from stef.judge.options import JudgeOptions
from stef.judge.reply import REPLY_SCHEMA, Reply, read_reply
from stef.judge.values import prompt_values
from stef.judge.verdicts import make_judgement
from stef.llm.chat import ChatSettings
from stef.llm.client import Client, Completion, Message
from stef.llm.cost import add_usage
from stef.llm.litellm_client import litellm_client
from stef.llm.openai_client import openai_client
from stef.llm.retry import RetryPolicy
from stef.prompts import Prompt, fence_mark
from stef.records.judgement import Judgement, Usage
from stef.records.request import JudgeRequest

PROMPT: Final = "judge.md.jinja"
ASKS: Final = 2
# A verdict in words alone, even after a second ask: the verdict counts, and its confidence as the least there is.
UNSTATED_CONFIDENCE: Final = 0.5


class LLMJudge:
    """Asks a model behind `client`, with stef's prompt or the one in `prompts_dir`.

    A reply that can't be read is answered once with what is wrong with it; a second one fails the turn.
    """

    def __init__(
        self,
        client: Client,
        prompts_dir: Path | str | None = None,
        temperature: float = 0.0,
        max_tokens: int = 2048,
    ) -> None:
        self._client = client
        self._prompt = Prompt(PROMPT, prompts_dir)
        self._temperature = temperature
        self._max_tokens = max_tokens

    @property
    def name(self) -> str:
        """Who judges, such as `openai:MODEL`."""
        return self._client.model

    @property
    def prompts_hash(self) -> str | None:
        """Short hash of the prompt in force."""
        return self._prompt.hash

    def messages(self, request: JudgeRequest) -> tuple[Message, ...]:
        """What is sent for `request`: all that leaves the machine. Raises JudgeSetupError for a broken template."""
        values = prompt_values(request)
        rules = [*request.app_notes, *request.tolerated]
        turn = [request.question, request.enriched_question or "", *request.history, request.sql]
        # The rules' mark does not depend on the turn: servers reuse what stays the same at the start of a prompt.
        values["rules_mark"] = fence_mark(rules)
        values["turn_mark"] = fence_mark([*rules, *turn, *request.asked, *request.done])
        system, user = self._prompt.render_blocks(("system", "user"), **values)
        return Message("system", system), Message("user", user)

    async def judge(self, request: JudgeRequest) -> Judgement:
        """The model's judgement. Its usage counts every ask. Raises as the protocol says."""
        messages = self.messages(request)
        usage = Usage()
        for ask in range(1, ASKS + 1):
            completion = await self._client.complete(
                messages,
                json_schema=REPLY_SCHEMA,
                temperature=self._temperature,
                max_tokens=self._max_tokens * ask,
            )
            usage = completion.usage if ask == 1 else add_usage(usage, completion.usage)
            try:
                reply = _read(completion)
                if reply.confidence is None and ask < ASKS:
                    raise JudgeReplyError("the judge's reply is not readable: it states no confidence", completion.text)
            except JudgeReplyError as error:
                if ask == ASKS:
                    raise JudgeReplyError(f"{self.name}: {error}", error.reply) from error
                messages = _asked_again(messages, error)
            else:
                return self._judgement(reply, usage)
        raise AssertionError("unreachable")

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()

    def _judgement(self, reply: Reply, usage: Usage) -> Judgement:
        confidence, reasons = reply.confidence, reply.reasons
        if confidence is None:
            confidence = UNSTATED_CONFIDENCE
            reasons = (*reasons, f"The judge stated no confidence; {UNSTATED_CONFIDENCE} is counted.")
        judgement = make_judgement(reply.verdict, confidence, reasons, self.name, self.prompts_hash)
        return replace(judgement, usage=usage)


def openai_judge(model: str, options: JudgeOptions) -> LLMJudge:
    """The judge `openai:MODEL`. Raises JudgeSetupError where the model or its key is missing."""
    if not model:
        raise JudgeSetupError("openai needs a model; write openai:MODEL")
    # A model's name says nothing of the price at a server of one's own.
    priced_as = (model,) if options.base_url is None else ()
    return _judge(openai_client(model, options.api_key, options.base_url, _settings(options, priced_as)), options)


def litellm_judge(model: str, options: JudgeOptions) -> LLMJudge:
    """The judge `litellm:PROVIDER/MODEL`. Raises JudgeSetupError where the provider is unknown or its key missing."""
    if "/" not in model:
        raise JudgeSetupError(f"litellm needs a provider and a model, not {model!r}; write litellm:PROVIDER/MODEL")
    return _judge(litellm_client(model, options.api_key, options.base_url, _settings(options)), options)


def _judge(client: Client, options: JudgeOptions) -> LLMJudge:
    return LLMJudge(client, options.prompts_dir, options.temperature, options.max_tokens)


def _settings(options: JudgeOptions, priced_as: tuple[str, ...] = ()) -> ChatSettings:
    return ChatSettings(
        timeout=options.timeout,
        retry=RetryPolicy(max_attempts=options.max_retries + 1, max_wait=options.max_wait),
        price=options.price,
        priced_as=priced_as,
        on_call=options.on_call,
    )


def _read(completion: Completion) -> Reply:
    if completion.refusal and not completion.text:
        raise JudgeReplyError(f"the judge refused: {completion.refusal[:200]}", completion.refusal)
    if completion.finish_reason == "content_filter":
        raise JudgeReplyError("the judge's reply was withheld by the server's content filter", completion.text)
    if completion.finish_reason == "length":
        raise JudgeReplyError("the judge's reply was cut off at its greatest length", completion.text)
    return read_reply(completion.text)


def _asked_again(messages: tuple[Message, ...], error: JudgeReplyError) -> tuple[Message, ...]:
    again = Message(
        "user",
        f"No verdict could be taken from that: {error}. Reply again, with one JSON object and nothing else: "
        '{"reasons": ["…"], "verdict": "correct" or "likely_correct" or "potentially_incorrect" or "incorrect", '
        '"confidence": a number from 0.0 to 1.0}',
    )
    said = (Message("assistant", error.reply),) if error.reply.strip() else ()
    return (*messages, *said, again)
