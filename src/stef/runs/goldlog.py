"""A gold run read as a log: its turns, each with the case it answers and what the golds say of it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

CASE, CORRECT = "case_id", "gold_correct"
"""Where a turn's metadata holds its case, and whether it is right by the golds (absent: undefined)."""

_TELLING = frozenset({"case_id", "gold_index", "gold_fingerprints", "record"})


def is_gold(names: Iterable[str]) -> bool:
    """Whether a Parquet file with these columns is a part of a gold run."""
    return set(names) >= _TELLING


def turn_of_gold(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the turn in one row of a gold run. Raises ValueError where the row holds no record."""
    turn: dict[str, Any] = json.loads(row["record"])["reply"]["turn"]
    given = {name: value for name, value in turn.items() if value not in (None, [])}
    known = {CASE: row["case_id"], **({} if row["correct"] is None else {CORRECT: row["correct"]})}
    return {
        **given,
        "id": row["id"],
        "agent": given.get("agent") or row["agent"],
        "database": given.get("database") or row["database"],
        "dialect": given.get("dialect") or row["dialect"],
        "metadata": {**given.get("metadata", {}), **known},
    }


def gold_columns(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """The columns of a scored turn that say what the golds say of it; none for a turn of another log."""
    held = metadata or {}
    correct, case = held.get(CORRECT), held.get(CASE)
    return {
        CASE: case if isinstance(case, str) else None,
        CORRECT: correct if isinstance(correct, bool) else None,
    }
