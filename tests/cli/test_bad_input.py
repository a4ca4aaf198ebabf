"""What a user can get wrong: a clear message, the right exit code, nothing lost or overwritten."""

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import COMMAND, TURNS, Done, parquet_rows, write_jsonl

CASES = yaml.safe_load((Path(__file__).parent / "bad_input.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
@pytest.mark.parametrize("as_json", [False, True], ids=["", "json"])
def test_bad_input(case: dict[str, Any], as_json: bool, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """A mistake ends with its message and exit code; standard output stays empty, and files are as they were."""
    for name, content in {**case.get("files", {}), **case.get("hex", {})}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(bytes.fromhex(content) if name in case.get("hex", {}) else content.encode())
    arguments = [argument.replace("{d}", str(tmp_path)) for argument in case["args"]]
    before = {name: (tmp_path / name).read_bytes() for name in case.get("keeps", [])}
    done = stef("score", *arguments, *(["--json"] if as_json else []))
    assert done.code == case["code"], done.err
    assert [word for word in case["says"] if word not in done.err] == []
    assert done.out == ""
    assert "Traceback" not in done.err
    assert "bug in stef" not in done.err
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    if case.get("no_run"):
        assert not (tmp_path / "run").exists()


def test_a_broken_line_is_told_and_counted_and_the_rest_goes_on(tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Broken lines cost themselves alone."""
    lines = [json.dumps(turn) for turn in TURNS]
    lines[1:1] = ["{broken", '"no object"', '{"sql": "SELECT 1"}']
    (tmp_path / "log.jsonl").write_text("\n".join(lines))
    done = stef("score", tmp_path / "log.jsonl", "-o", tmp_path / "run")
    assert done.code == 0, done.err
    for place in ("log.jsonl:2: not valid JSON", "log.jsonl:3: is text, not a JSON object", "log.jsonl:4: no question"):
        assert place in done.err
    assert "3 broken lines" in done.out
    assert [row["row"] for row in parquet_rows(tmp_path / "run")] == [0, *range(4, 10)]
    assert json.loads((tmp_path / "run/run.json").read_text())["counts"] == {
        "turns": 7,
        "bad_lines": 3,
        "without_rules": 0,
    }


def test_many_broken_lines_are_told_as_a_number(tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Not a screen full of the same."""
    (tmp_path / "log.jsonl").write_text("{broken\n" * 500 + json.dumps(TURNS[0]))
    done = stef("score", tmp_path / "log.jsonl", "-o", tmp_path / "run")
    assert done.code == 0
    assert "490 more broken lines" in done.err
    assert len(done.err.splitlines()) < 20


def test_other_settings_are_named_and_nothing_is_overwritten(
    log: Path, tmp_path: Path, stef: Callable[..., Done]
) -> None:
    """A RUN made with other settings is left alone."""
    run = tmp_path / "run"
    assert stef("score", log, "-o", run).code == 0
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    for arguments, word in (
        (["--limit", "3"], "limit was null, now 3"),
        (["--dialect", "mysql"], "dialect was null"),
        (["--map", "question=id"], "map"),
    ):
        done = stef("score", log, "-o", run, *arguments)
        assert (done.code, done.out) == (2, "")
        assert word in done.err
    write_jsonl(log, TURNS[:3])
    done = stef("score", log, "-o", run)
    assert done.code == 2
    assert "log.jsonl has changed since" in done.err
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_an_unreachable_judge_stops_with_a_message(log: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Where nobody answers, no turn gets a number, and the same command can go on later."""
    arguments = ("--judge", "openai:m", "--base-url", "http://127.0.0.1:9")
    done = stef("score", log, "-o", tmp_path / "run", *arguments)
    assert done.code in (2, 3), done.err
    assert "127.0.0.1:9" in done.err
    assert "Traceback" not in done.err
    assert list((tmp_path / "run").glob("turns/*.parquet")) == []


def test_a_bug_is_one_line_and_how_to_report_it(
    log: Path, tmp_path: Path, stef: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unexpected exception ends with 3 and no traceback."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("stef.runs.summary.summarise", broken)
    done = stef("score", log, "-o", tmp_path / "run")
    assert done.code == 3
    assert "ZeroDivisionError: a bug" in done.err
    assert "--debug" in done.err
    assert "Traceback" not in done.err


def test_a_bug_on_one_turn_costs_that_turn(
    log: Path, tmp_path: Path, stef: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is unscored, as stef's own fault; the others are scored."""
    from stef.evaluator import Evaluator

    real = Evaluator.prepare_turn

    def broken(self: Evaluator, turn: Any) -> Any:
        if turn.id == "t3":
            raise ZeroDivisionError("a bug")
        return real(self, turn)

    monkeypatch.setattr(Evaluator, "prepare_turn", broken)
    assert stef("score", log, "-o", tmp_path / "run").code == 0
    reasons = {row["id"]: row["unscored_reason"] for row in parquet_rows(tmp_path / "run")}
    assert [turn for turn, reason in reasons.items() if reason == "harness_fault"] == ["t3"]


@pytest.mark.parametrize(
    ("closed", "code", "says"),
    [
        ("- -o run <&-", 2, "stdin: the file is empty"),
        ("log.jsonl -o run >&-", 0, ""),
        ("log.jsonl -o run <&- >&- 2>&-", 0, ""),
        ("none.jsonl -o run 2>&-", 2, ""),
    ],
)
def test_a_closed_stream(closed: str, code: int, says: str, tmp_path: Path) -> None:
    """A closed standard stream is nowhere: no bug, and no file that is opened next takes its place."""
    write_jsonl(tmp_path / "log.jsonl")
    command = f"{shlex.join(COMMAND)} score {closed}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert says in done.stderr
    assert "bug" not in done.stderr
    if code == 0:
        assert len(parquet_rows(tmp_path / "run")) == len(TURNS)


@pytest.mark.parametrize("what", ["findings", "--help", "score --help"])
def test_whoever_reads_goes_away(what: str, tmp_path: Path) -> None:
    """`| true` ends a command without a word."""
    command = f"{shlex.join(COMMAND)} {what} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode in (0, 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("what", ["findings", "--help"])
def test_a_full_disk(what: str, tmp_path: Path) -> None:
    """One line says it."""
    command = f"{shlex.join(COMMAND)} {what} > /dev/full"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (3, 1), done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "agree run labels.jsonl --html {file}",
        "calibrate run labels.jsonl -o {file}",
        "judge export log.jsonl -o {file} --judge openai:m",
    ],
)
def test_a_file_of_somebody_elses(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stef: Callable[..., Done]
) -> None:
    """What stef wrote itself is written anew; any other file is left alone, and so is a folder."""
    monkeypatch.chdir(tmp_path)
    turns = [
        {**TURNS[number % 4], "id": f"n{number}", "question": f"How many orders in {number}?"} for number in range(40)
    ]
    write_jsonl(tmp_path / "log.jsonl", turns)
    write_jsonl(tmp_path / "labels.jsonl", [{"id": f"n{number}", "correct": number % 4 == 0} for number in range(40)])
    assert stef("score", "log.jsonl", "-o", "run").code == 0
    (tmp_path / "mine").write_text("my own")
    (tmp_path / "folder").mkdir()
    for name, code in (("new", 0), ("new", 0), ("mine", 2), ("folder", 2), ("none/new", 2)):
        done = stef(*command.format(file=name).split())
        assert done.code == code, (name, done.err)
        assert "bug" not in done.err
    assert (tmp_path / "mine").read_text() == "my own"
    assert not (tmp_path / "none").exists()


def test_a_path_that_leads_nowhere(tmp_path: Path, stef: Callable[..., Done]) -> None:
    """A slip in `--map` or `--keep` is told, with the path; where the question is missing for it, that is the end."""
    log = write_jsonl(tmp_path / "log.jsonl")
    options = ["--map", "timestamp=at", "--map", "cost=usage.usd", "--map", "agent=bot", "--map", "agent=agent"]
    done = stef("score", log, "-o", tmp_path / "run", *options, "--keep", "nothere")
    assert done.code == 0, done.err
    assert "the first turns hold nothing for --map timestamp=at, --map cost=usage.usd, --keep nothere" in done.err
    done = stef("score", log, "-o", tmp_path / "other", "--map", "question=input.text")
    assert done.code == 2
    assert "has no question at input.text; the fields found are" in done.err


def test_what_comes_next_can_be_pasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stef: Callable[..., Done]
) -> None:
    """The command that is proposed works as it is printed, whatever the RUN and the turn are called."""
    monkeypatch.chdir(tmp_path)
    write_jsonl(tmp_path / "my log.jsonl", [{key: value for key, value in TURNS[0].items() if key != "id"}])
    done = stef("score", "my log.jsonl", "-o", "my run's")
    command = done.out.split("Next: stef ")[1].split("   (")[0]
    assert "Score " in stef(*shlex.split(command)).out


def test_a_pipe_is_called_by_its_name(stef: Callable[..., Done]) -> None:
    """Not by the place of its copy."""
    assert "stef: null: the file is empty" in stef("score", "/dev/null", "-o", "none").err
