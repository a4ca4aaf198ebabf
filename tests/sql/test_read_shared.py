"""The reading of real logs that lie beside the project."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from stef.records.reading import SqlReading
from stef.records.reasons import UnscoredKind, UnscoredReason, kind_of
from stef.sql import describe, read_sql
from stef.sql.clean import clean

pytestmark = pytest.mark.shared


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_turns_labelled_correct_are_readable(shared_dir: Path) -> None:
    """No more than 1 in 500 turns labelled correct is unreadable, in no file; no reason is stef's own."""
    for path in sorted((shared_dir / "data/turns").glob("*.jsonl")):
        correct = {row["id"] for row in _rows(shared_dir / "data/labels" / path.name) if row["correct"]}
        reasons: Counter[UnscoredReason] = Counter()
        refused = 0
        rows = _rows(path)
        for row in rows:
            reading = read_sql(row["sql"] or "", row["dialect"])
            assert (reading.spec is None) == (reading.unreadable is not None)
            if reading.unreadable is not None:
                reasons[reading.unreadable.reason] += 1
                refused += row["id"] in correct
        assert refused * 500 <= len(correct), path.name
        assert sum(reasons.values()) * 20 <= len(rows), (path.name, reasons)
        assert all(kind_of(reason) is not UnscoredKind.STEF for reason in reasons)


def test_long_gold_sql_is_all_read(shared_dir: Path) -> None:
    """Every long BigQuery, Snowflake and SQLite query yields a Spec, in the dialect it is given in."""
    for row in _rows(shared_dir / "data/sql/spider2_gold.jsonl"):
        reading = read_sql(row["gold_sql"], row["dialect"])
        assert reading.unreadable is None, (row["id"], reading.unreadable)
        assert reading.spec is not None
        assert describe(reading.spec)
        assert reading.dialect == row["dialect"]


def test_user_queries_in_tsql_are_mostly_read(shared_dir: Path) -> None:
    """People's own T-SQL, with DECLARE and site parameters, is read in at least 97 of 100 cases."""
    rows = _rows(shared_dir / "data/logs/sede_user_queries_tsql.jsonl")
    read = sum(read_sql(row["sql"], "tsql").spec is not None for row in rows)
    assert read >= 0.97 * len(rows)


def _cases(shared_dir: Path) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = yaml.safe_load((shared_dir / "cases/open.yaml").read_text(encoding="utf-8"))
    return cases


def _built(build: dict[str, Any]) -> str:
    if "unit" in build:
        units = (build["unit"].replace("{i}", str(number)) for number in range(build["count"]))
        return str(build["head"]) + str(build["joiner"]).join(units) + str(build["tail"])
    depth = build["depth"]
    return str(
        build["head"] + build["nest_open"] * depth + build["nest_core"] + build["nest_close"] * depth + build["tail"]
    )


def _readings(case: dict[str, Any]) -> list[tuple[SqlReading, dict[str, Any]]]:
    """Each SQL text of a case that says how it reads, with what it says."""
    texts = [(case.get("sql") or _built(case["sql_build"]), case["expect"])]
    for kind in ("variants", "equivalents", "near_misses", "also_right"):
        texts += [(item["sql"], item) for item in case["expect"].get(kind, ()) if "sql" in item]
    return [(read_sql(text, case["dialect"]), expected) for text, expected in texts]


def test_failure_cases_read_as_expected(shared_dir: Path) -> None:
    """What parses in the public failure cases is one query with a Spec, and what must not parse says why."""
    for case in _cases(shared_dir):
        for reading, expected in _readings(case):
            parse_ok = expected.get("parse_ok", True)
            if parse_ok == "either":
                continue
            assert (reading.spec is not None) == parse_ok, (case["id"], reading)
            if not parse_ok:
                assert reading.unreadable is not None
                assert "unrendered template" in reading.unreadable.detail


def test_failure_cases_extract_and_strip(shared_dir: Path) -> None:
    """The query comes out of its chat as expected, and no comment of it goes on to a judge."""
    for case in _cases(shared_dir):
        if "extracted_sql" in case["expect"]:
            assert clean(case["sql"], case["dialect"]).text == case["expect"]["extracted_sql"]
        for reading, _ in _readings(case):
            if reading.spec is not None and "'" not in reading.text:
                assert "--" not in reading.text
                assert "/*" not in reading.text


def test_templates_are_named(shared_dir: Path) -> None:
    """No variant of an unrendered template is read as SQL."""
    for case in _cases(shared_dir):
        if case["kind"] == "templates":
            for reading, _ in _readings(case):
                assert reading.unreadable is not None
                assert reading.unreadable.reason is UnscoredReason.UNPARSABLE
