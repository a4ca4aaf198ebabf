"""`stef compare`: what it prints, JSON, gates and exit codes, and RUNs that are not what they should be."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import Done, turn, write_jsonl

HOSTILE = "How many gnp.exe\u202e orders\x1b[31m?\n\nrm -rf"
CITIES = ["Oslo", "Rome", "Lima", "Bern", "Kyiv", "Baku", "Riga", "Doha"]


def log_of(version: str, good: int) -> list[dict[str, Any]]:
    """Eight questions, of which the first `good` are answered; the others forget the filter. One is hostile."""
    turns = []
    for number, city in enumerate(CITIES):
        sql = "SELECT COUNT(*) FROM customers" + (f" WHERE city = '{city}'" if number < good else "")
        question = f"How many customers live in {city}?"
        turns.append(turn(f"{version}-{number}", version, question, sql, database="shop"))
    turns.append(turn(f"{version}-hostile", version, HOSTILE, "SELECT COUNT(*) FROM orders"))
    return turns


@pytest.fixture
def runs(tmp_path: Path, stef: Callable[..., Done]) -> tuple[Path, Path]:
    """Two RUNs: the old version is right on two questions, the new one on seven; it breaks the SQL of one more."""
    new = log_of("2", 7)
    new[-1]["sql"] = "SELECT COUNT( FROM"
    for name, turns in (("old", log_of("1", 2)), ("new", new)):
        write_jsonl(tmp_path / f"{name}.jsonl", turns)
        assert stef("score", tmp_path / f"{name}.jsonl", "-o", tmp_path / name, "-q").code == 0
    return tmp_path / "old", tmp_path / "new"


def test_prints_the_sentence_first(stef: Callable[..., Done], runs: tuple[Path, Path]) -> None:
    """The first line answers the question; a small sample is said; regressions come with what changed."""
    done = stef("compare", *runs)
    assert done.code == 0, done.err
    first, second, *_ = done.out.splitlines()
    assert first.startswith(("new is better than old by", "no difference can be shown on 8 shared questions"))
    assert second.startswith("The sample is small: ")
    assert "1 became unreadable, 0 ceased to be, 0 on both sides: p = 0.500 (McNemar, mid-p)" in done.out
    assert "Regressions: 1 question" in done.out
    assert "unreadable  How many gnp.exe orders? rm -rf" in done.out
    assert f"Next: stef explain {runs[1]} '#8'" in done.out


def test_nothing_hostile_is_printed(stef: Callable[..., Done], runs: tuple[Path, Path]) -> None:
    """Escape sequences, marks that reorder text and line breaks in questions do not reach the terminal."""
    done = stef("compare", *runs, "--list", "50")
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    assert "\nrm -rf" not in done.out
    assert "orders? rm -rf" in done.out


def test_json_is_one_document(stef: Callable[..., Done], runs: tuple[Path, Path]) -> None:
    """All of it, with the sentence, nothing else on standard output."""
    done = stef("compare", *runs, "--json")
    found = json.loads(done.out)
    assert found["headline"]
    assert found["main"]["difference"]["pairs"] == 8
    assert found["as_zero"]["difference"]["pairs"] == 9
    assert found["regressions"][0]["kind"] == "unreadable"
    assert found["gate"] is None
    assert (found["a"]["name"], found["b"]["name"]) == ("old", "new")


def test_the_same_seed_gives_the_same(process: Callable[..., Done], runs: tuple[Path, Path]) -> None:
    """Two processes print the same, byte for byte."""
    assert process("compare", *runs, "--json").out == process("compare", *runs, "--json").out


def test_by_version_in_one_run(tmp_path: Path, stef: Callable[..., Done]) -> None:
    """--by splits one RUN; the sides carry the values' names."""
    write_jsonl(tmp_path / "both.jsonl", [*log_of("v9", 2), *log_of("v10", 8)])
    assert stef("score", tmp_path / "both.jsonl", "-o", tmp_path / "both", "-q").code == 0
    done = stef("compare", tmp_path / "both", "--by", "agent_version", "--json")
    assert [json.loads(done.out)[side]["name"] for side in "ab"] == ["v9", "v10"]


def test_gates(stef: Callable[..., Done], runs: tuple[Path, Path]) -> None:
    """Exit 1 only where a gate was set and fails; the reasons stand on standard error and in the JSON."""
    old, new = runs
    assert stef("compare", new, old).code == 0
    assert stef("compare", old, new, "--fail-on-regression", "--max-regression", "0").code in (0, 1)
    done = stef("compare", new, old, "--max-regression", "5", "--json")
    assert done.code == 1
    assert "stef: gate failed: score is lower by" in done.err
    gate = json.loads(done.out)["gate"]
    assert gate["passed"] is False
    assert gate["failures"]


def test_a_missing_question_fails_a_gate(tmp_path: Path, stef: Callable[..., Done], runs: tuple[Path, Path]) -> None:
    """A question that B no longer answers fails a gate, and nothing without one."""
    write_jsonl(tmp_path / "short.jsonl", log_of("2", 7)[1:])
    stef("score", tmp_path / "short.jsonl", "-o", tmp_path / "short", "-q")
    assert stef("compare", runs[0], tmp_path / "short").code == 0
    done = stef("compare", runs[0], tmp_path / "short", "--max-regression", "100")
    assert done.code == 1
    assert "missing in B: 1 question of A's, such as 1-0" in done.err


BAD = {
    "not a RUN": (["compare", ".", "nowhere"], "no RUN (it holds no run.json)"),
    "not there": (["compare", "OLD", "nowhere"], "nowhere: no such RUN"),
    "twice": (["compare", "OLD", "OLD"], "are the same RUN"),
    "alone": (["compare", "OLD"], "one RUN alone"),
    "one value": (["compare", "OLD", "--by", "agent_version"], "there is nothing to compare it with"),
    "no such field": (["compare", "OLD", "--by", "team"], "no turn of"),
    "no key": (["compare", "OLD", "NEW", "--key", "ticket"], "--key ticket: no turn"),
    "no slice": (["compare", "OLD", "NEW", "--slice", "team"], "--slice team: no turn has it"),
    "an outcome": (["compare", "OLD", "NEW", "--slice", "verdict"], "would show A's bad luck as progress"),
    "sides by outcome": (["compare", "OLD", "--by", "finding"], "this is what came of a turn"),
    "nothing in common": (["compare", "OLD", "LONE"], "nothing can be compared"),
    "too many picked": (["compare", "OLD", "NEW", "--pick", "a,b,c"], "--pick takes one value of each side"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(stef: Callable[..., Done], runs: tuple[Path, Path], name: str) -> None:
    """A mistake ends with exit 2 and one message that says the way out: no traceback, nothing on standard output."""
    arguments, message = BAD[name]
    log = write_jsonl(runs[0].parent / "lone.jsonl", [turn("l", "1", "Anything else?", "SELECT 1", database="other")])
    stef("score", log, "-o", lone := runs[0].parent / "lone", "-q")
    places = {"OLD": runs[0], "NEW": runs[1], "LONE": lone}
    done = stef(*(places.get(argument, argument) for argument in arguments))
    assert done.code == 2
    assert message in done.err
    assert done.out == ""
    assert "Traceback" not in done.err


def test_other_rules_are_refused(tmp_path: Path, stef: Callable[..., Done], runs: tuple[Path, Path]) -> None:
    """Scored under other rules: not comparable, exit 2; with --anyway the warning is the first line."""
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps({"app": "shop", "scoring": {"verdict": {"likely_correct": 3}}}))
    assert stef("score", tmp_path / "new.jsonl", "--rules", rules, "-o", tmp_path / "other", "-q").code == 0
    done = stef("compare", runs[0], tmp_path / "other")
    assert done.code == 2
    assert "stef: not comparable: different judge or rules: rules of " in done.err
    assert stef("compare", runs[0], tmp_path / "other", "--anyway").out.startswith("Not comparable, and shown only")


def test_gold_runs(tmp_path: Path, stef: Callable[..., Done], repo: Path) -> None:
    """The example's two versions, case by case, with families and their n."""
    gold = repo / "examples" / "gold"
    arguments = [
        "--db",
        f"sqlite:///{gold / 'music.sqlite'}",
        "--agent",
        f"replay:{gold / 'turns.jsonl'}",
        "--paraphrases",
    ]
    assert stef("gold", "run", gold / "cases.yaml", *arguments, "-o", tmp_path / "gold").code == 0
    done = stef("compare", tmp_path / "gold", "--by", "agent_version")
    assert done.code == 0, done.err
    assert done.out.startswith("2.0 is right more often than 1.0 by ")
    assert "columns_recall" in done.out
    assert "stef gold explain" in done.out


def test_help_has_an_example(stef: Callable[..., Done]) -> None:
    """--help shows how it is used."""
    assert "stef compare run-v7 run-v8" in stef("compare", "--help").out
