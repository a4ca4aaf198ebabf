"""What the tests of the command line share: how it is called, a small log, and a RUN's rows."""

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-c", "from stef.cli.app import main; main()"]


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str


def turn(name: str, version: str, question: str, sql: str | None, **more: Any) -> dict[str, Any]:
    """A record of a log."""
    return {"id": name, "question": question, "sql": sql, "agent": "bot", "agent_version": version, **more}


IN_2023 = "placed_at >= '2023-01-01' AND placed_at < '2024-01-01'"
TURNS: list[dict[str, Any]] = [
    turn("t1", "1", "How many orders were placed in 2023?", f"SELECT COUNT(*) FROM orders WHERE {IN_2023}"),
    turn("t2", "2", "How many orders were placed in 2023?", "SELECT COUNT(*) FROM orders"),
    turn("t3", "1", "List the names of customers in Oslo.", "SELECT name FROM customers WHERE city = 'Oslo' AND a = 1"),
    turn(
        "t4",
        "2",
        "Which product is the most expensive?",
        "SELECT name FROM products ORDER BY price DESC LIMIT 1",
        timestamp="2024-03-05T10:00:00Z",
    ),
    turn("t5", "1", "What is the average price?", "SELECT AVG(price FROM"),
    turn("t6", "2", "What is the average price?", None),
    turn("t7", "1", "Delete all orders", "I cannot help with that."),
]


def write_jsonl(path: Path, records: Iterable[dict[str, Any]] = TURNS) -> Path:
    """Write records, one a line."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def parquet_rows(run: Path, without: Iterable[str] = ()) -> list[dict[str, Any]]:
    """All rows of a RUN in order, without the named columns."""
    import pyarrow.parquet as pq

    left_out = set(without)
    rows = [row for part in sorted((run / "turns").glob("*.parquet")) for row in pq.read_table(part).to_pylist()]
    return [{name: value for name, value in row.items() if name not in left_out} for row in rows]
