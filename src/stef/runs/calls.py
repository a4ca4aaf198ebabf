"""`calls.jsonl`: one line for every model call of a run."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from statistics import fmean
from typing import Any, TextIO

from stef.llm.budget import Budget
from stef.llm.client import Call
from stef.llm.replies import ReplyStore

CALLS, REPLIES = "calls.jsonl", "replies.jsonl"

current_row: ContextVar[int | None] = ContextVar("current_row", default=None)
"""The row of the turn that the running task judges."""


class CallLog:
    """Takes calls as they end (`add` is a judge's `on_call`) and appends them to a run's file while it is open.

    `budget`: what the calls of a run may cost together. `replies` keeps what was answered until the run is complete.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget
        self.replies = ReplyStore()
        self._file: TextIO | None = None

    @contextmanager
    def writing_to(self, folder: Path) -> Iterator[None]:
        """Append to the files of the RUN `folder` inside this context. `calls.jsonl` appears with the first call.

        What earlier calls of the run cost counts towards the budget.
        """
        self._path = folder / CALLS
        if self.budget is not None:
            self.budget.spent = (total_calls(self._path) or {}).get("cost") or 0.0
        try:
            with self.replies.keeping_in(folder / REPLIES):
                yield
        finally:
            if self._file is not None:
                self._file.close()
                self._file = None

    def add(self, call: Call) -> None:
        """Write one call down, with the row it was made for."""
        if self._file is None:
            self._file = self._path.open("a", encoding="utf-8")
        line = {
            "row": current_row.get(),
            "model": call.model,
            "latency_s": None if call.latency_s is None else round(call.latency_s, 4),
            "attempts": call.attempts,
            "input_tokens": call.usage.input_tokens,
            "output_tokens": call.usage.output_tokens,
            "cost": call.usage.cost,
            "error": call.error,
        }
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()


def total_calls(path: Path) -> dict[str, Any] | None:
    """What all calls of a run took together; None without any.

    `cost` is None where no call's cost is known; `latency_s` holds the mean and the longest call in seconds, None where
    nobody waited.
    """
    if not path.exists():
        return None
    total: dict[str, Any] = {
        "calls": 0,
        "failed": 0,
        "attempts": 0,
        "input_tokens": 0,
        "output_tokens": 0,
        "cost": None,
    }
    waits: list[float] = []
    with path.open(encoding="utf-8") as file:
        for text in file:
            try:
                line = json.loads(text)
            except ValueError:
                continue  # A kill in the middle of a line.
            total["calls"] += 1
            total["failed"] += line.get("error") is not None
            for name in ("attempts", "input_tokens", "output_tokens"):
                total[name] += line.get(name) or 0
            if line.get("cost") is not None:
                total["cost"] = (total["cost"] or 0.0) + line["cost"]
            if line.get("latency_s") is not None:
                waits.append(line["latency_s"])
    total["latency_s"] = {"mean": round(fmean(waits), 4), "longest": max(waits)} if waits else None
    return total
