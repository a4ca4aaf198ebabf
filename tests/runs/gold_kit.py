"""A small shop, a gold set over it, and what agents said: what the tests of gold runs share."""

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import yaml

SHOP = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), total REAL, placed DATE);
INSERT INTO customer VALUES (1, 'Ada', 'Oslo'), (2, 'Bo', 'Oslo'), (3, 'Cy', 'Rome'), (4, 'Di', NULL);
INSERT INTO orders VALUES (1, 1, 10, '2024-01-01'), (2, 1, 20.5, '2024-02-01'), (3, 2, 30, '2024-02-01'),
    (4, 3, 30, '2024-03-01');
"""

CASES: list[dict[str, Any]] = [
    {
        "id": "count",
        "question": "How many customers are there?",
        "paraphrases": ["Number of customers?"],
        "gold_sql": "SELECT COUNT(*) FROM customer",
        "category": "aggregate",
        "difficulty": "easy",
        "fast": True,
    },
    {
        "id": "oslo",
        "question": "Who lives in Oslo?",
        "gold_sql": "SELECT id, name FROM customer WHERE city = 'Oslo'",
        "compare_on": "id_set:id",
        "category": "filter",
        "difficulty": "easy",
    },
    {
        "id": "best",
        "question": "Which order is the largest?",
        "gold_sql": "SELECT id FROM orders ORDER BY total DESC LIMIT 1",
        "category": "top_k",
        "difficulty": "hard",
    },
    {
        "id": "per-city",
        "question": "How many customers are in each city?",
        "gold_sql": "SELECT city, COUNT(*) AS n FROM customer GROUP BY city",
        "category": "aggregate",
    },
    {"id": "nobody", "question": "Who lives in Paris?", "gold_sql": "SELECT name FROM customer WHERE city = 'Paris'"},
    {"id": "broken", "question": "How old are they?", "gold_sql": "SELECT age FROM customer"},
    {"id": "salary", "question": "What do they earn?", "kind": "unanswerable"},
]


def shop(path: Path) -> Path:
    """The database."""
    with sqlite3.connect(path) as connection:
        connection.executescript(SHOP)
    connection.close()
    return path


def cases(path: Path, entries: Iterable[dict[str, Any]] = CASES) -> Path:
    """A file of cases."""
    path.write_text(yaml.safe_dump(list(entries), sort_keys=False), encoding="utf-8")
    return path


def said(case: str, sql: str | None, agent: str = "good", **more: Any) -> dict[str, Any]:
    """A line of a log of answers."""
    question = next(entry["question"] for entry in CASES if entry["id"] == case)
    line = {"id": f"{agent}-{case}", "case_id": case, "question": question, "sql": sql, "agent": agent, **more}
    return {name: value for name, value in line.items() if value is not None}


TURNS = [
    said("count", "SELECT COUNT(id) AS customers FROM customer"),
    said("oslo", "SELECT name, id FROM customer WHERE city = 'Oslo'"),
    said("best", "SELECT id FROM orders WHERE total = (SELECT MAX(total) FROM orders) ORDER BY id DESC LIMIT 1"),
    said("per-city", "SELECT COUNT(*), city FROM customer GROUP BY 2"),
    said("nobody", "SELECT name FROM customer WHERE city = 'Paris'"),
    said("broken", "SELECT age FROM customer"),
    said("salary", None, answer="I cannot answer that: there is no data on salaries."),
    said("count", "SELECT COUNT(*) FROM orders", "bad"),
    said("oslo", "SELECT id FROM customer", "bad"),
    said("best", "SELECT id FROM order", "bad"),
    said("per-city", "SELECT city, COUNT(city) FROM customer GROUP BY city", "bad"),
    said("salary", "SELECT AVG(total) FROM orders", "bad"),
]


def log(path: Path, turns: Iterable[dict[str, Any]] = TURNS) -> Path:
    """A log of answers."""
    path.write_text("".join(json.dumps(turn) + "\n" for turn in turns), encoding="utf-8")
    return path


def rows_of(run: Path) -> list[dict[str, Any]]:
    """All rows of a gold RUN, in order."""
    return [row for part in sorted((run / "results").glob("*.parquet")) for row in pq.read_table(part).to_pylist()]
