"""The narrow edge between stef and a language model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from stef.records.judgement import Usage


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's reply.

    `text` is empty where the model said nothing; `refusal` is its refusal, where the server marks it as one. `usage`
    counts all attempts, failed ones too, as far as the server told. `latency_s` is in seconds, waits included.
    """

    text: str
    usage: Usage
    model: str
    latency_s: float
    attempts: int
    finish_reason: str | None = None
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """What one call took, answered or not: a line of `calls.jsonl`. `error` is None where a reply came."""

    model: str
    latency_s: float
    attempts: int
    usage: Usage
    error: str | None = None


class Client(Protocol):
    """A language model behind an API."""

    @property
    def model(self) -> str:
        """The model asked."""
        ...

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        json_schema: Mapping[str, Any] | None = None,
        temperature: float | None = 0.0,
        max_tokens: int = 2048,
    ) -> Completion:
        """The model's reply to `messages`.

        With `json_schema` the reply is asked for as JSON, as strictly as the server can. Raises JudgeUnavailableError
        where no reply came after all retries, and JudgeSetupError where none can ever come.
        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
