"""What a report is made of: causes, costs, periods, charts, packed turns, escaped text."""

import base64
import json
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from report_kit import CITIES, city_turns, scored_run, turn

from stef.report import charts
from stef.report.causes import CauseKind, cause_of, shares_of_loss, strength, telling
from stef.report.charts import ForestRow, forest_svg, trend_svg
from stef.report.details import Detail, Names, in_script, pack
from stef.report.markdown import escaped
from stef.report.periods import Running, calendar_of, in_order
from stef.report.scored import scored_report
from stef.report.text import number, percent, visible
from stef.runs.run import open_run

CHARTS = yaml.safe_load((Path(__file__).parent / "report_charts.yaml").read_text("utf-8"))
START = datetime(2026, 3, 4, 15, 30, tzinfo=UTC)
LOW = {
    "unscored_reason": None,
    "findings": [],
    "filter_alignment": "fully_applied",
    "extra_filters": [],
    "benign_filters": [],
    "verdict": "incorrect",
}


@pytest.mark.parametrize("case", CHARTS, ids=[case["says"] for case in CHARTS])
def test_charts(case: dict[str, Any]) -> None:
    """A chart is sound XML, says what it shows in words, and holds what it should."""
    drawn = getattr(charts, f"{case['chart']}_svg")(*case["of"])
    root = ET.fromstring(drawn)
    assert root.get("role") == "img"
    assert root.get("aria-label")
    for text in case["has"]:
        assert text in drawn
    for text in case.get("never", ()):
        assert text not in drawn


@pytest.mark.parametrize(
    ("changed", "kind", "name"),
    [
        ({"unscored_reason": "unparsable", "findings": ["S333"]}, CauseKind.UNSCORED, "unparsable"),
        ({"findings": ["S333"], "filter_alignment": "not_applied"}, CauseKind.FINDING, "S333"),
        ({"findings": ["S000"], "filter_alignment": "not_applied"}, CauseKind.FILTERS, "not_applied"),
        ({"filter_alignment": "partially_applied"}, CauseKind.FILTERS, "partially_applied"),
        ({"extra_filters": ["a = 1", "b = 2"], "benign_filters": ["a = 1"]}, CauseKind.EXTRAS, "extras"),
        ({"extra_filters": ["a = 1"], "benign_filters": ["a = 1"]}, CauseKind.VERDICT, "incorrect"),
        ({"findings": None, "verdict": None}, CauseKind.VERDICT, "no verdict"),
    ],
)
def test_cause(changed: dict[str, Any], kind: CauseKind, name: str) -> None:
    """One cause a turn: a reason, a finding that is a sign of wrong SQL, the filters, extras, the verdict."""
    cause = cause_of({**LOW, **changed})
    assert (cause.kind, cause.name) == (kind, name)
    assert cause.title


def test_telling_finding() -> None:
    """The finding that was most often right on labelled turns is told; one that is no sign of wrong SQL never is."""
    signs = sorted(("S333", "S201", "S120"), key=strength)
    assert telling(signs) == signs[-1]
    weak = min(("S607", "S333"), key=strength)
    assert strength(weak) < 0
    assert telling([weak]) is None
    assert strength("ACME101") == 0
    assert telling(["ACME101"]) == "ACME101"


def test_costs_add_up(tmp_path: Path) -> None:
    """The points of all findings, and of the turns without one, add up to what the mean lacks to 100."""
    run = scored_run(tmp_path / "run", [*city_turns("1", forgets=5), turn("bad", "1", "How many?", "SELECT (")])
    report = scored_report(open_run(run))
    assert report.summary.total.mean is not None
    assert sum(one.points for one in report.costs) == pytest.approx(100 - report.summary.total.mean)
    assert shares_of_loss({**LOW, "findings": ["S1", "S2", "S1", "S000"]}) == ("S1", "S2")
    low = sum(one.turns for one in report.causes)
    assert low == report.turns_with("band", "poor")[0] + report.turns_with("band", "marginal")[0] + 1


def test_trend_of_a_run(tmp_path: Path) -> None:
    """Every agent has the same days; a day without a turn has no mean, and a turn without a time is counted apart."""
    turns = [*city_turns("1", CITIES[:3]), *city_turns("2", CITIES), turn("x", "1", "How many?", "SELECT 1")]
    del turns[4]
    trend = scored_report(open_run(scored_run(tmp_path / "run", turns))).trend
    assert trend is not None
    assert (trend.unit, len(trend.periods), trend.without_time) == ("day", 8, 1)
    assert {len(periods) for periods in trend.agents.values()} == {8}
    assert [one.turns for one in trend.agents["bot 1"]] == [1, 1, 1, 0, 0, 0, 0, 0]
    assert trend.agents["bot 1"][5].mean is None


@pytest.mark.parametrize(
    ("span", "unit", "periods"),
    [
        (5, "hour", 6),
        (24 * 10, "day", 11),
        (24 * 100, "week", 15),
        (24 * 800, "month", 27),
        (24 * 365 * 60, "year", 61),
    ],
)
def test_calendar(span: int, unit: str, periods: int) -> None:
    """Periods fit the span: hours, days, weeks, months, years; each begins where the one before it ends."""
    last = START + timedelta(hours=span)
    calendar = calendar_of(START, last)
    assert calendar.unit == unit
    held = {calendar.start(START): Running(), calendar.start(last): Running()}
    found = list(in_order(calendar, held, (min(held), max(held))))
    assert len(found) == periods
    assert found[-1].start == calendar.start(last)


def test_a_gap_stays_a_gap() -> None:
    """The line of a trend breaks where a period has no mean; a single turn has no interval."""
    held = {START + timedelta(days=day): Running() for day in (0, 1, 3)}
    for running in held.values():
        running.add(40.0)
    calendar = calendar_of(START, START + timedelta(days=3))
    days = {calendar.start(at): running for at, running in held.items()}
    periods = list(in_order(calendar, days, (min(days), max(days))))
    assert [one.mean for one in periods] == [40.0, 40.0, None, 40.0]
    assert {one.low for one in periods} == {None}
    drawn = trend_svg(periods, "day", "all")
    assert drawn.count("<path") == 1
    assert drawn.count("<circle") == 3


def test_forest() -> None:
    """A forest plot says difference, interval and n of each line; filled dots are shown ones, hollow are not."""
    rows = [ForestRow("all", 2.0, 1.0, 3.0, 400, True, main=True), ForestRow("easy <b>", -1.5, None, None, 20, False)]
    drawn = forest_svg(rows, 0.95, "questions")
    ET.fromstring(drawn)
    assert "all: +2.0 [1.0, 3.0], n = 400" in drawn
    assert "−1.5 (n = 20)" in drawn
    assert drawn.count('class="dot open"') == 1
    assert "<b>" not in drawn


def test_packed_turns_come_back() -> None:
    """What is packed is what the browser unpacks: blocks in the order of the index, names by their number."""
    names, texts = {"agent": Names(), "cause": Names()}, {"question": Names()}
    details = [
        Detail(
            text=f"q{row % 5}",
            columns={
                "run": 0,
                "row": row,
                "agent": names["agent"].number("bot"),
                "cause": names["cause"].number("c" if row % 2 else None),
                "question": texts["question"].number(f"q{row % 5}"),
                "score": float(row),
                "p": None,
            },
            body={"row": row},
        )
        for row in range(150)
    ]
    packed = pack(details, names, texts, {"runs": ["run"]})
    index = unpacked(packed.index)
    bodies = [body for block in packed.blocks for body in unpacked(block)]
    assert [body["row"] for body in bodies] == index["row"]
    assert len(packed.blocks) == 3
    assert packed.head["names"] == {"agent": ["bot"], "cause": ["c"]}
    assert [index["row"][at] for at in index["worst"]][:3] == [1, 3, 5]
    assert unpacked(packed.texts) == {"question": [f"q{number}" for number in range(5)]}


def unpacked(text: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(text)))


@given(st.text())
def test_data_in_a_script_cannot_end_it(text: str) -> None:
    """Whatever the text, JSON in the page holds no sign of markup, and is the same data."""
    held = in_script({"text": text})
    assert not set("<>&") & set(held)
    assert json.loads(held) == {"text": text}


@given(st.text())
def test_markdown_text_stays_on_its_line(text: str) -> None:
    """Escaped text has no line end, no column sign, and nothing that begins markup."""
    held = escaped(text)
    assert not set("\n\r<>|`*[]") & set(held)


def test_figures() -> None:
    """What is undefined is a dash, only all is 100 %, and signs that would act are shown."""
    assert (number(None), percent(None)) == ("–", "–")
    assert (percent(0.99999), percent(1.0), number(-1.25)) == ("99.9 %", "100.0 %", "−1.2")
    assert visible("a\u202eb\x07") == "a\ufffdb\ufffd"
