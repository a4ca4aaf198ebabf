"""`stef agree`: tables, JSON, the page, and labels that are not what they should be."""

import csv
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from command_line import Done, turn, write_jsonl

HOSTILE = '</td><script>alert(1)</script> "quoted" & customers \u202egnp.exe \x1b[31mred'
QUESTIONS = ["Oslo", "Rome", "Lima", "Bern", "Kyiv", "Baku", "Riga", "Doha"]


def log_of(cities: list[str]) -> list[dict[str, Any]]:
    """For each city one turn that filters on it and one that forgets to, and one that is no SQL."""
    turns = []
    for number, city in enumerate(cities):
        question = f"How many customers live in {city}?"
        right = f"SELECT COUNT(*) FROM customers WHERE city = '{city}'"
        turns.append(turn(f"{number}-right", "1", question, right, database="shop", difficulty="easy"))
        turns.append(turn(f"{number}-wrong", "2", question, "SELECT COUNT(*) FROM customers", database="shop"))
    turns.append(turn("broken", "1", "How many customers are there?", "SELECT COUNT( FROM"))
    turns.append(turn("hostile", "2", HOSTILE, "SELECT name FROM customers WHERE city = 'x'", database=HOSTILE))
    return turns


@pytest.fixture
def run(tmp_path: Path, stef: Callable[..., Done]) -> Path:
    """A RUN of 18 turns."""
    log = write_jsonl(tmp_path / "log.jsonl", log_of(QUESTIONS))
    assert stef("score", log, "-o", tmp_path / "run", "--keep", "difficulty").code == 0
    return tmp_path / "run"


def labels_of(path: Path, labels: dict[str, Any], header: tuple[str, str] = ("id", "correct")) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(labels.items())
    return path


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Labels of all turns."""
    right = {f"{number}-right": "yes" for number in range(len(QUESTIONS))}
    wrong = {f"{number}-wrong": "no" for number in range(len(QUESTIONS))}
    return labels_of(tmp_path / "labels.csv", {**right, **wrong, "broken": "no", "hostile": "yes"})


def test_tables(run: Path, labels: Path, stef: Callable[..., Done]) -> None:
    """What was compared, how it is counted, and what to read."""
    done = stef("agree", run, labels)
    assert done.code == 0, done.err
    for text in (
        "18 labelled turns of 18",
        "judged by: symbolic, no LLM",
        "Accepted as right: p_correct ≥ 0.5",
        "95 %, 1,000 bootstrap resamples of whole questions, seed 0",
        "accuracy",
        "Cohen's κ",
        "AUC within a question",
        "false accepts",
        "Unscored: 1 labelled turn (5.6 %)",
        "unparsable",
        "8 questions with both kinds",
        "To halve the intervals: 68 labels in place of 17",
        "9 questions only: the intervals are rough",
    ):
        assert text in done.out, text
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out


def test_json_is_one_document_with_every_figure(run: Path, labels: Path, stef: Callable[..., Done]) -> None:
    """Counts add up, figures have their intervals, and what decides them is named."""
    done = stef("agree", run, labels, "--json", "--by", "agent,version,verdict,difficulty", "--level", 90, "--seed", 4)
    assert done.code == 0, done.err
    document = json.loads(done.out)
    overall = document["overall"]
    assert document["labelled"] == 18
    assert document["coverage"] == pytest.approx(17 / 18)
    assert document["unscored"] == [{"reason": "unparsable", "right": 0, "wrong": 1, "turns": 1}]
    assert sum(overall["confusion"].values()) == overall["scored"] == 17
    assert overall["questions_with_both"] == 8
    assert overall["figures"]["within_question"]["value"] == 1.0
    assert document["intervals"] == {
        "level": 0.9,
        "method": "bootstrap clustered by question",
        "resamples": 1000,
        "seed": 4,
    }
    low, high = overall["figures"]["auc"]["interval"]
    assert 0.0 <= low <= overall["figures"]["auc"]["value"] <= high <= 1.0
    assert [(one["by"], one["value"], one["labelled"]) for one in document["slices"] if one["by"] != "verdict"] == [
        ("agent", "bot", 18),
        ("version", "1", 9),
        ("version", "2", 9),
        ("difficulty", "easy", 8),
    ]
    assert sum(part["turns"] for part in overall["reliability"]) == 17
    for one in document["disagreements"]:
        assert (one["p_correct"] >= 0.5) == (one["label"] == "wrong")
        assert one["explain"].endswith(f"'#{one['row']}'")


def test_the_same_command_gives_the_same_figures(run: Path, labels: Path, stef: Callable[..., Done]) -> None:
    """Intervals are seeded."""
    assert stef("agree", run, labels, "--json").out == stef("agree", run, labels, "--json").out


def test_a_threshold_moves_the_counts_and_is_named(run: Path, labels: Path, stef: Callable[..., Done]) -> None:
    """At 0 every turn is accepted; the AUC does not care."""
    everything = json.loads(stef("agree", run, labels, "--json", "--threshold", 0).out)
    half = json.loads(stef("agree", run, labels, "--json").out)
    assert everything["overall"]["figures"]["false_accepts"]["value"] == 1.0
    assert everything["overall"]["figures"]["auc"]["value"] == half["overall"]["figures"]["auc"]["value"]
    assert "p_correct ≥ 0.8" in stef("agree", run, labels, "--threshold", 0.8).out
    assert stef("agree", run, labels, "--threshold", 1.5).code == 2


class Page(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag, and what it could fetch or run."""
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "action") or name[:2] == "on"]

    def handle_data(self, data: str) -> None:
        """Note text."""
        self.text += data


def test_the_page_is_whole_and_safe(run: Path, labels: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Both curves are in it, nothing is fetched, and what a user asked stays text."""
    labels.write_text(labels.read_text().replace("hostile,yes", "hostile,no"))
    options = ("--html", tmp_path / "page.html", "--by", "database,verdict", "--threshold", 0)
    assert stef("agree", run, labels, *options).code == 0
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.tags.count("svg") == 2
    assert "script" not in page.tags
    assert page.links == []
    for drawing in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ET.fromstring(drawing)
    assert "http" not in text.replace("http-equiv", "")
    assert "prefers-color-scheme: dark" in text
    assert page.text.count("</td><script>alert(1)</script>") == 2  # its question, and its database
    assert "\u202e" not in text
    assert "\x1b" not in text


def test_the_page_and_json_together(run: Path, labels: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """JSON alone stands on standard output."""
    done = stef("agree", run, labels, "--html", tmp_path / "page.html", "--json")
    assert json.loads(done.out)["run"] == str(run)
    assert (tmp_path / "page.html").exists()
    assert stef("agree", run, labels, "--html", tmp_path).code == 2
    assert stef("agree", run, labels, "--html", tmp_path / "no" / "page.html").code == 2


def test_mapped_labels_of_rows(run: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Labels may name rows, under any name of the field."""
    path = labels_of(tmp_path / "l.csv", {"#0": "right", "#1": "wrong"}, ("turn", "review"))
    done = stef("agree", run, path, "--map", "id=turn", "--map", "correct=review", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["labelled"] == 2


def test_labels_can_be_sliced_by(run: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """A column of the labels is a slice as well."""
    path = tmp_path / "l.jsonl"
    write_jsonl(
        path, [{"id": f"{n}-right", "correct": True, "hardness": "hard" if n % 2 else "easy"} for n in range(8)]
    )
    document = json.loads(stef("agree", run, path, "--by", "hardness", "--json").out)
    assert [(one["value"], one["labelled"]) for one in document["slices"]] == [("easy", 4), ("hard", 4)]


def test_few_labels_say_so(run: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Counts, and no interval."""
    done = stef("agree", run, labels_of(tmp_path / "l.csv", {"0-right": "yes", "0-wrong": "no", "1-wrong": "no"}))
    assert done.code == 0
    assert "3 labelled turns: too few for intervals" in done.out
    assert "To halve" not in done.out


@pytest.mark.parametrize(("word", "other"), [("yes", "wrong"), ("no", "right")])
def test_one_kind_of_label_says_so(word: str, other: str, run: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """What needs both kinds is a dash, and accuracy is still there."""
    path = labels_of(tmp_path / "l.csv", {f"{number}-right": word for number in range(8)})
    done = stef("agree", run, path)
    assert done.code == 0
    assert f"Label some turns that may be {other}" in done.out
    document = json.loads(stef("agree", run, path, "--json").out)
    assert document["overall"]["figures"]["auc"] == {"value": None, "interval": None}
    assert document["overall"]["figures"]["accuracy"]["value"] is not None


def test_only_unscored_turns_are_labelled(run: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Nothing to compare is no error, and no number."""
    path = labels_of(tmp_path / "l.csv", {"broken": "no"})
    done = stef("agree", run, path, "--html", tmp_path / "page.html")
    assert done.code == 0, done.err
    assert "No labelled turn has a score" in done.out
    assert "unparsable" in done.out
    assert json.loads(stef("agree", run, path, "--json").out)["overall"]["figures"]["accuracy"]["value"] is None


def test_labels_that_do_not_fit_are_counted(run: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Each kind of trouble once, with an example."""
    path = tmp_path / "l.csv"
    path.write_text(
        "id,correct\n0-right,yes\n0-right,1\n1-right,yes\n1-right,no\nnobody,yes\n,yes\n2-right,hm\n3-right,\n"
    )
    done = stef("agree", run, path)
    assert done.code == 0, done.err
    for text in (
        "1 id with contradicting labels: left out, such as 1-right (l.csv:4, l.csv:5)",
        "1 label given twice: counted once",
        "1 label of a turn that is not in the RUN: left out, such as nobody",
        "1 label without an id: left out, such as l.csv:7",
        "1 label that says neither right nor wrong: left out, such as l.csv:8: 'hm'",
        "1 record without a label yet",
    ):
        assert text in done.out, text
    document = json.loads(stef("agree", run, path, "--json").out)
    assert document["labels"]["used"] == document["labelled"] == 1
    assert len(document["remarks"]) == 6


def test_an_id_of_several_turns(tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Alike, the first is taken; different, nobody knows which one was labelled."""
    alike = turn("same", "1", "How many customers live in Oslo?", "SELECT COUNT(*) FROM customers WHERE city = 'Oslo'")
    turns = [alike, alike, turn("two", "1", "How many orders?", "SELECT 1"), turn("two", "1", "How many?", "SELECT 2")]
    assert stef("score", write_jsonl(tmp_path / "log.jsonl", turns), "-o", tmp_path / "run").code == 0
    done = stef("agree", tmp_path / "run", labels_of(tmp_path / "l.csv", {"same": "yes", "two": "no"}))
    assert done.code == 0, done.err
    assert "1 labelled turn of 4" in done.out
    assert "1 labelled id that several different turns share: left out; label rows instead" in done.out
    assert "1 turn with the same id, question and SQL as a labelled one: left out" in done.out
    only = stef("agree", tmp_path / "run", labels_of(tmp_path / "l.csv", {"two": "no"}))
    assert only.code == 2
    assert "#17" in only.err
    rows = stef("agree", tmp_path / "run", labels_of(tmp_path / "l.csv", {"#2": "no", "#3": "yes"}), "--json")
    assert json.loads(rows.out)["labelled"] == 2


@pytest.mark.parametrize(
    ("text", "arguments", "says"),
    [
        ("id,correct\nnobody,yes\n", [], ["none of 1 labels has the id of a turn", "nobody", "0-right"]),
        ("id,correct\n0-right,yes\n0-right,no\n", [], ["contradicted"]),
        ("id,correct\n0-right,perhaps\n", [], ["no label can be read", "perhaps"]),
        ("id,correct\n0-right,yes\n", ["--by", "agnet"], ["agnet", "did you mean agent"]),
        ("id,correct\n0-right,yes\n", ["--map", "id"], ["id=PATH"]),
        ("id,correct\n0-right,yes\n", ["--encoding", "utf-9"], ["unknown encoding"]),
        ("", [], ["empty"]),
    ],
)
def test_mistakes_end_with_a_message(
    text: str, arguments: list[str], says: list[str], run: Path, tmp_path: Path, stef: Callable[..., Done]
) -> None:
    """Exit code 2, and nothing on standard output."""
    (tmp_path / "l.csv").write_text(text)
    done = stef("agree", run, tmp_path / "l.csv", *arguments, "--json")
    assert (done.code, done.out) == (2, "")
    assert [word for word in says if word not in done.err] == []
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", ["agree", "calibrate"])
def test_help_has_examples(command: str, stef: Callable[..., Done]) -> None:
    """Both commands show how they are called."""
    done = stef(command, "--help")
    assert done.code == 0
    assert f"stef {command} run labels.csv" in done.out


def test_no_run(labels: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Neither a missing folder nor a log is a RUN."""
    assert stef("agree", tmp_path / "nowhere", labels).code == 2
    assert stef("agree", tmp_path, labels).code == 2
    assert stef("agree", tmp_path / "run", tmp_path / "no.csv").code == 2
