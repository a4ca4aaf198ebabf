"""BIRD's `dev.json` and mini-dev, and the same golds after people reviewed them."""

from collections.abc import Mapping
from typing import Any

from stef.gold.cases.formats.base import Draft, Format

_NAMES = {"id": ("question_id",), "database": ("db_id",), "hint": ("evidence",)}


def _verdict(draft: Draft, held: Mapping[str, Any]) -> None:
    verdict = held.get("verdict")
    if isinstance(verdict, str):
        draft.put("tags", [verdict], "verdict")


BIRD = Format(
    name="bird",
    about="question_id, db_id, question, evidence, SQL, difficulty",
    marks=(frozenset({"question", "SQL"}),),
    names=_NAMES,
    gold=("SQL",),
)

REVIEWED = Format(
    name="bird-reviewed",
    about="sql, verdict, corrected_sql: the golds as they were before the review, the verdict as a tag",
    marks=(frozenset({"sql", "verdict", "corrected_sql"}),),
    names={**_NAMES, "id": ("id", "question_id"), "notes": ("note",)},
    gold=("sql",),
    adapt=_verdict,
)


def _mended(draft: Draft, held: Mapping[str, Any]) -> None:
    _verdict(draft, held)
    if isinstance(held.get("corrected_sql"), str):
        draft.put("gold_sql", [held["corrected_sql"]], "corrected_sql")


MENDED = Format(
    name="bird-mended",
    about="the same with the mended question, evidence and SQL in place of the first",
    names={
        **REVIEWED.names,
        "question": ("corrected_question",),
        "hint": ("corrected_evidence", "evidence"),
    },
    gold=("sql",),
    adapt=_mended,
)
