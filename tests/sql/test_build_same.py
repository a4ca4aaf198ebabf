"""Queries that differ in spelling only give the same Spec; others do not."""

from pathlib import Path
from typing import Any

import pytest
import sqlglot
import yaml

from stef.records.spec import Spec
from stef.sql.build import build_spec
from stef.sql.compare import same_spec
from stef.sql.schema import Schema

CASES = yaml.safe_load((Path(__file__).parent / "spec_same.yaml").read_text(encoding="utf-8"))


def spec_of(item: Any, case: dict[str, Any]) -> Spec:
    dialect, sql = (item.get("dialect"), item["sql"]) if isinstance(item, dict) else (case.get("dialect"), item)
    schema = Schema.from_ddl(case["schema"]) if "schema" in case else None
    return build_spec(sqlglot.parse_one(sql, dialect=dialect), sql, dialect, schema)[0]


PAIRS = [
    pytest.param(case, case["same"][0], other, id=f"{case['name']}[{index}]")
    for case in CASES
    for index, other in enumerate(case["same"][1:], 1)
]
DIFFERENT = [
    pytest.param(case, case["same"][0], other, id=f"{case['name']}[{index}]")
    for case in CASES
    for index, other in enumerate(case.get("differs", ()))
]


@pytest.mark.parametrize(("case", "first", "second"), PAIRS)
def test_spellings_give_the_same_spec(case: dict[str, Any], first: Any, second: Any) -> None:
    a, b = spec_of(first, case), spec_of(second, case)
    assert same_spec(a, b), f"\n{a}\n{b}"
    assert same_spec(b, a)


@pytest.mark.parametrize(("case", "first", "second"), DIFFERENT)
def test_other_meanings_give_another_spec(case: dict[str, Any], first: Any, second: Any) -> None:
    a, b = spec_of(first, case), spec_of(second, case)
    assert not same_spec(a, b), f"\n{a}"
    assert not same_spec(b, a)
