"""`stef explain`: from a RUN, from the command line; for people, for pipes, as JSON; hostile text is harmless."""

import json
import os
import pty
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import COMMAND, TURNS, Done, write_jsonl

from stef.cli.screen import harmless
from stef.records.assessment import Assessment
from stef.records.serialise import assessment_from_json


@pytest.fixture
def run(log: Path, tmp_path: Path, stef: Callable[..., Done]) -> Path:
    """A RUN of the small log."""
    assert stef("score", log, "-o", tmp_path / "run").code == 0
    return tmp_path / "run"


@pytest.mark.parametrize("name", ["t2", "1", "#1"])
def test_a_turn_by_its_id_or_row(name: str, run: Path, stef: Callable[..., Done]) -> None:
    """Question, SQL, the arithmetic, every filter, and the judge's reasons."""
    done = stef("explain", run, name)
    assert done.code == 0, done.err
    for words in (
        "turn t2",
        "row 1",
        "agent bot 2",
        "/ 10 × 100 × Γ",
        "Question",
        "SQL",
        "Filters",
        "✗",
        "The judge's reasons",
    ):
        assert words in done.out
    assert "2023" in done.out


def test_the_arithmetic_is_the_score(run: Path, stef: Callable[..., Done]) -> None:
    """The line can be checked by hand."""
    document = json.loads(stef("explain", run, "t1", "--json").out)
    outcome = document["outcome"]
    done = stef("explain", run, "t1")
    line = next(line for line in done.out.splitlines() if "× Γ" in line)
    assert line.endswith(f"= {outcome['score']:g}")
    assert f"F {outcome['filter_score']:g} + V {outcome['verdict_score']:g} + L {outcome['laxity']:g}" in line


@pytest.mark.parametrize("name", [turn["id"] for turn in TURNS])
def test_json_is_the_full_assessment(name: str, run: Path, stef: Callable[..., Done]) -> None:
    """What --json prints reads back as the record."""
    done = stef("explain", run, name, "--json")
    assert isinstance(assessment_from_json(done.out), Assessment)
    assert done.err == ""


@pytest.mark.parametrize(
    ("name", "words"), [("t5", "unparsable (the agent's SQL)"), ("t7", "declined (the agent's behaviour)")]
)
def test_an_unscored_turn_says_whose_reason_it_is(name: str, words: str, run: Path, stef: Callable[..., Done]) -> None:
    """No number, and why."""
    done = stef("explain", run, name)
    assert words in done.out
    assert "= " not in done.out.split("Question")[0]


def test_an_unknown_id_names_the_nearest(run: Path, stef: Callable[..., Done]) -> None:
    """A mistyped id is the user's mistake, and is helped."""
    done = stef("explain", run, "t22")
    assert done.code == 2
    assert "t2" in done.err
    assert "rows 0 to 6" in done.err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "stef explain RUN ID"),
        (["--question", "q"], "--sql is missing"),
        (["--sql", "SELECT 1"], "--question is missing"),
        (["nowhere", "t1"], "no such RUN"),
        (["--question", "q", "--sql", "SELECT 1", "--now", "soon"], "--now soon"),
        (["--question", "q", "--sql", "SELECT 1", "--dialect", "postgress"], "postgres"),
    ],
)
def test_mistakes(arguments: list[str], word: str, stef: Callable[..., Done]) -> None:
    """Each ends with 2 and the way out."""
    done = stef("explain", *arguments)
    assert (done.code, done.out) == (2, "")
    assert word in done.err


def test_a_question_and_its_sql_from_the_command_line(stef: Callable[..., Done]) -> None:
    """No RUN is needed; the clock is given."""
    arguments = ("--question", "How many orders last month?", "--now", "2024-03-05")
    sql = "SELECT COUNT(*) FROM orders WHERE d >= '2024-02-01' AND d < '2024-03-01'"
    done = stef("explain", *arguments, "--sql", sql)
    assert done.code == 0, done.err
    assert "Score" in done.out
    piped = stef("explain", *arguments, "--sql", "-", stdin=sql)
    assert piped.out == done.out


HOSTILE = "How many \x1b[31mred\x1b[0m \x1b]0;title\x07 [bold]shoes[/bold] \u202etxt\x9b31m?\x00"


def test_hostile_text_is_harmless(tmp_path: Path, stef: Callable[..., Done], process: Callable[..., Done]) -> None:
    """Neither a table nor an explanation passes an escape sequence on, and markup is shown as it is."""
    turn = {
        "id": HOSTILE,
        "question": HOSTILE,
        "sql": f"SELECT '{HOSTILE}' FROM t",
        "agent": HOSTILE,
        "enriched_question": HOSTILE,
    }
    log = write_jsonl(tmp_path / "log.jsonl", [turn])
    for done in (
        process("score", log, "-o", tmp_path / "run"),
        stef("explain", tmp_path / "run", "0"),
        stef("explain", tmp_path / "run", HOSTILE),
    ):
        assert done.code == 0, done.err
        assert {char for char in done.out + done.err if ord(char) < 32 or 0x7F <= ord(char) < 0xA0} <= {"\n"}
        assert "\u202e" not in done.out + done.err
    assert "[bold]shoes[/bold]" in stef("explain", tmp_path / "run", "0").out


def on_a_terminal(*arguments: object) -> str:
    """What a command writes to a terminal of 100 columns."""
    parent, child = pty.openpty()
    environment = {**os.environ, "COLUMNS": "100", "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    command = [*COMMAND, *map(str, arguments)]
    running = subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=environment)
    os.close(child)
    pieces = []
    while True:
        try:
            piece = os.read(parent, 65536)
        except OSError:
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(parent)
    text = b"".join(pieces).decode()
    assert running.wait() == 0, text
    return text


def test_on_a_terminal_question_and_sql_stand_side_by_side(run: Path) -> None:
    """One line holds a piece of both, marks are coloured, and can be read without colour."""
    text = on_a_terminal("explain", run, "t2")
    plain = harmless(text)
    assert any("How many orders" in line and "SELECT" in line for line in plain.splitlines())
    assert "\x1b[1;31m" in text
    assert "✗" in plain


def test_on_a_terminal_hostile_text_is_harmless(tmp_path: Path) -> None:
    """The only escape sequences are our own colours."""
    text = on_a_terminal("explain", "--question", HOSTILE.replace("\x00", ""), "--sql", "SELECT 1 -- \x1b[5mblink")
    assert "\x1b]0;" not in text
    assert "\x1b[5m" not in text
    assert "\u202e" not in text
    assert "[bold]shoes[/bold]" in harmless(text)


def test_harmless_keeps_what_people_write() -> None:
    """Line ends, tabs, accents and emoji stay."""
    assert harmless("SELECT\n\t'é😀'\r\nFROM t") == "SELECT\n\t'é😀'\nFROM t"
