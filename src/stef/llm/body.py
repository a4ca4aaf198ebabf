"""Reading the body of a chat completion, whatever a server made of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from stef.llm.client import Token
from stef.llm.faults import ServerFault
from stef.records.judgement import Usage

_LEAST_LOGPROB: Final = -16.0
"""A choice less probable than this (1e-7) says nothing, and is left out."""


@dataclass(frozen=True, slots=True)
class Body:
    """The parts of a chat completion; `usage` is without cost, `tokens` None where no log-probabilities were told."""

    text: str
    refusal: str | None
    finish_reason: str | None
    usage: Usage
    tokens: tuple[Token, ...] | None = None


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
        tokens=_tokens(choice.get("logprobs")),
    )


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _tokens(logprobs: object) -> tuple[Token, ...] | None:
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(content, list) or not content:
        return None
    tokens = [_token(entry) for entry in content]
    return None if None in tokens else tuple(token for token in tokens if token is not None)


def _token(entry: object) -> Token | None:
    own = _choice(entry)
    if own is None or not isinstance(entry, Mapping):
        return None
    others = [_choice(other) for other in entry.get("top_logprobs") or ()]
    choices = {text: logprob for text, logprob in (own, *filter(None, others)) if logprob > _LEAST_LOGPROB}
    return Token(own[0], tuple(choices.items()))


def _choice(entry: object) -> tuple[bytes, float] | None:
    if not isinstance(entry, Mapping):
        return None
    text, parts, logprob = entry.get("token"), entry.get("bytes"), entry.get("logprob")
    if isinstance(logprob, bool) or not isinstance(logprob, int | float) or not isinstance(text, str):
        return None
    # A token may be a part of a character: only its bytes are exact.
    exact = isinstance(parts, list) and all(isinstance(part, int) and 0 <= part < 256 for part in parts)
    return (bytes(parts) if exact and isinstance(parts, list) else text.encode("utf-8", "replace")), float(logprob)


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, Mapping):
        return Usage()
    return Usage(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))


def _count(tokens: object) -> int:
    return tokens if isinstance(tokens, int) and tokens > 0 else 0
