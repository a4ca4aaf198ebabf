"""Hostile texts end nothing: they are read in a process of its own, as a stack that overflows ends it with a signal."""

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from stef.records.reasons import UnscoredReason
from stef.sql.limits import MAX_DEPTH, MAX_LENGTH, check_depth, check_length, nesting_depth
from stef.sql.parse import Parsed, parse

if TYPE_CHECKING:
    from stef.records.reading import Unreadable

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = yaml.safe_load((HERE / "hostile.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def outcomes() -> dict[str, dict[str, Any]]:
    """What the driver printed, by case; after a crash the cases from there on are absent."""
    done = subprocess.run(
        [sys.executable, str(HERE / "hostile_driver.py")], capture_output=True, text=True, check=False
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["name"]: line for line in lines}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: dict[str, Any], outcomes: dict[str, dict[str, Any]]) -> None:
    """Each text is survived, and read or refused as its case says."""
    assert case["name"] in outcomes, "the process did not survive"
    if not case.get("any"):
        assert outcomes[case["name"]]["reason"] == case.get("reason"), outcomes[case["name"]]


def test_length_is_checked_first() -> None:
    """A text above the limit is refused with both figures."""
    refused = check_length("x" * (MAX_LENGTH + 1))
    assert refused is not None
    assert refused.reason is UnscoredReason.TOO_LARGE
    assert "1,048,577" in refused.detail
    assert check_length("x" * MAX_LENGTH) is None


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("SELECT a FROM t", 1),
        ("SELECT ((1))", 2),
        ("SELECT '((((', a /* (((( */ -- ((((\nFROM t", 1),
        ("SELECT CASE WHEN a THEN CASE WHEN b THEN 1 END END FROM t", 3),
        ("SELECT a FROM t WHERE NOT NOT NOT a", 4),
        ("SELECT a - b - c - d FROM t", 1),
        ("SELECT a FROM (SELECT a FROM (SELECT a FROM t))", 3),
    ],
)
def test_nesting_depth(text: str, depth: int) -> None:
    """Depth counts open brackets, CASEs and waiting prefix operators, outside strings and comments."""
    assert nesting_depth(text) == depth


def test_depth_bound() -> None:
    """The bound itself is within, one more is not."""
    assert check_depth("SELECT " + "(" * MAX_DEPTH + "1" + ")" * MAX_DEPTH) is None
    assert check_depth("SELECT " + "(" * (MAX_DEPTH + 1) + "1" + ")" * (MAX_DEPTH + 1)) is not None


def test_deep_text_on_a_thread() -> None:
    """On a thread with a small stack the deepest text that passes the bound is survived, too."""
    found: list[Parsed | Unreadable] = []
    before = threading.stack_size(4 * 1024 * 1024)
    try:
        depth = MAX_DEPTH - 1
        text = "SELECT a FROM t WHERE x IN " + "(SELECT a FROM t WHERE x IN " * depth + "(1)" + ")" * depth
        thread = threading.Thread(target=lambda: found.append(parse(text)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert len(found) == 1
