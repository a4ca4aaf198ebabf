"""The retrieval family: which tables a text offers, and how they compare with those that are needed."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from stef.gold.retrieval import compare_tables, tables_of_ddl

CASES = yaml.safe_load(Path(__file__).with_name("retrieval.yaml").read_text())


@pytest.mark.parametrize("case", CASES["ddl"], ids=lambda case: str(case["why"]))
def test_tables_of_ddl(case: dict[str, Any]) -> None:
    """Tables count that a text describes, not those that it mentions."""
    assert list(tables_of_ddl(case["texts"])) == case["tables"]


@pytest.mark.parametrize("case", CASES["tables"], ids=lambda case: f"{case['required']} {case['offered']}")
def test_compare_tables(case: dict[str, Any]) -> None:
    """Recall is undefined where nothing is required, precision where nothing was offered."""
    found = compare_tables(case["required"], case["offered"])
    precision, recall = case["share"]
    assert found.tables.precision == (None if precision is None else pytest.approx(precision, abs=1e-4))
    assert found.tables.recall == (None if recall is None else pytest.approx(recall, abs=1e-4))
    assert found.spurious == case["spurious"]
    assert list(found.missing) == case["missing"]
