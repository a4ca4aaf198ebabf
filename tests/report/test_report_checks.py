"""What stef verify found, in a report: counts of rungs, outcomes by band, and turns that checks contradict."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from report_kit import scored_run, stef, turn

from stef.errors import InputError
from stef.report.build import Asked, build_report
from stef.report.checks import RungCount, check_parts, checks_section
from stef.report.document import report_document
from stef.report.markdown import report_markdown
from stef.report.page import report_page

COUNT = "How many customers are there?"


@pytest.fixture
def both(tmp_path: Path) -> tuple[Path, Path]:
    """A RUN and its checks: a query that runs, one that does not, one that finds nothing, and a turn without any."""
    with sqlite3.connect(tmp_path / "shop.sqlite") as shop:
        shop.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        shop.executemany("INSERT INTO customers (city) VALUES (?)", [("Oslo",), ("Rome",)])
    run = scored_run(
        tmp_path / "run",
        [
            turn("right", "1", COUNT, "SELECT COUNT(*) FROM customers"),
            turn("lost", "1", COUNT, "SELECT COUNT(*) FROM clients"),
            turn("empty", "1", "How many customers live in Bern?", "SELECT id FROM customers WHERE city = 'Bern'"),
            turn("none", "1", COUNT, None, answer="There are two."),
        ],
    )
    stef("verify", run, "--db", f"sqlite:///{tmp_path / 'shop.sqlite'}", "-o", tmp_path / "checks")
    return run, tmp_path / "checks"


def test_rungs_outcomes_and_contradictions(both: tuple[Path, Path]) -> None:
    """Each rung says how many it caught, passed and never saw; a high score that a check opposes is named."""
    run, path = both
    checks = build_report(Asked([run], checks=path)).checks
    assert checks is not None
    assert checks.rungs[:2] == (RungCount("execute", 3, 1, 2, 0, 1), RungCount("sanity", 2, 1, 1, 0, 2))
    assert {one.climbed for one in checks.rungs[2:]} == {0}
    assert {name: n for name, n in checks.outcomes.items() if n} == {
        "unopposed": 1, "doubtful": 1, "refuted": 1, "unknown": 1,
    }  # fmt: skip
    assert [(one.id, one.outcome) for one in checks.high] == [("lost", "refuted")]
    assert "no such table: clients" in checks.high[0].said[0]
    assert (checks.high_turns, checks.low_turns, checks.unmatched) == (1, 0, 0)
    assert checks.bands["unknown", None] == 1


def test_the_other_way_round(both: tuple[Path, Path]) -> None:
    """A low score is named where the checks support it, which needs a rung that asked somebody."""
    run, path = both
    (part,) = check_parts(path)
    rows = pq.read_table(part).to_pylist()
    rows[2] |= {"outcome": "supported", "p": 0.95, "rungs": ["execute: neutral", "consistency: for"]}
    pq.write_table(pa.Table.from_pylist(rows, schema=pq.read_schema(part)), part)
    checks = build_report(Asked([run], checks=path)).checks
    assert checks is not None
    assert [one.id for one in checks.low] == ["empty"]
    assert checks.rungs[3] == RungCount("consistency", 1, 0, 1, 0, 3)


def test_checks_of_other_turns(both: tuple[Path, Path], tmp_path: Path) -> None:
    """A check counts where row and id are those of a turn; others are counted apart, and none at all is a mistake."""
    run, path = both
    fewer = scored_run(tmp_path / "fewer", [turn("right", "1", COUNT, "SELECT 1"), turn("new", "1", COUNT, "SELECT 2")])
    checks = build_report(Asked([fewer], checks=path)).checks
    assert checks is not None
    assert (checks.turns, checks.unmatched) == (1, 3)
    other = scored_run(tmp_path / "other", [turn("else", "1", COUNT, "SELECT 1")])
    with pytest.raises(InputError, match="of no turn of"):
        build_report(Asked([other], checks=path))
    with pytest.raises(InputError, match="not made by stef verify"):
        build_report(Asked([run], checks=fewer))
    with pytest.raises(InputError, match=r"stef report RUN --checks"):
        build_report(Asked([path]))


def test_every_form_has_them(both: tuple[Path, Path]) -> None:
    """Page, Markdown and JSON show the rungs and what is contradicted, also where it is not among the lowest turns."""
    run, path = both
    report = build_report(Asked([run], checks=path))
    page, short, document = report_page(report, 1), report_markdown(report), report_document(report)
    assert "Scored high, and a check speaks against it: 1 turn" in page
    assert "The page holds 2 turns, those with the lowest scores and those that checks contradict, of 4" in page
    assert "| execute | 3 | 1 | 2 | 0 | 1 |" in short
    assert "1 turn scored high, and a check speaks against it:" in short
    assert document["checks"]["scored_high_and_opposed"]["first"][0]["id"] == "lost"
    json.dumps(document)
    assert report_document(build_report(Asked([run])))["checks"] is None


def told(**changed: Any) -> dict[str, Any]:
    """A record of a verification."""
    rung = {"rung": "sanity", "stand": "nothing", "detail": "the database is down", "signs": []}
    return {"outcome": "unknown", "p": None, "reason": "", "rungs": [rung], "left_out": {}, "wording": None} | changed


def test_what_could_not_be_looked_at_is_no_mark_against() -> None:
    """A rung that could not look is a question, one that was not climbed a plain line with the reason; loose claims
    of the wording stand beside."""
    claims = [{"kind": "number", "text": "7", "ground": "nothing"}, {"kind": "number", "text": "2", "ground": "rows"}]
    section = checks_section(told(left_out={"consistency": "needs a model"}, wording={"claims": claims}))
    assert [(line.mark.value, line.text, line.why) for line in section.lines] == [
        ("·", "unknown", ""),
        ("?", "sanity: could not look", "the database is down"),
        ("·", "consistency: not climbed", "needs a model"),
        ("✗", "wording: number '7'", "stands on nothing in the rows"),
    ]
