"""The columns of `checks/`, and how one verified turn fills them."""

import json
from typing import Any

from stef.runs.columns import NUMBER, TEXT, TEXTS, TIME, WHOLE
from stef.runs.turns import Row
from stef.verify import Verification

COLUMNS: dict[str, str] = {
    "row": WHOLE,
    "id": TEXT,
    "place": TEXT,
    "agent": TEXT,
    "agent_version": TEXT,
    "timestamp": TIME,
    "question": TEXT,
    "sql": TEXT,
    "database": TEXT,
    "outcome": TEXT,
    "p": NUMBER,
    "signs": TEXTS,
    "rungs": TEXTS,
    "reason": TEXT,
    "repair": TEXT,
    "claims": WHOLE,
    "unsupported": TEXTS,
    "seconds": NUMBER,
    "calls": WHOLE,
    "cost": NUMBER,
    "score": NUMBER,
    "verification": TEXT,
}
"""Name and kind of every column. `rungs` says what each rung made of the answer (`execute: neutral`), `score` is Φ,
where the log was a RUN. `claims` and `unsupported` are NULL where the answer's wording was not checked. `verification`
is the whole record as JSON.
"""


def check_columns(row: Row, found: Verification, score: float | None) -> dict[str, Any]:
    """One verified turn."""
    turn, wording = row.turn, found.wording
    checked = wording is not None and wording.checked
    return {
        "row": row.row,
        "id": turn.id,
        "place": row.place,
        "agent": turn.agent,
        "agent_version": turn.agent_version,
        "timestamp": turn.timestamp,
        "question": turn.question,
        "sql": found.sql,
        "database": turn.database,
        "outcome": found.outcome.value,
        "p": found.p,
        "signs": [sign.code for sign in found.signs],
        "rungs": [f"{one.rung.value}: {one.stand.value}" for one in found.rungs],
        "reason": found.reason or None,
        "repair": found.repair.message if found.repair else None,
        "claims": len(wording.claims) if wording is not None and checked else None,
        "unsupported": [claim.text for claim in wording.unsupported] if wording is not None and checked else None,
        "seconds": found.seconds,
        "calls": found.calls,
        "cost": found.cost,
        "score": score,
        "verification": json.dumps(found.to_json(), ensure_ascii=False, default=str),
    }
