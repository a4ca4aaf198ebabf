"""Replies that were paid for: the same question is not asked again."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from stef.llm.client import ChatRequest, Completion, Token
from stef.llm.once import Once
from stef.records.judgement import Usage


class Keeper(Protocol):
    """Where replies are kept, by a key of 32 bytes."""

    def read(self, key: bytes) -> bytes | None:
        """What is kept under `key`."""
        ...

    def write(self, key: bytes, value: bytes) -> None:
        """Keep `value` under `key`."""
        ...

    def forget(self, key: bytes) -> None:
        """Keep nothing under `key` any longer."""
        ...


class KeepNothing:
    """A Keeper that keeps nothing."""

    def read(self, key: bytes) -> bytes | None:
        """Nothing."""

    def write(self, key: bytes, value: bytes) -> None:
        """Do nothing."""

    def forget(self, key: bytes) -> None:
        """Do nothing."""


class ReplyStore:
    """Keeps every reply with a Keeper while there is one; the same question is asked once, also while on its way.

    A question is known by its model and by all that is asked. Without a Keeper, every question is asked.
    """

    def __init__(self) -> None:
        self._keeper: Keeper | None = None
        self._asking: Once[Completion] = Once()

    @contextmanager
    def keeping_in(self, keeper: Keeper) -> Iterator[None]:
        """Read from `keeper`, and write to it, inside this context."""
        self._keeper = keeper
        try:
            yield
        finally:
            self._keeper = None

    async def get(self, model: str, request: ChatRequest, ask: Callable[[], Awaitable[Completion]]) -> Completion:
        """The reply of `model` to `request`: kept, or as `ask` brings it. Raises what `ask` raises."""
        if self._keeper is None:
            return await ask()
        key = _key(model, request)
        kept = _kept(self._keeper.read(key))
        return kept if kept is not None else await self._asking.get(key, lambda: self._asked(key, ask))

    def forget(self, model: str, request: ChatRequest) -> None:
        """Keep the reply of `model` to `request` no longer: it was of no use."""
        if self._keeper is not None:
            self._keeper.forget(_key(model, request))

    async def _asked(self, key: bytes, ask: Callable[[], Awaitable[Completion]]) -> Completion:
        completion = await ask()
        if self._keeper is not None:
            self._keeper.write(key, json.dumps(_to_dict(completion), ensure_ascii=True).encode())
        return completion


def _key(model: str, request: ChatRequest) -> bytes:
    messages = [[message.role, message.content] for message in request.messages]
    how = [request.json_schema, request.temperature, request.max_tokens, request.logprobs, request.key]
    asked = json.dumps([model, messages, how], sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(asked.encode()).digest()


def _kept(value: bytes | None) -> Completion | None:
    if value is None:
        return None
    try:
        return _from_dict(json.loads(value))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None  # of another version of stef


def _to_dict(completion: Completion) -> dict[str, Any]:
    tokens = completion.tokens and [
        [token.text.hex(), [[text.hex(), logprob] for text, logprob in token.choices]] for token in completion.tokens
    ]
    usage = completion.usage
    return {
        "text": completion.text,
        "usage": {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cost": usage.cost,
            "latency_s": usage.latency_s,
        },
        "model": completion.model,
        "latency_s": completion.latency_s,
        "attempts": completion.attempts,
        "finish_reason": completion.finish_reason,
        "refusal": completion.refusal,
        "tokens": tokens,
    }


def _from_dict(values: dict[str, Any]) -> Completion:
    tokens = values["tokens"]
    return Completion(
        text=values["text"],
        usage=Usage(**values["usage"]),
        model=values["model"],
        latency_s=values["latency_s"],
        attempts=values["attempts"],
        finish_reason=values["finish_reason"],
        refusal=values["refusal"],
        tokens=tokens and tuple(_token(text, choices) for text, choices in tokens),
    )


def _token(text: str, choices: list[tuple[str, float]]) -> Token:
    return Token(bytes.fromhex(text), tuple((bytes.fromhex(one), logprob) for one, logprob in choices))
