"""The documentation of rules and score is true: its JSON is valid, its keys are all there, its figures come out."""

import json
import re

import pytest

from stef.records.alignment import FilterAlignment
from stef.records.judgement import Verdict
from stef.rules import AppRules
from stef.rules.scoring import Scoring
from stef.score import rescore_parts

BLOCK = re.compile(r"```json\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("name", ["rules.md", "score.md"])
def test_json_in_the_docs_is_valid(name, repo):
    """Every block of JSON is a rules file, or a part of one."""
    blocks = BLOCK.findall((repo / "docs" / name).read_text(encoding="utf-8"))
    assert blocks
    for block in blocks:
        AppRules.model_validate_json(block if block.startswith("{") else f"{{{block}}}", strict=True)


def test_every_key_is_documented(repo):
    """`docs/rules.md` names every key, and those of the objects in it."""
    text = (repo / "docs" / "rules.md").read_text(encoding="utf-8")
    for key, field in AppRules.model_fields.items():
        assert f"`{key}`" in text, key
        inner = getattr(field.annotation, "model_fields", {}) if key != "scoring" else {}
        assert [name for name in inner if f"{name}`" not in text and f'"{name}"' not in text] == []


def test_defaults_in_the_docs_are_the_defaults(repo):
    """The block of weights in `docs/score.md` is what holds without one."""
    (block,) = BLOCK.findall((repo / "docs" / "score.md").read_text(encoding="utf-8"))
    assert Scoring.model_validate(json.loads(f"{{{block}}}")["scoring"]) == Scoring()


def test_worked_example_comes_out():
    """80 with rules, 72 without, 40 where the mandatory filter is missing; monotone is at most 20 when in doubt."""
    extras, judged = FilterAlignment.FULLY_APPLIED_WITH_EXTRAS, (Verdict.CORRECT, 0.8, Scoring())
    assert rescore_parts(extras, True, *judged).score == 80
    assert rescore_parts(extras, False, *judged).score == 72
    assert rescore_parts(FilterAlignment.NOT_APPLIED, False, *judged).score == 40
    full, monotone = FilterAlignment.FULLY_APPLIED, Scoring(method="monotone")
    assert rescore_parts(full, False, Verdict.POTENTIALLY_INCORRECT, 1.0, monotone).score == 20
