"""Public gold sets as they are: every entry is a case."""

import json
from pathlib import Path

import pytest

from stef.gold.cases import load_cases, twins
from stef.gold.cases.formats.braces import expand

pytestmark = pytest.mark.shared

COUNTS = {
    # file: format, cases, acceptable queries, cases with a twin
    "spider": ("public", 640, 640, 594),
    "spider_realistic": ("public", 320, 320, 288),
    "bird": ("public", 315, 315, 4),
    "archer": ("public", 64, 64, 64),
    "defog_rules": ("defog-rules", 201, 302, 0),
    "bird_gold_review": ("bird-reviewed", 313, 313, 0),
}


@pytest.mark.parametrize("name", COUNTS)
def test_public_sets_load_without_a_fault(name: str, shared_dir: Path) -> None:
    """The format is told, nothing is broken, and each case has its database."""
    format_, cases, queries, with_twin = COUNTS[name]
    found = load_cases(shared_dir / "data/gold" / f"{name}.jsonl")
    assert found.faults == ()
    assert found.files[0].format == format_
    assert len(found.cases) == cases
    assert sum(len(case.gold_sql) for case in found.cases) == queries
    assert all(case.database for case in found.cases)
    assert sum(bool(near) for near in twins(found.cases).values()) == with_twin


def test_hints_and_difficulties_are_kept(shared_dir: Path) -> None:
    """What the public sets tell beside question and query reaches the agent and the slices."""
    gold = shared_dir / "data/gold"
    assert sum(bool(case.hint) for case in load_cases(gold / "bird.jsonl").cases) > 250
    archer = load_cases(gold / "archer.jsonl").cases
    assert all(case.category for case in archer)
    assert sum(bool(case.hint) for case in archer) == 32
    assert {case.difficulty for case in load_cases(gold / "bird.jsonl").cases} == {"simple", "moderate", "challenging"}
    assert {case.difficulty for case in load_cases(gold / "spider.jsonl").cases} == {"easy", "medium", "hard", "extra"}
    assert sum(bool(case.hint) for case in load_cases(gold / "defog_rules.jsonl").cases) == 64


def test_mended_golds_take_the_place_of_wrong_ones(shared_dir: Path) -> None:
    """The reviewed set can be asked for with what the reviewers made of it."""
    path = shared_dir / "data/gold/bird_gold_review.jsonl"
    before = {case.id: case for case in load_cases(path).cases}
    after = load_cases(path, format="bird-mended")
    assert after.faults == ()
    assert sum(case.gold_sql != before[case.id].gold_sql for case in after.cases) == 46
    assert sum(case.question != before[case.id].question for case in after.cases) == 39


def test_braces_are_written_out_as_their_authors_did(shared_dir: Path) -> None:
    """Braces in the published queries stand for as many queries, with these columns, as were written out by hand."""
    rows = [json.loads(line) for line in (shared_dir / "data/gold/defog_rules.jsonl").read_text("utf-8").splitlines()]
    with_braces = [row for row in rows if "{" in (row["postgres_query_with_braces"] or "")]
    assert len(with_braces) > 10
    for row in with_braces:
        ours = expand(row["postgres_query_with_braces"])
        assert not any("{" in query for query in ours)
        theirs = [_columns(sql) for sql in row["acceptable_sqls"]]
        assert set(theirs) <= {_columns(sql) for sql in ours}, row["id"]


def _columns(sql: str) -> str:
    """What is selected, without names that it is given and without spaces."""
    selected = sql.lower().split(" from ", 1)[0].removeprefix("select ").removeprefix("distinct ")
    return ",".join(part.split(" as ")[0].strip().replace(" ", "") for part in selected.split(","))
