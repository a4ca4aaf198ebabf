"""Real queries: everything that sqlglot can read yields a Spec; the equivalents of the failure cases are the same."""

import json
from pathlib import Path
from typing import Any

import pytest
import sqlglot
import yaml
from sqlglot.errors import SqlglotError

from stef.records.spec import Spec
from stef.sql.build import build_spec
from stef.sql.compare import same_spec
from stef.sql.schema import Schema

pytestmark = pytest.mark.shared

NOT_BY_SPELLING = {"AVG(returned)"}
"""Equivalent for the values of one column only, which no Spec can know."""


def texts(path: Path) -> list[tuple[str, str | None]]:
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [(row.get("sql") or row.get("gold_sql") or "", row.get("dialect")) for row in rows]


@pytest.mark.parametrize(
    "name", ["sql/spider2_gold", "turns/bird_agents", "turns/spider_agents", "turns/blind_agents", "turns/nl2sql_bugs"]
)
def test_real_queries_yield_a_spec(shared_dir: Path, name: str) -> None:
    read = 0
    for sql, dialect in texts(shared_dir / "data" / f"{name}.jsonl"):
        try:
            tree = sqlglot.parse_one(sql, dialect=dialect)
        except SqlglotError:
            continue
        spec, _ = build_spec(tree, sql, dialect)
        assert isinstance(hash(spec), int)
        read += 1
    assert read


def cases(shared_dir: Path) -> list[dict[str, Any]]:
    return yaml.safe_load((shared_dir / "cases" / "open.yaml").read_text(encoding="utf-8"))


def spec_of(case: dict[str, Any], sql: str) -> Spec:
    ddl = case.get("tables", {}).get("ddl", "").split(";")
    return build_spec(sqlglot.parse_one(sql, dialect=case["dialect"]), sql, case["dialect"], Schema.from_ddl(ddl))[0]


def test_equivalents_are_the_same_and_near_misses_are_not(shared_dir: Path) -> None:
    checked = 0
    for case in cases(shared_dir):
        expect = case.get("expect", {})
        if "gold_sql" not in case or not (expect.get("equivalents") or expect.get("near_misses")):
            continue
        gold = spec_of(case, case["gold_sql"])
        for item in expect.get("equivalents", ()):
            if any(words in item["sql"] for words in NOT_BY_SPELLING):
                continue
            assert same_spec(spec_of(case, item["sql"]), gold), (case["id"], item["sql"])
            checked += 1
        for item in expect.get("near_misses", ()):
            if "whether case matters" in item.get("note", ""):
                continue
            assert not same_spec(spec_of(case, item["sql"]), gold), (case["id"], item["sql"])
            checked += 1
    assert checked >= 20
