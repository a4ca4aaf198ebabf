"""`calls.jsonl`: one line for every model call of a run."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TextIO

from stef.llm.client import Call

current_row: ContextVar[int | None] = ContextVar("current_row", default=None)
"""The row of the turn that the running task judges."""


class CallLog:
    """Takes calls as they end (`add` is a judge's `on_call`) and appends them to a run's file while it is open."""

    def __init__(self) -> None:
        self._file: TextIO | None = None

    @contextmanager
    def writing_to(self, path: Path) -> Iterator[None]:
        """Append to `path` inside this context. The file appears with the first call."""
        self._path = path
        try:
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
            "latency_s": round(call.latency_s, 4),
            "attempts": call.attempts,
            "input_tokens": call.usage.input_tokens,
            "output_tokens": call.usage.output_tokens,
            "cost": call.usage.cost,
            "error": call.error,
        }
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()


def total_calls(path: Path) -> dict[str, Any] | None:
    """What all calls of a run took together; None without any. `cost` is None where no call's cost is known."""
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
    return total
