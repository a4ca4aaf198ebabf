"""Alignments of whole turns, from `cases.yaml`."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from stef import AppRules, Evaluator, Turn
from stef.records.alignment import Alignment

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "cases.yaml").read_text("utf-8"))


def aligned(case: dict[str, Any]) -> Alignment:
    rules = AppRules.model_validate(case["rules"]) if "rules" in case else None
    turn = Turn(
        question=case["question"],
        enriched_question=case.get("enriched"),
        sql=case["sql"],
        dialect=case.get("dialect"),
        timestamp=case.get("timestamp"),
    )
    assessment = Evaluator(rules).assess_sync(turn)
    assert assessment.alignment is not None, assessment.outcome
    return assessment.alignment


def check_texts(found: list[str], wanted: list[str]) -> None:
    for part in wanted:
        assert any(part.casefold() in text.casefold() for text in found), f"{part!r} is not among {found}"
    if not wanted:
        assert found == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_alignment(case: dict[str, Any]) -> None:
    """Each turn aligns as its case says."""
    alignment = aligned(case)
    filters = alignment.filters
    if "class" in case:
        assert filters.alignment.value == case["class"], filters
    for part, state in case.get("required", {}).items():
        states = {one.state.value for one in filters.required if part.casefold() in one.text.casefold()}
        assert state in states, filters.required
    if "extras" in case:
        check_texts([extra.text for extra in filters.extras], case["extras"])
    if "benign" in case:
        check_texts([extra.text for extra in filters.extras if extra.benign], case["benign"])
    for dimension in alignment.dimensions:
        name = dimension.dimension.value
        for side in ("missing", "extra"):
            if name in case.get(side, {}):
                check_texts([one.text for one in getattr(dimension, side)], case[side][name])
        if name in case.get("excused", {}):
            check_texts([one.rule for one in dimension.excused], case["excused"][name])
