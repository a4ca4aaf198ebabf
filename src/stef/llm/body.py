"""Reading the body of a chat completion, whatever a server made of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stef.llm.faults import ServerFault
from stef.records.judgement import Usage


@dataclass(frozen=True, slots=True)
class Body:
    """The parts of a chat completion; `usage` is without cost."""

    text: str
    refusal: str | None
    finish_reason: str | None
    usage: Usage


def read_body(body: object) -> Body:
    """The parts of `body`, the decoded JSON of a reply. Raises ServerFault where it holds no choice."""
    if not isinstance(body, Mapping):
        raise ServerFault("the reply is no JSON object")
    usage = _usage(body.get("usage"))
    error = body.get("error")
    if error:
        # Gateways report a failure of the model behind them with status 200.
        values = error if isinstance(error, Mapping) else {"message": error}
        code = values.get("code")
        status = code if isinstance(code, int) and 400 <= code < 600 else None
        raise ServerFault(f"the reply is an error: {values.get('message')}", status, usage=usage)
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        raise ServerFault("the reply holds no choices", usage=usage)
    return Body(
        text=_text(message.get("content")),
        refusal=_text(message.get("refusal")) or None,
        finish_reason=choice.get("finish_reason"),
        usage=usage,
    )


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, Mapping):
        return Usage()
    return Usage(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))


def _count(tokens: object) -> int:
    return tokens if isinstance(tokens, int) and tokens > 0 else 0
