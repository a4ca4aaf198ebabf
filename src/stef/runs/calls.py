"""`calls.jsonl`: one line for every model call of a run."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TextIO

from stef.llm.budget import Budget
from stef.llm.client import Call
from stef.llm.gate import Gate
from stef.llm.replies import Keeper, ReplyStore
from stef.runs.store import REPLIES as OF_REPLIES
from stef.runs.store import Store

CALLS, REPLIES = "calls.jsonl", "kept.sqlite"

current_row: ContextVar[int | None] = ContextVar("current_row", default=None)
"""The row of the turn that the running task judges."""


class CallLog:
    """Takes calls as they end (`add` is a judge's `on_call`) and appends them to a run's file while it is open.

    `budget`: what the calls of a run may cost together. `gate`: what all of them go through, one after the other.
    `replies` keeps what was answered. `cost` and `made` count what this start of the run has spent.
    """

    def __init__(self, budget: Budget | None = None, gate: Gate | None = None) -> None:
        self.budget = budget
        self.gate = gate
        self.replies = ReplyStore()
        self.made = 0
        self.hits = 0
        self.cost = 0.0
        self._file: TextIO | None = None

    @contextmanager
    def writing_to(self, folder: Path, keeper: Keeper | None = None) -> Iterator[None]:
        """Append to `calls.jsonl` of the RUN `folder` inside this context; it appears with the first call.

        Replies are kept in `keeper`; without one, in a file REPLIES of the folder, which its owner may remove when the
        run is complete. What earlier calls of the run cost counts towards the budget.
        """
        self._path = folder / CALLS
        if self.budget is not None:
            self.budget.spent = (total_calls(self._path) or {}).get("cost") or 0.0
        try:
            with ExitStack() as stack:
                if keeper is None:
                    store = stack.enter_context(Store(folder / REPLIES))
                    keeper = store.table(OF_REPLIES)
                stack.enter_context(self.replies.keeping_in(keeper))
                yield
        finally:
            if self._file is not None:
                self._file.close()
                self._file = None

    def add(self, call: Call) -> None:
        """Write one call down, with the row it was made for."""
        self.made += 1
        self.cost += call.usage.cost or 0.0
        self.write(
            {
                "row": current_row.get(),
                "model": call.model,
                "latency_s": None if call.latency_s is None else round(call.latency_s, 4),
                "attempts": call.attempts,
                "input_tokens": call.usage.input_tokens,
                "output_tokens": call.usage.output_tokens,
                "cost": call.usage.cost,
                "error": call.error,
            }
        )

    def hit(self, row: int) -> None:
        """Write down that a row needed no call: its judgement was kept."""
        self.hits += 1
        self.write({"row": row, "kept": True})

    def write(self, line: dict[str, Any]) -> None:
        """Write one line down."""
        if self._file is None:
            self._file = self._path.open("a+", encoding="utf-8")
            _end_line(self._path, self._file)
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()


def _end_line(path: Path, file: TextIO) -> None:
    """A line that a kill cut must not swallow the next one."""
    with path.open("rb") as written:
        if written.seek(0, 2) and (written.seek(-1, 2), written.read(1))[1] != b"\n":
            file.write("\n")


def total_calls(path: Path) -> dict[str, Any] | None:
    """What all calls of a run took together; None without any.

    `kept` counts judgements that were taken from the store instead. `cost` is None where no call's cost is known;
    `latency_s` holds the mean and the longest call in seconds, None where nobody waited.
    """
    if not path.exists():
        return None
    total: dict[str, Any] = {
        "calls": 0,
        "kept": 0,
        "failed": 0,
        "attempts": 0,
        "input_tokens": 0,
        "output_tokens": 0,
        "cost": None,
    }
    waited, longest, times = 0.0, 0.0, 0
    with path.open(encoding="utf-8") as file:
        for text in file:
            try:
                line = json.loads(text)
            except ValueError:
                continue  # A kill in the middle of a line.
            if line.get("kept"):
                total["kept"] += 1
                continue
            total["calls"] += 1
            total["failed"] += line.get("error") is not None
            for name in ("attempts", "input_tokens", "output_tokens"):
                total[name] += line.get(name) or 0
            if line.get("cost") is not None:
                total["cost"] = (total["cost"] or 0.0) + line["cost"]
            if line.get("latency_s") is not None:
                waited, times = waited + line["latency_s"], times + 1
                longest = max(longest, line["latency_s"])
    total["latency_s"] = {"mean": round(waited / times, 4), "longest": longest} if times else None
    return total
