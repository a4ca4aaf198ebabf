"""What a server takes. It is found out by asking: a refused parameter is left out from then on."""

import dataclasses
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

from stef.llm.client import ChatRequest, Message
from stef.llm.faults import ServerFault


class JsonMode(StrEnum):
    """How a reply in JSON is asked for; the prompt asks for it in words in any case."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Features:
    """The parameters that a server takes, as far as is known.

    `new_length_name`: the length is bounded by `max_completion_tokens`, not by `max_tokens`.
    """

    json_mode: JsonMode = JsonMode.SCHEMA
    temperature: bool = True
    new_length_name: bool = False
    system_role: bool = True


MOST_CHOICES: Final = 20
"""Tokens whose probabilities are asked for at each place: the most that OpenAI gives."""

_ABOUT_JSON: Final = re.compile(
    r"response_format|json_?schema|json_?object|json.?mode|structured.?output|grammar", re.IGNORECASE
)
_ABOUT_SYSTEM: Final = re.compile(r"system.?(?:role|message|prompt)|role.{0,20}system", re.IGNORECASE)


def _less_json(features: Features, said: str) -> Features | None:
    if not _ABOUT_JSON.search(said):
        return None
    match features.json_mode:
        case JsonMode.SCHEMA:
            return dataclasses.replace(features, json_mode=JsonMode.OBJECT)
        case JsonMode.OBJECT:
            return dataclasses.replace(features, json_mode=JsonMode.WORDS)
        case JsonMode.WORDS:
            return None


def _new_length_name(features: Features, said: str) -> Features | None:
    if not features.new_length_name and "max_completion_tokens" in said:
        return dataclasses.replace(features, new_length_name=True)
    return None


def _no_temperature(features: Features, said: str) -> Features | None:
    if features.temperature and "temperature" in said.lower():
        return dataclasses.replace(features, temperature=False)
    return None


def _no_system_role(features: Features, said: str) -> Features | None:
    if features.system_role and _ABOUT_SYSTEM.search(said):
        return dataclasses.replace(features, system_role=False)
    return None


Step: TypeAlias = Callable[[Features, str], Features | None]
DEGRADATIONS: Final[tuple[Step, ...]] = (_less_json, _new_length_name, _no_temperature, _no_system_role)


def degrade(features: Features, fault: ServerFault) -> Features | None:
    """`features` without what `fault` refuses; None where the fault is about something else."""
    if fault.status not in (400, 422, 501):
        return None
    for step in DEGRADATIONS:
        less = step(features, f"{fault.code or ''} {fault.message}")
        if less is not None:
            return less
    return None


def parameters(features: Features, request: ChatRequest) -> dict[str, Any]:
    """The parameters of a chat completion, in the terms of OpenAI's API."""
    length = "max_completion_tokens" if features.new_length_name else "max_tokens"
    asked: dict[str, Any] = {"messages": _messages(features, request.messages), length: request.max_tokens}
    if features.temperature and request.temperature is not None:
        asked["temperature"] = request.temperature
    if request.logprobs:
        asked["logprobs"] = True
        asked["top_logprobs"] = MOST_CHOICES
    if request.json_schema is not None and features.json_mode is JsonMode.SCHEMA:
        named = {"name": "reply", "strict": True, "schema": dict(request.json_schema)}
        asked["response_format"] = {"type": "json_schema", "json_schema": named}
    elif request.json_schema is not None and features.json_mode is JsonMode.OBJECT:
        asked["response_format"] = {"type": "json_object"}
    return asked


def _messages(features: Features, messages: Sequence[Message]) -> list[dict[str, str]]:
    if features.system_role:
        return [{"role": message.role, "content": message.content} for message in messages]
    system = [message.content for message in messages if message.role == "system"]
    others = [message for message in messages if message.role != "system"]
    first = "\n\n".join([*system, others[0].content])
    rest = [{"role": message.role, "content": message.content} for message in others[1:]]
    return [{"role": "user", "content": first}, *rest]
