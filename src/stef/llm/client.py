"""The narrow edge between stef and a language model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from stef.records.judgement import Usage


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to a model.

    With `json_schema` the reply is asked for as JSON, as strictly as the server can. `max_tokens` bounds the reply.
    `logprobs`: the probabilities of the reply's tokens are asked for as well. `key` tells questions apart that are the
    same word for word, such as blind samples; a batch file knows the question by it.
    """

    messages: tuple[Message, ...]
    json_schema: Mapping[str, Any] | None = None
    temperature: float | None = 0.0
    max_tokens: int = 2048
    logprobs: bool = False
    key: str | None = None

    @property
    def characters(self) -> int:
        """The length of all messages together."""
        return sum(len(message.content) for message in self.messages)


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a reply, as bytes, and what else might have stood there, each with its natural log-probability.

    The token itself is among `choices`.
    """

    text: bytes
    choices: tuple[tuple[bytes, float], ...]


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's reply.

    `text` is empty where the model said nothing; `refusal` is its refusal, where the server marks it as one. `usage`
    counts all attempts, failed ones too, as far as the server told. `latency_s` is in seconds, waits included,
    None where nobody waited. `tokens` is None where the server told no log-probabilities.
    """

    text: str
    usage: Usage
    model: str
    latency_s: float | None
    attempts: int
    finish_reason: str | None = None
    refusal: str | None = None
    tokens: tuple[Token, ...] | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """What one call took, answered or not: a line of `calls.jsonl`. `error` is None where a reply came.

    `latency_s` is in seconds, None for a reply that a file brought.
    """

    model: str
    latency_s: float | None
    attempts: int
    usage: Usage
    error: str | None = None


class Client(Protocol):
    """A language model behind an API."""

    @property
    def model(self) -> str:
        """The model asked."""
        ...

    async def complete(self, request: ChatRequest) -> Completion:
        """The model's reply to `request`.

        Raises JudgeUnavailableError where no reply came after all retries, JudgeSetupError where none can ever come,
        and BudgetError where the reply would cost more than there is.
        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


@runtime_checkable
class Forgetting(Protocol):
    """A client that keeps replies."""

    def forget(self, request: ChatRequest) -> None:
        """Keep the reply to `request` no longer."""
        ...
