"""What of a request a judge's prompt carries: plain data, in a fixed order."""

import dataclasses
import hashlib
import json
from typing import Any

from stef.judge.options import Sees
from stef.records.alignment import Alignment, DimensionAligned, FiltersAligned
from stef.records.request import JudgeRequest

KEY_VERSION = "stef-judge-2"


def prompt_values(request: JudgeRequest, sees: Sees = Sees.ALL) -> dict[str, Any]:
    """The values of the prompt `judge.md.jinja`: strings, and lists and dicts of strings; no spans, no readings.

    What a judge does not see is empty here, so that no template can show it.
    """
    values = {
        "question": request.question,
        "enriched_question": request.enriched_question,
        "history": list(request.history),
        "sql": request.sql,
        "dialect": request.dialect,
        "asked": list(request.asked),
        "done": list(request.done),
        "alignment": _alignment(request.alignment),
        "enrichment": dataclasses.asdict(request.enrichment),
        "findings": [
            {"code": finding.code, "title": finding.title, "detail": finding.detail} for finding in request.findings
        ],
        "app_notes": list(request.app_notes),
        "tolerated": list(request.tolerated),
        "sees": sees.value,
    }
    if sees is not Sees.ALL:
        values.update(_unseen())
    if sees is Sees.QUERY:
        values.update({"asked": [], "done": []})
    return values


def request_key(request: JudgeRequest, judge_name: str, prompts_hash: str | None, sees: Sees = Sees.ALL) -> str:
    """A content address of a judgement: sha256 (64 hex digits) of all that the judge sees, and of who judges how."""
    seen = [KEY_VERSION, judge_name, prompts_hash, prompt_values(request, sees)]
    return hashlib.sha256(json.dumps(seen, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def _unseen() -> dict[str, Any]:
    return {
        "alignment": {"filters": {"class": "", "required": [], "extras": []}, "dimensions": []},
        "enrichment": {"verdict": "", "dropped": [], "added": [], "contradicted": [], "resolved": []},
        "findings": [],
    }


def _alignment(alignment: Alignment) -> dict[str, Any]:
    return {
        "filters": _filters(alignment.filters),
        "dimensions": [_dimension(dimension) for dimension in alignment.dimensions],
    }


def _filters(filters: FiltersAligned) -> dict[str, Any]:
    return {
        "class": filters.alignment.value,
        "required": [
            {
                "text": required.text,
                "origin": required.origin.value,
                "state": required.state.value,
                "applied_by": required.applied_by,
                "why": required.why,
                "critical": required.critical,
            }
            for required in filters.required
        ],
        "extras": [{"text": extra.text, "benign_by": extra.benign_by, "why": extra.why} for extra in filters.extras],
    }


def _dimension(aligned: DimensionAligned) -> dict[str, Any]:
    return {
        "name": aligned.dimension.value,
        "matched": [{"asked": match.asked, "done": match.done} for match in aligned.matched],
        "missing": [{"text": item.text, "why": item.why} for item in aligned.missing],
        "extra": [{"text": item.text, "why": item.why} for item in aligned.extra],
        "excused": [{"text": item.text, "rule": item.rule, "why": item.why} for item in aligned.excused],
    }
