"""Asking a model for a small JSON object: the reply is validated, and what is wrong with it is said once."""

import json
import re
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from stef.errors import JudgeReplyError
from stef.llm.client import ChatRequest, Client, Completion, Forgetting, Message

_ASKS: Final = 2
_THINKING: Final = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


class Reply(BaseModel):
    """Base of what models are asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


T = TypeVar("T", bound=Reply)


@dataclass(slots=True)
class Tally:
    """What was asked so far: calls, and their US dollars, None as soon as one's are not known."""

    calls: int = 0
    cost: float | None = 0.0

    def add(self, cost: float | None) -> None:
        """Count one call in."""
        self.calls += 1
        self.cost = None if cost is None or self.cost is None else self.cost + cost


async def ask(client: Client, request: ChatRequest, form: type[T], tally: Tally) -> T:
    """The reply as `form`; asked once more where it is not what was asked for.

    Raises JudgeReplyError where it is not even then, and what the client raises.
    """
    asked = request
    for attempt in range(1, _ASKS + 1):
        completion = await client.complete(asked)
        tally.add(completion.usage.cost)
        try:
            return _read(completion, form)
        except JudgeReplyError as error:
            if isinstance(client, Forgetting):
                # It is not kept: whoever goes on with the run asks anew.
                client.forget(asked)
            if attempt == _ASKS:
                raise JudgeReplyError(f"{client.model}: {error}", error.reply) from error
            said = (Message("assistant", error.reply),) if error.reply.strip() else ()
            again = Message("user", f"That cannot be read: {error}. Reply again, with the JSON object only.")
            asked = replace(request, messages=(*request.messages, *said, again))
    raise AssertionError("unreachable")


def _read(completion: Completion, form: type[T]) -> T:
    if completion.refusal and not completion.text:
        raise JudgeReplyError(f"the model refused: {completion.refusal[:200]}", completion.refusal)
    if completion.finish_reason == "length":
        raise JudgeReplyError("the reply was cut off at its greatest length", completion.text)
    said = _THINKING.sub("", completion.text)
    at = said.find("{")
    try:
        if at < 0:
            raise ValueError("it holds no JSON object")
        found, _ = json.JSONDecoder(strict=False).raw_decode(said, at)
        return form.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise JudgeReplyError(f"{place}: {first['msg']}", completion.text) from error
    except (ValueError, RecursionError) as error:
        raise JudgeReplyError(f"it is no JSON: {error}", completion.text) from error
