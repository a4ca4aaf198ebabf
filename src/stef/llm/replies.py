"""Replies of a run that is not finished: what was paid for is not asked again."""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from stef.llm.client import ChatRequest, Completion, Token
from stef.records.judgement import Usage


@dataclass(slots=True)
class _Asking:
    """A question on its way, and how many wait for its reply."""

    task: asyncio.Task[Completion]
    waiting: int = 0


class ReplyStore:
    """Keeps every reply in a file while that is open; the same question is asked once, also while it is on its way.

    A question is known by its model and by all that is asked. Where no file is open, every question is asked.
    """

    def __init__(self) -> None:
        self._path: Path | None = None
        self._file: BinaryIO | None = None
        self._places: dict[bytes, int] = {}
        self._asking: dict[bytes, _Asking] = {}

    @contextmanager
    def keeping_in(self, path: Path) -> Iterator[None]:
        """Read what `path` holds, and append to it inside this context; it appears with the first reply.

        A line that was cut by a kill is passed over.
        """
        self._path = path
        try:
            if path.exists():
                self._places = dict(_places(self._opened()))
            yield
        finally:
            self._path = None
            self._places = {}
            if self._file is not None:
                self._file.close()
                self._file = None

    async def get(self, model: str, request: ChatRequest, ask: Callable[[], Awaitable[Completion]]) -> Completion:
        """The reply of `model` to `request`: kept, or as `ask` brings it. Raises what `ask` raises."""
        if self._path is None:
            return await ask()
        key = _key(model, request)
        if key in self._places:
            return self._read(self._places[key])
        asking = self._asking.get(key)
        if asking is None:
            asking = self._asking[key] = _Asking(asyncio.ensure_future(self._asked(key, ask)))
            asking.task.add_done_callback(lambda _: self._asking.pop(key, None))
        asking.waiting += 1
        try:
            # Who waits may be cancelled; the others who wait for the same reply are not.
            return await asyncio.shield(asking.task)
        except asyncio.CancelledError:
            if asking.waiting == 1:
                asking.task.cancel()
                await asyncio.gather(asking.task, return_exceptions=True)
            raise
        finally:
            asking.waiting -= 1

    async def _asked(self, key: bytes, ask: Callable[[], Awaitable[Completion]]) -> Completion:
        completion = await ask()
        self._keep(key, completion)
        return completion

    def _keep(self, key: bytes, completion: Completion) -> None:
        if self._path is None:
            return
        file = self._opened()
        file.seek(0, 2)
        self._places[key] = file.tell()
        line = {"key": key.hex(), **_to_dict(completion)}
        file.write(json.dumps(line, ensure_ascii=True).encode() + b"\n")
        file.flush()

    def _read(self, place: int) -> Completion:
        file = self._opened()
        file.seek(place)
        return _from_dict(json.loads(file.readline()))

    def _opened(self) -> BinaryIO:
        if self._file is None:
            if self._path is None:
                raise RuntimeError("the store is closed")
            self._file = self._path.open("a+b")
        return self._file


def _places(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    file.seek(0)
    place, line = 0, b"\n"
    for line in file:
        try:
            values = json.loads(line)
            _from_dict(values)
            yield bytes.fromhex(values["key"]), place
        except (ValueError, KeyError, TypeError, AttributeError):
            pass
        place += len(line)
    if not line.endswith(b"\n"):
        file.write(b"\n")


def _key(model: str, request: ChatRequest) -> bytes:
    asked = json.dumps([model, asdict(request)], sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(asked.encode()).digest()


def _to_dict(completion: Completion) -> dict[str, Any]:
    tokens = completion.tokens and [
        [token.text.hex(), [[text.hex(), logprob] for text, logprob in token.choices]] for token in completion.tokens
    ]
    return {**asdict(completion), "tokens": tokens}


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
