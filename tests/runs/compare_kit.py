"""RUN folders written row by row, for tests of comparisons: what stef score and stef gold run would have written."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from stef.runs.folder import COMPLETE, RunFolder
from stef.runs.gold.folder import GoldFolder
from stef.runs.run import Run, open_any_run

EVALUATION: dict[str, Any] = {
    "judge": "symbolic",
    "prompts_hash": None,
    "judge_settings": {"model": "2"},
    "reader": "rules",
    "reader_prompts_hash": None,
    "rules": {"default": "abc"},
    "dialect": None,
    "calibration": None,
    "stef_version": "0.1.0",
}


def told(question: str, score: float | None, reason: str | None = None, **more: Any) -> dict[str, Any]:
    """A row of a scored RUN: a score, or the reason why there is none."""
    kind = {None: None, "unparsable": "agent", "declined": "behaviour"}.get(reason, "stef")
    row = {
        "question": question,
        "agent": "bot",
        "sql": f"SELECT {score}",
        "score": score,
        "p_correct": None if score is None else score / 100,
        "verdict": None if score is None else "correct" if score >= 50 else "incorrect",
        "filter_alignment": None if score is None else "fully_applied",
        "findings": None if score is None else [],
        "status": "unscored" if score is None else "scored",
        "unscored_reason": reason,
        "unscored_kind": kind,
    }
    return {**row, **more}


def scored_run(
    path: Path, rows: Iterable[Mapping[str, Any]], state: str = COMPLETE, bad_lines: int = 0, **evaluation: Any
) -> Run:
    """A RUN of these rows; `evaluation` are settings that differ from the usual ones."""
    folder = RunFolder(path, {"inputs": [], "evaluation": {**EVALUATION, **evaluation}})
    folder.make()
    folder.write_part(0, [{"row": row, "id": f"{path.name}-{row}", **fields} for row, fields in enumerate(rows)])
    folder.save(state, {"counts": {"turns": 0, "bad_lines": bad_lines}})
    return open_any_run(path)


def decided(case: str, correct: bool | None, **more: Any) -> dict[str, Any]:
    """A row of a gold RUN."""
    row = {
        "case_id": case,
        "question": f"What of {case}?",
        "phrasing": 0,
        "agent": "bot",
        "kind": "answerable",
        "outcome": "answered",
        "correct": correct,
        "executable": True,
        "held_out": False,
        "ceilings": [],
        "gold_fingerprints": [f"print of {case}"],
        "sql": f"SELECT {correct}",
    }
    return {**row, **more}


def gold_run(
    path: Path, rows: Iterable[Mapping[str, Any]], about: Mapping[str, Any] | None = None, **settings: Any
) -> Run:
    """A gold RUN of these rows."""
    folder = GoldFolder(
        path,
        {"kind": "gold", "rules": {"default": "abc"}, "database": "sqlite:///x", "stef_version": "0.1.0", **settings},
    )
    folder.make()
    folder.write_part(0, [{"row": row, "id": f"{path.name}-{row}", **fields} for row, fields in enumerate(rows)])
    folder.save(COMPLETE, dict(about or {}))
    return open_any_run(path)
