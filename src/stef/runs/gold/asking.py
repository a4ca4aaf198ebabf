"""Putting the questions to agents and retriever, several at once, and keeping each answer until its part is written."""

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TextIO

from stef.agents import Retriever
from stef.agents.replay import ReplayAgent
from stef.records.asking import AgentReply, AgentRequest, Retrieved
from stef.runs.gold.folder import CALLS, REPLIES
from stef.runs.gold.plan import Item

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class Told:
    """What came back for one item. `retrieved` is None without a retriever."""

    reply: AgentReply
    retrieved: Retrieved | None
    hidden: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """A line of the file of replies."""

    row: int
    reply: AgentReply
    retrieved: Retrieved | None


class Asking:
    """Asks, within a time for each question, `concurrency` at once.

    `hide`: by case, the ids that nobody may use while it runs. What a living agent replies is written down at once, so
    that going on after a kill does not ask, and pay, again.
    """

    def __init__(
        self,
        folder: Path,
        retriever: Retriever | None,
        hide: Mapping[str, tuple[str, ...]],
        timeout: float,
        concurrency: int,
    ) -> None:
        self._folder = folder
        self._retriever = retriever
        self._hide = hide
        self._timeout = timeout
        self._pool = ThreadPoolExecutor(concurrency, thread_name_prefix="stef-ask")
        self._kept = dict(_read_kept(folder / REPLIES))
        self._journal = _Journal(folder)

    def close(self) -> None:
        """Ask nothing more; what is in flight is waited for."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._journal.close()

    def replies(self, items: Sequence[Item]) -> Iterator[tuple[Item, Told]]:
        """What comes back for each item, in their order; all of `items` are asked at once."""
        retrievals = self._retrievals(items)
        asked = [(item, self._ask(item, retrievals.get((item.case.id, item.phrasing)))) for item in items]
        for item, told in asked:
            yield item, told if isinstance(told, Told) else told.result()

    def _retrievals(self, items: Sequence[Item]) -> "Mapping[tuple[str, int], Future[Retrieved]]":
        retriever, found = self._retriever, {}
        if retriever is None:
            return {}
        for item in items:
            key = (item.case.id, item.phrasing)
            if key not in found and item.row not in self._kept:
                found[key] = self._pool.submit(retriever.retrieve, self._request(item))
        return found

    def _request(self, item: Item) -> AgentRequest:
        return item.request(self._hide[item.case.id], self._timeout)

    def _ask(self, item: Item, retrieval: "Future[Retrieved] | None") -> "Told | Future[Told]":
        request, kept = self._request(item), self._kept.get(item.row)
        if kept is not None:
            return Told(kept.reply, kept.retrieved, request.hide)
        if isinstance(item.agent, ReplayAgent) and retrieval is None:
            return Told(item.agent.ask(request), None, request.hide)
        return self._pool.submit(self._asked, item, request, retrieval)

    def _asked(self, item: Item, request: AgentRequest, retrieval: "Future[Retrieved] | None") -> Told:
        reply = item.agent.ask(request)
        # The pool is first in, first out, and retrievals went in first: nobody waits for what cannot come.
        retrieved = None if retrieval is None else retrieval.result()
        if not isinstance(item.agent, ReplayAgent):
            self._journal.keep(item, _Kept(item.row, reply, retrieved))
        return Told(reply, retrieved, request.hide)


class _Journal:
    """`replies.jsonl`, whole replies until the run is complete, and `calls.jsonl`, a line on each call for good."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, TextIO] = {}
        self._lock = Lock()

    def keep(self, item: Item, kept: _Kept) -> None:
        call = {
            "row": item.row,
            "case_id": item.case.id,
            "agent": item.agent.name,
            "latency_s": kept.reply.seconds,
            "retrieval_s": kept.retrieved and kept.retrieved.seconds,
            "error": kept.reply.fault,
        }
        with self._lock:
            self._write(REPLIES, _adapter().dump_json(kept).decode())
            self._write(CALLS, json.dumps(call, ensure_ascii=False))

    def _write(self, name: str, line: str) -> None:
        if name not in self._files:
            # A line that a kill cut short must not swallow the next one.
            end = "\n" if (self._folder / name).exists() else ""
            self._files[name] = (self._folder / name).open("a", encoding="utf-8", errors="replace")
            self._files[name].write(end)
        self._files[name].write(line + "\n")
        self._files[name].flush()

    def close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()


def _read_kept(path: Path) -> Iterator[tuple[int, _Kept]]:
    if not path.exists():
        return
    with path.open(encoding="utf-8") as file:
        for line in filter(str.strip, file):
            try:
                kept = _adapter().validate_json(line)
            except ValueError:
                continue  # A kill in the middle of a line.
            yield kept.row, kept


@lru_cache(maxsize=1)
def _adapter() -> "TypeAdapter[_Kept]":
    from pydantic import TypeAdapter  # noqa: PLC0415  heavy

    return TypeAdapter(_Kept)
