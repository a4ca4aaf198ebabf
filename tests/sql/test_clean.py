"""What agents log, and what is read of it: the cases of clean.yaml."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from stef.records.reading import Unreadable
from stef.sql.clean import clean
from stef.sql.parse import Parsed, parse

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("clean.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    """Each logged text is read as its case says, or is unreadable for the reason it gives."""
    result = parse(case["sql"], case.get("dialect"))
    if "reason" in case:
        assert isinstance(result, Unreadable), result
        assert result.reason.value == case["reason"], result
        assert case.get("detail", "") in result.detail
        return
    assert isinstance(result, Parsed), result
    if "text" in case:
        assert result.text == case["text"]
    if "notes" in case:
        assert [note.code for note in result.notes if note.code != "dialect_detected"] == case["notes"]
    if "dialect_read" in case:
        assert result.dialect == case["dialect_read"]


@pytest.mark.parametrize("case", [case for case in CASES if "text" in case], ids=lambda case: case["name"])
def test_cleaning_twice_changes_nothing(case: dict[str, Any]) -> None:
    """Cleaned text is clean."""
    once = clean(case["text"], case.get("dialect"))
    assert clean(once.text, case.get("dialect")).text == once.text
