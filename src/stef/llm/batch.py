"""Replies that were brought in a file: what a provider's batch wrote, or another carried by hand."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from stef.errors import InputError, JudgeReplyError, JudgeUnavailableError
from stef.llm.body import Body, read_body
from stef.llm.client import Call, ChatRequest, Completion
from stef.llm.cost import Price, cost_of
from stef.llm.faults import ServerFault
from stef.records.judgement import Usage

URL: Final = "/v1/chat/completions"
_MOST_FAULTS: Final = 20


@dataclass(frozen=True, slots=True)
class Reply:
    """One line of replies: the body of a chat completion, or why there is none."""

    body: Any = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Replies:
    """The replies of one file, by `custom_id`; several of one id are all kept.

    `faults` are lines that hold no reply, as `line 7: why` (the first of them), `faulty` how many there are.
    """

    path: Path
    by_id: Mapping[str, tuple[Reply, ...]]
    faults: tuple[str, ...] = ()
    faulty: int = 0


@dataclass(slots=True)
class _Reading:
    by_id: dict[str, tuple[Reply, ...]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    faulty: int = 0

    def fault(self, number: int, why: str) -> None:
        self.faulty += 1
        if len(self.faults) < _MOST_FAULTS:
            self.faults.append(f"line {number}: {why}")


def batch_line(key: str, model: str, asked: Mapping[str, Any]) -> str:
    """A request in OpenAI's batch format, one line of JSON."""
    line = {"custom_id": key, "method": "POST", "url": URL, "body": {"model": model, **asked}}
    return json.dumps(line, ensure_ascii=False)


def read_replies(path: Path) -> Replies:
    """The replies in `path`: lines of a batch's output or of its errors, or `{"custom_id": …, "content": …}`.

    Raises InputError where the file cannot be read, or holds no reply at all.
    """
    reading = _Reading()
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            key, reply = _reply(json.loads(line))
        except (ValueError, RecursionError) as error:
            reading.fault(number, str(error) if isinstance(error, _NoReplyError) else "no JSON")
            continue
        known = reading.by_id.get(key, ())
        if reply not in known:
            reading.by_id[key] = (*known, reply)
    if not reading.by_id:
        first = f"; {reading.faults[0]}" if reading.faults else ""
        raise InputError(f"{path}: the file holds no reply{first}")
    return Replies(path, reading.by_id, tuple(reading.faults), reading.faulty)


class BatchClient:
    """Answers each question with the reply that the file holds under the question's key, and asks nobody."""

    def __init__(
        self,
        model: str,
        replies: Replies,
        price: Price | None = None,
        on_call: Callable[[Call], None] | None = None,
    ) -> None:
        self.model = model
        self.used: set[str] = set()
        self._replies = replies
        self._price = price
        self._on_call = on_call

    async def complete(self, request: ChatRequest) -> Completion:
        """The reply in the file.

        Raises JudgeUnavailableError where there is none, and JudgeReplyError where there are several.
        """
        if request.key is None:
            raise ValueError("a question without a key has no reply in a file")
        body = self._body(request.key)
        usage = body.usage
        if usage.input_tokens or usage.output_tokens:
            cost = cost_of("", usage.input_tokens, usage.output_tokens, self._price)
            usage = Usage(usage.input_tokens, usage.output_tokens, cost)
        if request.key not in self.used:
            self.used.add(request.key)
            if self._on_call is not None:
                self._on_call(Call(self.model, None, 1, usage))
        return Completion(body.text, usage, self.model, None, 1, body.finish_reason, body.refusal, body.tokens)

    async def close(self) -> None:
        """Nothing to let go of."""

    def _body(self, key: str) -> Body:
        name = self._replies.path.name
        found = self._replies.by_id.get(key, ())
        # A batch that was sent twice may bring an error and a reply.
        answered = [reply for reply in found if reply.error is None] or list(found)
        if not answered:
            raise JudgeUnavailableError(f"{self.model}: {name} holds no reply for this turn (custom_id {key[:12]}…)")
        if len(answered) > 1:
            texts = [_text(reply) for reply in answered]
            raise JudgeReplyError(
                f"{self.model}: {name} holds {len(answered)} different replies for this turn", texts[0]
            )
        if answered[0].error is not None:
            raise JudgeUnavailableError(f"{self.model}: the batch brought no reply for this turn: {answered[0].error}")
        try:
            return read_body(answered[0].body)
        except ServerFault as fault:
            raise JudgeUnavailableError(f"{self.model}: the batch brought no reply for this turn: {fault}") from fault


class _NoReplyError(ValueError):
    """Why a line holds no reply."""


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            yield from file
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error


def _reply(line: object) -> tuple[str, Reply]:
    if not isinstance(line, Mapping):
        raise _NoReplyError("no JSON object")
    key = line.get("custom_id")
    if not isinstance(key, str) or not key:
        raise _NoReplyError("no custom_id")
    if "content" in line:
        message = {"role": "assistant", "content": line["content"]}
        return key, Reply({"choices": [{"message": message, "finish_reason": line.get("finish_reason")}]})
    error, response = line.get("error"), line.get("response")
    if error:
        return key, Reply(error=_error(error))
    if not isinstance(response, Mapping):
        raise _NoReplyError("neither a response nor an error nor a content")
    status, body = response.get("status_code"), response.get("body")
    if isinstance(status, int) and status >= 400:
        said = body.get("error") if isinstance(body, Mapping) else body
        return key, Reply(error=f"HTTP {status}: {_error(said)}")
    return key, Reply(body)


def _error(error: object) -> str:
    if isinstance(error, Mapping):
        return " ".join(str(error[name])[:300] for name in ("code", "message") if error.get(name)) or "no reason given"
    return str(error)[:300]


def _text(reply: Reply) -> str:
    try:
        return read_body(reply.body).text
    except ServerFault:
        return ""
