"""Examples of rules files as tests: what differs, and how a check of a file or a folder ends."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from stef.errors import RulesError
from stef.records.alignment import (
    Alignment,
    Dimension,
    DimensionAligned,
    Excused,
    ExtraFilter,
    FilterAlignment,
    FiltersAligned,
    FilterState,
    Origin,
    RequiredFilter,
)
from stef.records.assessment import Assessment, Unscored
from stef.records.judgement import Judgement, Verdict
from stef.records.reasons import UnscoredReason
from stef.rules import AppRules
from stef.rules.checking import Checks, check_rules
from stef.rules.examples import differences, run_examples
from stef.rules.model import Expect
from stef.rules.scoring import Scoring
from stef.score import compose

EXPECTATIONS = yaml.safe_load((Path(__file__).parent / "expectations.yaml").read_text(encoding="utf-8"))

FILTERS = FiltersAligned(
    FilterAlignment.FULLY_APPLIED_WITH_EXTRAS,
    required=(
        RequiredFilter("country = 'Canada'", Origin.QUESTION, FilterState.ABSENT),
        RequiredFilter("total > 10", Origin.QUESTION, FilterState.ALTERED),
        RequiredFilter("istest = 0", Origin.RULE, FilterState.APPLIED),
        RequiredFilter("last month", Origin.QUESTION, FilterState.UNDECIDED),
    ),
    extras=(
        ExtraFilter('"invoice"."deletedat" IS NULL', benign_by="benign_filters[0]"),
        ExtraFilter("city = 'Oslo'"),
    ),
)
EXCUSED = (Excused("ORDER BY total DESC", "order_tolerance", "nobody asked for it"),)
JUDGED = Judgement(Verdict.LIKELY_CORRECT, 0.9, 0.9, (), "scripted")
SCORED = Assessment(
    question="q",
    enriched_question=None,
    sql="SELECT 1",
    dialect=None,
    outcome=replace(compose(FILTERS, JUDGED, Scoring()), score=72.0, band="marginal"),
    alignment=Alignment(FILTERS, (DimensionAligned(Dimension.ORDERING, excused=EXCUSED),)),
    judgement=JUDGED,
)
UNSCORED = Assessment("q", None, "DELETE", None, Unscored(UnscoredReason.NOT_A_QUERY, "it deletes"))

FINE = Checks(lambda _: None, lambda _: None, lambda _: lambda _: SCORED)


@pytest.mark.parametrize("case", EXPECTATIONS, ids=lambda case: json.dumps(case["expect"]))
def test_differences(case):
    """Each expectation that is not met has one line; texts are found in any case and spacing, quoted or not."""
    found = differences(Expect.model_validate(case["expect"]), UNSCORED if case.get("unscored") else SCORED)
    assert list(found) == case["differs"]


def test_examples_are_turns_of_the_app():
    """An example is assessed as a turn of the application, with its own clock and dialect."""
    example = {"question": "q", "sql": "s", "timestamp": "2026-01-15T09:00:00Z", "dialect": "tsql"}
    turns = []
    rules = AppRules.model_validate({"app": "erp", "examples": [example]})
    (result,) = run_examples(rules, lambda turn: turns.append(turn) or SCORED)
    assert result.passed
    assert (turns[0].app, turns[0].dialect, turns[0].timestamp.year) == ("erp", "tsql", 2026)


def test_check_of_a_folder_goes_on_after_a_broken_file(tmp_path):
    """Every file is checked; one is broken, one fails an example, one is fine."""
    (tmp_path / "a.json").write_text('{"row_cap": "x", "notes": 1}')
    (tmp_path / "b.json").write_text('{"examples": [{"question": "q", "sql": "s", "expect": {"min_score": 90}}]}')
    (tmp_path / "c.json").write_text("{}")
    a, b, c = check_rules(tmp_path, FINE)
    assert [one.status for one in (a, b, c)] == ["broken", "failed", "ok"]
    assert (len(a.problems), a.hash, b.failed, len(b.hash)) == (2, None, 1, 12)


def test_sql_in_rules_is_named_with_its_place(tmp_path):
    """SQL that cannot be read is a problem of the file, at its path; each kind is read as what it must be."""
    rules = {
        "dialect": "mysql",
        "extends": None,
        "term_mappings": {"net revenue": "SUM("},
        "benign_filters": [{"column": "a", "op": "is_null"}, {"sql": "a ="}],
        "mandatory_filters": [{"sql": "b ="}],
        "agent_adds": {"tenant_filter": {"sql": "c ="}},
    }
    path = tmp_path / "erp.json"
    path.write_text(json.dumps(rules))
    seen = []
    checks = replace(FINE, fragment=lambda piece: seen.append(piece) or f"cannot be read: {piece.sql}")
    (result,) = check_rules(path, checks)
    assert result.problems == (
        f"{path}: term_mappings['net revenue']: cannot be read: SUM(",
        f"{path}: benign_filters[0]: cannot be read: a IS NULL",
        f"{path}: benign_filters[1]: cannot be read: a =",
        f"{path}: mandatory_filters[0]: cannot be read: b =",
        f"{path}: agent_adds.tenant_filter: cannot be read: c =",
    )
    assert [(piece.kind, piece.dialect) for piece in seen[:3]] == [
        ("expression", "mysql"), ("condition", None), ("condition", "mysql")]  # fmt: skip


def test_sql_in_an_extended_file_is_named_there(tmp_path):
    """The place is one of the file that holds the SQL, not of the merged rules, and is read in the merged dialect."""
    (tmp_path / "base.json").write_text('{"benign_filters": [{"sql": "a = 1"}, {"sql": "a ="}], "row_cap": 5}')
    path = tmp_path / "erp.json"
    path.write_text('{"extends": "base.json", "dialect": "mysql", "row_cap": null, "benign_filters": [{"sql": "b ="}]}')
    bad = replace(FINE, fragment=lambda piece: f"in {piece.dialect}" if piece.sql.endswith("=") else None)
    (result,) = check_rules(path, bad)
    assert result.problems == (
        f"{path}: benign_filters[0]: in mysql",
        f"{tmp_path / 'base.json'}: benign_filters[1]: in mysql",
    )


def test_unknown_dialect_is_one_problem(tmp_path):
    """With a dialect that nobody knows, the SQL is not read at all."""
    path = tmp_path / "erp.json"
    path.write_text('{"dialect": "mysqll", "term_mappings": {"a": "b("}}')
    (result,) = check_rules(path, replace(FINE, dialect=lambda name: f"unknown dialect {name!r}"))
    assert result.problems == (f"{path}: dialect: unknown dialect 'mysqll'",)


def test_missing_file_is_a_problem_and_an_empty_folder_an_error(tmp_path):
    """A file that is not there is reported as a broken one; a folder without rules has nothing to report."""
    (result,) = check_rules(tmp_path / "none.json", FINE)
    assert result.problems == (f"{tmp_path / 'none.json'}: there is no such file",)
    with pytest.raises(RulesError, match="no rules in this folder"):
        check_rules(tmp_path, FINE)
