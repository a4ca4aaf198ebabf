"""The model reader: asks a language model what a question asks for, and gives the same Reading as the rule reader."""

import asyncio
import json
import re
from collections import OrderedDict
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from stef.errors import JudgeReplyError
from stef.llm.client import ChatRequest, Client, Completion, Forgetting, Message
from stef.prompts import Prompt, fence_mark
from stef.question.model_reply import ModelReply, reading_of
from stef.question.periods import Calendar
from stef.question.read import read_question
from stef.records.reading import QuestionReading

PROMPT: Final = "read_question.md.jinja"
_REMEMBERED: Final = 10_000
_THINKING: Final = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_SCHEMA: Final[dict[str, Any]] = ModelReply.model_json_schema()


class ModelReader:
    """Reads questions with the model behind `client`, with stef's prompt or the one in `prompts_dir`.

    A reply is kept by the question and its history, and asked for once, also while it is on its way: several agents on
    the same questions pay once. One reader belongs to one event loop.
    """

    def __init__(self, client: Client, prompts_dir: Path | str | None = None, max_tokens: int = 2048) -> None:
        self._client = client
        self._prompt = Prompt(PROMPT, prompts_dir)
        self._max_tokens = max_tokens
        self._replies: OrderedDict[tuple[str, tuple[str, ...]], asyncio.Task[ModelReply]] = OrderedDict()

    @property
    def name(self) -> str:
        """Who reads, such as `openai:MODEL`."""
        return self._client.model

    @property
    def prompts_hash(self) -> str:
        """Short hash of the prompt in force."""
        return self._prompt.hash

    async def read(
        self,
        text: str,
        *,
        now: datetime | None = None,
        calendar: Calendar | None = None,
        history: tuple[str, ...] = (),
    ) -> QuestionReading:
        """What `text` asks for, as the model says; arguments and result are those of `read_question`.

        Periods are read by stef's own grammar from the words that the model names, and notes and hints by rules. Raises
        JudgeReplyError, with the reply, where it is not the JSON that was asked for, JudgeUnavailableError and
        JudgeSetupError as the client does.
        """
        by_rules = read_question(text, now=now, calendar=calendar, history=history)
        if not by_rules.words and not text.strip():
            return by_rules
        reply = await self._reply(by_rules.text, history)
        return replace(reading_of(reply, by_rules, now, calendar), reader=self.name)

    def messages(self, text: str, history: tuple[str, ...] = ()) -> tuple[Message, ...]:
        """What is sent for a question: all that leaves the machine."""
        values = {"question": text, "history": history, "mark": fence_mark([text, *history])}
        system, user = self._prompt.render_blocks(("system", "user"), **values)
        return Message("system", system), Message("user", user)

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()

    async def _reply(self, text: str, history: tuple[str, ...]) -> ModelReply:
        key = (text, history)
        task = self._replies.get(key)
        if task is None:
            task = asyncio.ensure_future(self._ask(text, history))
            self._replies[key] = task
            while len(self._replies) > _REMEMBERED:
                self._replies.popitem(last=False)
        try:
            # Who waits may be cancelled; the others who wait for the same reply are not.
            return await asyncio.shield(task)
        finally:
            failed = task.done() and (task.cancelled() or task.exception() is not None)
            if failed and self._replies.get(key) is task:
                del self._replies[key]

    async def _ask(self, text: str, history: tuple[str, ...]) -> ModelReply:
        messages = self.messages(text, history)
        request = ChatRequest(messages, _SCHEMA, max_tokens=self._max_tokens)
        completion = await self._client.complete(request)
        try:
            return read_reply(completion)
        except JudgeReplyError:
            if isinstance(self._client, Forgetting):
                self._client.forget(request)
            raise


def read_reply(completion: Completion) -> ModelReply:
    """The model's reply, validated. Raises JudgeReplyError, with its text, for anything but one fitting JSON object."""
    if completion.refusal and not completion.text:
        raise JudgeReplyError(f"the model refused to read the question: {completion.refusal[:200]}", completion.refusal)
    said = _THINKING.sub("", completion.text)
    at = said.find("{")
    try:
        if at < 0:
            raise ValueError("it holds no JSON object")
        found, _ = json.JSONDecoder().raw_decode(said, at)
        return ModelReply.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        detail = f"{place}: {first['msg']}"
        raise JudgeReplyError(f"the model's reading of the question does not fit: {detail}", completion.text) from error
    except (ValueError, RecursionError) as error:
        raise JudgeReplyError(f"the model's reading of the question is no JSON: {error}", completion.text) from error
