"""`stef report`: gates, the page, Markdown, JUnit, JSON, and input that is not what it should be."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from command_line import Done, turn, write_jsonl
from markdown_it import MarkdownIt

MARKER = "<!-- stef report -->"
CITIES = ("Oslo", "Rome", "Lima", "Bern", "Kyiv", "Baku", "Riga", "Doha", "Cali")
HOSTILE = "</td>|<img src=x onerror=alert(1)> [a](http://b.c) @team #17 `x` **y** ![z](q) http://d.e ~~s~~ \u202egnp"
CASES = yaml.safe_load((Path(__file__).parent / "report_gates.yaml").read_text("utf-8"))
MUSIC = Path(__file__).parents[2] / "examples" / "gold"


def turns_of(version: str, forgets: int) -> list[dict[str, Any]]:
    return [
        turn(
            f"{version}-{city}",
            version,
            f"How many customers live in {city}?",
            "SELECT COUNT(*) FROM customers" + ("" if number < forgets else f" WHERE city = '{city}'"),
        )
        for number, city in enumerate(CITIES)
    ]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the RUNs of this module lie."""
    return tmp_path_factory.mktemp("runs")


def made(kept: Path, name: str, stef: Callable[..., Done], turns: list[dict[str, Any]]) -> Path:
    """A RUN of `turns`, made once."""
    if not (kept / name).exists():
        log = write_jsonl(kept / f"{name}.jsonl", turns)
        assert stef("score", log, "-o", kept / name).code == 0
    return kept / name


@pytest.fixture
def run(kept: Path, stef: Callable[..., Done]) -> Path:
    """20 turns of two versions."""
    broken = turn("broken", "1", "How many customers are there?", "SELECT COUNT( FROM")
    declined = turn("declined", "2", "Delete all customers", "I cannot help with that.")
    return made(kept, "run", stef, [*turns_of("1", 4), broken, *turns_of("2", 1), declined])


@pytest.fixture
def both(kept: Path, stef: Callable[..., Done]) -> tuple[Path, Path]:
    """Two RUNs of the same questions; the second lacks one of them, and has a hostile turn."""
    old = made(kept, "old", stef, turns_of("1", 4))
    hostile = turn(HOSTILE, "2", HOSTILE, f"SELECT '{HOSTILE}'", database=HOSTILE)
    return old, made(kept, "new", stef, [*turns_of("2", 1)[1:], {**hostile, "agent_version": HOSTILE}])


@pytest.fixture
def gold(kept: Path, stef: Callable[..., Done]) -> Path:
    """The example's gold run."""
    if not (kept / "gold").exists():
        database, turns = f"sqlite:///{MUSIC / 'music.sqlite'}", f"replay:{MUSIC / 'turns.jsonl'}"
        done = stef("gold", "run", MUSIC / "cases.yaml", "--db", database, "--agent", turns, "-o", kept / "gold")
        assert done.code == 0, done.err
    return kept / "gold"


@pytest.mark.parametrize("case", CASES, ids=[case["says"] for case in CASES])
def test_gates(case: dict[str, Any], run: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """A gate that the user sets fails with what failed and by how much; one that cannot be read is a mistake."""
    page = tmp_path / "report.html"
    done = stef("report", run, "-o", page, *case["options"])
    assert done.code == case["code"], done.err
    for text in case.get("said", ()):
        assert text in done.err
    for text in case.get("never", ()):
        assert text not in done.err
    assert page.exists() == (done.code != 2)


def test_every_form_says_what_failed(run: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Page, Markdown, JUnit and JSON name the failed gate, whatever the exit code is."""
    page, short, xml = tmp_path / "r.html", tmp_path / "r.md", tmp_path / "r.xml"
    gate = ("--fail-under", "coverage=99%", "--fail-on", "finding:S201")
    done = stef("report", run, "-o", page, "--markdown", short, "--junit", xml, "--json", *gate)
    assert done.code == 1
    said = "bot 1: coverage is 90.00 %, 9.00 % too low"
    gates = json.loads(done.out)["gates"]
    assert gates["passed"] is False
    assert [one["passed"] for one in gates["results"]] == [True, False, True]
    assert said in gates["results"][1]["failures"]
    assert said in page.read_text("utf-8")
    assert said in short.read_text("utf-8")
    suites = ET.parse(xml).getroot()
    assert (suites.get("tests"), suites.get("failures")) == ("3", "1")
    assert said in (suites.findtext("testsuite/testcase/failure") or "")


@pytest.mark.parametrize("damage", ["unfinished", "repeated", "broken line"])
def test_what_is_not_sound_fails_any_gate(damage: str, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Missing turns, repeated ids and broken lines fail a gate that is otherwise passed; without a gate they do not."""
    turns = turns_of("1", 1)
    log = write_jsonl(tmp_path / "log.jsonl", [*turns, turns[0]] if damage == "repeated" else turns)
    if damage == "broken line":
        log.write_text(log.read_text("utf-8") + '{"question": ', encoding="utf-8")
    assert stef("score", log, "-o", tmp_path / "run").code == 0
    if damage == "unfinished":
        about = tmp_path / "run" / "run.json"
        about.write_text(about.read_text("utf-8").replace('"complete"', '"running"'), encoding="utf-8")
    assert stef("report", tmp_path / "run", "-o", tmp_path / "r.html").code == 0
    done = stef("report", tmp_path / "run", "-o", tmp_path / "r.html", "--fail-under", "mean=0")
    assert done.code == 1
    assert "gate failed: complete and valid: " in done.err


def test_two_runs(both: tuple[Path, Path], tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Two RUNs are compared, the first being the old one; a question that the new one lacks fails every gate."""
    page = tmp_path / "r.html"
    assert stef("report", *both, "-o", page).code == 0
    assert "on 8 shared questions" in page.read_text("utf-8")
    done = stef("report", *both, "-o", page, "--fail-under", "mean=1")
    assert done.code == 1
    assert "1 question of" in done.err
    done = stef("report", *both, "-o", page, "--max-regression", 50)
    assert done.code == 1
    assert "missing in B" in done.err
    several = write_jsonl(tmp_path / "several.jsonl", [{**one, "agent": one["id"]} for one in turns_of("1", 1)])
    assert stef("score", several, "-o", tmp_path / "several").code == 0
    done = stef("report", both[0], tmp_path / "several", "-o", page)
    assert done.code == 0
    assert "holds several agents" in done.err
    assert stef("report", both[0], tmp_path / "several", "-o", page, "--by", "agent").code == 2
    done = stef("report", *both, "--no-compare", "--json")
    assert json.loads(done.out)["comparison"] is None


def test_runs_that_cannot_be_compared(run: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """RUNs of different rules are shown beside each other, with the reason; a gate on their difference fails."""
    rules = tmp_path / "rules.json"
    rules.write_text('{"app": "shop", "version": "1"}', encoding="utf-8")
    log = write_jsonl(tmp_path / "log.jsonl", [{**one, "app": "shop"} for one in turns_of("2", 1)])
    assert stef("score", log, "-o", tmp_path / "other", "--rules", rules).code == 0
    done = stef("report", run, tmp_path / "other", "-o", tmp_path / "r.html")
    assert done.code == 0
    assert "not compared: not comparable" in done.err
    assert "Not compared:" in (tmp_path / "r.html").read_text("utf-8")
    assert stef("report", run, tmp_path / "other", "-o", tmp_path / "r.html", "--max-regression", 90).code == 1


def test_gold(gold: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """A gold run's page has its families with n; JUnit has a test case for each turn, gates look at its figures."""
    page, xml = tmp_path / "r.html", tmp_path / "r.xml"
    gates = ("--fail-under", "0.5", "--fail-under", "executable=0.9", "--fail-on", "bucket:wrong_values=99")
    done = stef("report", gold, "-o", page, "--junit", xml, *gates, "--max-unscored", "50%")
    assert done.code == 1
    assert "gate failed: fail-under 0.5: music-bot 1.0: correct is" in done.err
    assert "executable" not in done.err
    text = page.read_text("utf-8")
    for part in ("Families", "Retrieval", "Output", "Component", "Why turns are not right", "Ceilings", "Behaviour"):
        assert part in text
    suites = {suite.get("name"): suite for suite in ET.parse(xml).getroot()}
    cases = suites[str(gold)]
    assert int(cases.get("tests", "0")) == len(cases) > 50
    assert int(cases.get("failures", "0")) > 0
    assert int(cases.get("skipped", "0")) > 0
    assert "SQL: " in (cases.findtext("testcase/failure") or "")


def test_markdown_obeys_no_turn(both: tuple[Path, Path], stef: Callable[..., Done]) -> None:
    """Markup in agents and questions makes no picture, link, mention, markup or column of a table."""
    text = stef("report", *both, "--markdown", "-").out
    tokens = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    assert {one.type for one in inline} <= {"text", "strong_open", "strong_close", "softbreak", "text_special"}
    assert "".join(token.content for token in tokens if token.type == "html_block").strip() in {"", MARKER}
    assert text.startswith(MARKER)
    assert text.count("<") == 1
    assert "@team" not in text
    assert "#17" not in text.replace("&#", "")
    assert "http://" not in text


def test_json_is_one_document(run: Path, stef: Callable[..., Done]) -> None:
    """--json prints one document and writes no page; figures are those of the summary, and the costs add up."""
    done = stef("report", run, "--json", "--by", "agent_version")
    found = json.loads(done.out)
    assert found["kind"] == "scored"
    assert found["gates"] is None
    only = found["runs"][0]
    assert only["total"]["turns"] == 20
    assert sum(one["points"] for one in only["findings"]) == pytest.approx(100 - only["total"]["mean"])
    assert sum(one["turns"] for one in only["causes"]) <= 20
    assert "2 is better than 1" in found["comparison"]["headline"] or found["comparison"]["headline"]


def test_only_unscored(tmp_path: Path, stef: Callable[..., Done]) -> None:
    """A RUN without a single score has a page that says so, no mean of 0, and fails a gate on the mean."""
    log = write_jsonl(tmp_path / "log.jsonl", [turn("a", "1", "How many?", "SELECT ("), turn("b", "1", "A", "nope")])
    assert stef("score", log, "-o", tmp_path / "run").code == 0
    done = stef("report", tmp_path / "run", "-o", tmp_path / "r.html", "--fail-under", "mean=0")
    assert done.code == 1
    assert "mean is undefined" in done.err
    assert "No turn has a score" in (tmp_path / "r.html").read_text("utf-8")


def test_bad_input(run: Path, gold: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """What is no RUN, is empty, is given twice or of two kinds is a mistake that is named, and nothing is written."""
    (tmp_path / "folder").mkdir()
    empty = Path(shutil.copytree(run, tmp_path / "empty"))
    for part in (empty / "turns").iterdir():
        part.unlink()
    page = tmp_path / "r.html"
    for runs, said in (
        ([tmp_path / "nowhere"], "no such RUN"),
        ([tmp_path / "folder"], "holds no run.json"),
        ([empty], "holds no turns yet"),
        ([run, run], "given twice"),
        ([run, gold], "their figures do not mean the same"),
    ):
        done = stef("report", *runs, "-o", page)
        assert done.code == 2
        assert said in done.err
    done = stef("report", gold, "-o", page, "--labels", run)
    assert done.code == 2
    assert "labels are for RUNs of stef score" in done.err
    assert not page.exists()


def test_output_goes_over_reports_only(run: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """A report is written over a report or an empty file; any other file is left alone."""
    page, other = tmp_path / "r.html", tmp_path / "notes.md"
    for _ in range(2):
        assert stef("report", run, "-o", page, "--junit", tmp_path / "j.xml", "--markdown", tmp_path / "m.md").code == 0
    other.write_text("my notes", encoding="utf-8")
    for option in ("-o", "--markdown", "--junit"):
        done = stef("report", run, option, other)
        assert done.code == 2
        assert "no report of stef's; it is left alone" in done.err
    assert other.read_text("utf-8") == "my notes"
    other.write_text("", encoding="utf-8")
    assert stef("report", run, "--markdown", other).code == 0
    for path, said in ((tmp_path, "this is a folder"), (tmp_path / "no" / "r.html", "there is no folder")):
        done = stef("report", run, "-o", path)
        assert done.code == 2
        assert said in done.err
    done = stef("report", run, "-o", "-", "--json")
    assert done.code == 2
    assert "only one of them" in done.err
    assert stef("report", run, "-o", "-").out.startswith("<!doctype html>")
