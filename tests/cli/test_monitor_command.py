"""`stef monitor` as a user and a scheduler call it."""

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from command_line import Done
from prometheus_client.parser import text_string_to_metric_families

sys.path.append(str(Path(__file__).parents[1] / "runs"))

from compare_kit import gold_run, scored_run, told

Stef = Callable[..., Done]
START = datetime(2025, 11, 1, 9, tzinfo=UTC)


def rows(days: int, fall: int | None = None, **more: Any) -> list[dict[str, Any]]:
    """40 turns a day; scores fall by 30 points on day `fall`."""
    return [
        told(
            f"List the shops with code {day * 100 + at}.",
            80.0 + at % 5 - (30.0 if fall is not None and day >= fall else 0.0),
            timestamp=START + timedelta(days=day, minutes=at),
            has_sql=True,
            id=f"{day}-{at}",
            band="good",
            **more,
        )
        for day in range(days)
        for at in range(40)
    ]


@pytest.fixture
def drifting(tmp_path: Path) -> Path:
    """A RUN of 14 days whose scores fall on the eleventh."""
    return scored_run(tmp_path / "drifting", rows(12, 10)).path


@pytest.fixture
def steady(tmp_path: Path) -> Path:
    """A RUN of 8 days."""
    return scored_run(tmp_path / "steady", rows(8)).path


def test_what_a_person_reads(stef: Stef, drifting: Path) -> None:
    """The sentence first, then a row for each day, then what stands behind the change."""
    done = stef("monitor", drifting)
    assert (done.code, done.err) == (0, "")
    first, *others = done.out.splitlines()
    assert first.startswith(
        "scores fell by 30.0 points from 2025-11-11 on: the SQL changed, the questions are like before"
    )
    days = [line.split() for line in others if line.startswith("2025-")]
    assert len(days) == 12
    assert days[10][1] == "▼"
    assert "raised after 2025-11-1" in done.out
    assert "80.0 → 50.0" not in done.out.splitlines()[0]


def test_a_gap_is_a_line(stef: Stef, tmp_path: Path) -> None:
    """Days without turns are one line that says so."""
    held = [row for row in rows(9) if row["timestamp"].day not in {4, 5, 6}]
    done = stef("monitor", scored_run(tmp_path / "run", held).path)
    assert "… 3 days without turns" in done.out


def test_json_is_one_document(stef: Stef, drifting: Path) -> None:
    """Everything for a program: status, changes with their cause, periods with intervals."""
    document = json.loads(stef("monitor", drifting, "--json").out)
    assert document["status"] == "drift"
    (series,) = document["series"]
    change = next(one for one in series["changes"] if one["figure"] == "score")
    assert (change["since"], change["direction"], change["cause"]["blame"]) == ("2025-11-11", "down", "sql")
    assert len(series["periods"]) == 12
    assert series["periods"][0]["mean"] == pytest.approx(82)
    assert document["gate"] is None


@pytest.mark.parametrize(("gate", "code"), [((), 0), (("--fail-on", "drift"), 1), (("--fail-on", "questions"), 0)])
def test_a_gate_is_the_users(stef: Stef, drifting: Path, gate: tuple[str, ...], code: int) -> None:
    """Exit code 1 comes from a gate that was asked for, and its reason goes to standard error."""
    done = stef("monitor", drifting, *gate)
    assert done.code == code
    assert ("gate failed: drift: scores fell" in done.err) == (code == 1)


def test_a_steady_run_passes_all_gates(stef: Stef, steady: Path) -> None:
    """Nothing drifts, nothing fails."""
    done = stef("monitor", steady, "--fail-on", "drift", "--fail-on", "new-drift", "--fail-on", "questions", "--json")
    assert done.code == 0
    assert json.loads(done.out)["gate"] == {"failed": False, "reasons": []}


def families(text: str) -> dict[str, list[tuple[dict[str, str], float]]]:
    """Samples by metric, as Prometheus reads them."""
    return {
        family.name: [(sample.labels, sample.value) for sample in family.samples]
        for family in text_string_to_metric_families(text)
    }


def test_prometheus_reads_what_is_written(stef: Stef, drifting: Path, tmp_path: Path) -> None:
    """Every metric has its help and type, and the last period's figures."""
    file = tmp_path / "stef.prom"
    assert stef("monitor", drifting, "--prometheus", file).code == 0
    text = file.read_text("utf-8")
    found = families(text)
    assert all(text.count(f"# {kind} {name} ") == 1 for name in found for kind in ("HELP", "TYPE"))
    labels = {"judge": "symbolic", "by": "day"}
    assert found["stef_score_mean"] == [(labels, pytest.approx(52))]
    assert ({**labels, "figure": "score"}, 1.0) in found["stef_drift"]
    assert ({**labels, "figure": "readable"}, 0.0) in found["stef_drift"]
    assert found["stef_turns"] == [(labels, 40.0)]


def test_undefined_is_no_sample(stef: Stef, tmp_path: Path) -> None:
    """A last day without a score has no mean: neither 0 nor NaN."""
    dark = [
        told("What?", None, "unparsable", timestamp=START + timedelta(days=9, minutes=at), has_sql=True, id=f"x{at}")
        for at in range(5)
    ]
    done = stef("monitor", scored_run(tmp_path / "run", [*rows(3), *dark]).path, "--prometheus", "-")
    found = families(done.out)
    assert "stef_score_mean" not in found
    assert found["stef_coverage_ratio"][0][1] == 0
    assert "nan" not in done.out.lower()


def test_hostile_names_stay_inside_their_labels(stef: Stef, tmp_path: Path) -> None:
    """An agent's name with quotes, line ends and escape codes cannot write a metric of its own."""
    name = 'a"} 1\nstef_turns{judge="x"} 666\n# TYPE \\ \x1b[31m'
    run = scored_run(tmp_path / "run", rows(2, agent=name)).path
    found = families(stef("monitor", run, "--per", "agent", "--prometheus", "-").out)
    assert [value for _, value in found["stef_turns"]] == [40.0]
    assert found["stef_turns"][0][0]["agent"].startswith('a"} 1\nstef_turns{judge="x"} 666')
    assert "\x1b" not in stef("monitor", run, "--per", "agent").out


def test_a_webhooks_body(stef: Stef, drifting: Path, tmp_path: Path) -> None:
    """A file with a text for a chat and facts for a program; nothing is sent."""
    file = tmp_path / "body.json"
    assert stef("monitor", drifting, "--webhook-payload", file, "--fail-on", "drift").code == 1
    body = json.loads(file.read_text("utf-8"))
    assert body["status"] == "drift"
    assert body["text"].startswith("stef monitor: drift\n• scores fell by 30.0 points")
    assert body["gate"]["failed"]
    assert body["series"][0]["last_period"]["period"] == "2025-11-12"


def test_several_runs_and_weeks(stef: Stef, drifting: Path, steady: Path) -> None:
    """RUNs are put together; the same turns in both count once."""
    document = json.loads(stef("monitor", steady, drifting, "--by", "week", "--json").out)
    assert document["duplicates"] == 320
    assert [one["period"] for one in document["series"][0]["periods"]] == ["2025-10-27", "2025-11-03", "2025-11-10"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "no such RUN"),
        (("{steady}", "--by", "month"), "day, week, hour"),
        (("{steady}", "--time-zone", "Mars/Phobos"), "Europe/Oslo"),
        (("{steady}", "--since", "soon"), "2025-11-03"),
        (("{steady}", "--fail-on", "score"), "new-drift"),
        (("{steady}", "--per", "colour"), "agent_version"),
        (("{steady}", "--only", "colour=red"), "agent=bot"),
        (("{steady}", "--only", "agent=nobody"), "no turns with agent=nobody"),
        (("{steady}", "--json", "--prometheus", "-"), "one document"),
        (("{gold}",), "gold run"),
        (("{untimed}",), "--map timestamp=FIELD"),
    ],
)
def test_mistakes_are_named(stef: Stef, steady: Path, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    """Exit code 2, one message, and the way out; no traceback."""
    gold = gold_run(tmp_path / "gold", []).path
    untimed = scored_run(tmp_path / "untimed", [told("When?", 80.0)]).path
    done = stef("monitor", *(one.format(steady=steady, gold=gold, untimed=untimed) for one in arguments))
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


def test_an_unfinished_run_says_so(stef: Stef, tmp_path: Path) -> None:
    """What is there is shown."""
    done = stef("monitor", scored_run(tmp_path / "run", rows(3), state="running").path)
    assert done.code == 0
    assert "is not finished" in done.out


def test_a_run_of_another_judge_is_named(stef: Stef, tmp_path: Path) -> None:
    """That the judge changed is the first thing that is said, and no drift is told across it."""
    a = scored_run(tmp_path / "a", rows(11, 10)).path
    b = scored_run(tmp_path / "b", [row for row in rows(22, 10) if row["timestamp"].day > 11], judge="openai:x").path
    done = stef("monitor", a, b, "--fail-on", "drift")
    assert 'measured otherwise from 2025-11-12 on (judge "symbolic" → "openai:x")' in done.out.splitlines()[0]
    assert done.code == 0
