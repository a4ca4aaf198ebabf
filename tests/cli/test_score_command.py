"""`stef score`: logs of every format → RUN → table and JSON; going on after a stop."""

import gzip
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import COMMAND, TURNS, Done, parquet_rows, write_jsonl

ISSUE_COLUMNS = set(
    """
    row id agent agent_version app timestamp status score band filter_alignment filter_score verdict verdict_score
    laxity confidence p_correct multiplier base enrichment missing_filters extra_filters benign_filters unscored_reason
    unscored_kind judge rules_hash prompts_hash assessment
    """.split()  # noqa: SIM905  a list of names reads better as text
)


def test_a_log_becomes_a_run_and_a_table(log: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """The table comes first; the RUN holds every turn in order, scored or with a reason, and no other Parquet."""
    run = tmp_path / "run"
    done = stef("score", log, "-o", run)
    assert done.code == 0, done.err
    for words in ("symbolic, no LLM", "mean", "P90", "coverage", "readable", "excellent", f"The run lies in {run}"):
        assert words in done.out
    assert f"stef explain {run} " in done.out
    rows = parquet_rows(run)
    assert [(row["row"], row["id"]) for row in rows] == [(row, turn["id"]) for row, turn in enumerate(TURNS)]
    assert rows[0].keys() >= ISSUE_COLUMNS
    for row in rows:
        scored = row["status"] == "scored"
        assert (row["score"] is not None) == scored == (row["unscored_reason"] is None)
        assert row["unscored_kind"] in ((None,) if scored else ("agent", "behaviour", "stef"))
        assert json.loads(row["assessment"])["question"] == row["question"]
    assert {row["id"]: row["unscored_reason"] for row in rows if row["unscored_reason"]} == {
        "t5": "unparsable",
        "t6": "empty",
        "t7": "declined",
    }
    files = sorted(str(path.relative_to(run)) for path in run.rglob("*") if path.is_file())
    assert files == ["run.json", "turns/part-00000.parquet"]
    about = json.loads((run / "run.json").read_text())
    assert about["state"] == "complete"
    assert about["settings"]["evaluation"]["judge"] == "symbolic"


def test_formats_give_the_same_run(tmp_path: Path, stef: Callable[..., Done], process: Callable[..., Done]) -> None:
    """JSONL, JSON, CSV, TSV, Parquet, packed, in pieces, by glob, folder and standard input: equal rows."""
    import csv

    import pyarrow as pa
    import pyarrow.parquet as pq

    turns = [turn for turn in TURNS if turn["sql"]]
    whole = write_jsonl(tmp_path / "a.jsonl", turns)
    (tmp_path / "a.json").write_text(json.dumps(turns, indent=1))
    names = list(dict.fromkeys(name for turn in turns for name in turn))
    for name, delimiter in (("a.csv", ","), ("b.csv", ";"), ("a.tsv", "\t")):
        with (tmp_path / name).open("w", newline="") as file:
            writer = csv.DictWriter(file, names, delimiter=delimiter)
            writer.writeheader()
            writer.writerows(turns)
    pq.write_table(pa.Table.from_pylist([dict.fromkeys(names) | turn for turn in turns]), tmp_path / "a.parquet")
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(whole.read_bytes()))
    pieces = tmp_path / "pieces"
    pieces.mkdir()
    write_jsonl(pieces / "1.jsonl", turns[:2])
    write_jsonl(pieces / "2.jsonl", turns[2:])
    inputs = ["a.jsonl", "a.json", "a.csv", "b.csv", "a.tsv", "a.parquet", "a.jsonl.gz", "pieces", "pieces/*.jsonl"]
    rows = {}
    for index, name in enumerate(inputs):
        done = stef("score", tmp_path / name, "-o", tmp_path / f"run{index}")
        assert done.code == 0, (name, done.err)
        rows[name] = parquet_rows(tmp_path / f"run{index}", without=["place"])
    done = process("score", "-", "-o", tmp_path / "stdin", stdin=whole.read_bytes())
    assert done.code == 0, done.err
    rows["-"] = parquet_rows(tmp_path / "stdin", without=["place"])
    assert [name for name in rows if rows[name] != rows["a.jsonl"]] == []
    assert [row["id"] for row in rows["-"]] == [turn["id"] for turn in turns]


def test_json_is_one_document_and_nothing_else(log: Path, tmp_path: Path, process: Callable[..., Done]) -> None:
    """Standard output parses as it is; remarks go to standard error."""
    log.write_text(log.read_text() + "{broken\n")
    done = process("score", log, "-o", tmp_path / "run", "--json")
    document = json.loads(done.out)
    assert document["complete"] is True
    assert document["judged_by"] == "symbolic, no LLM"
    assert document["turns"] == 7
    assert document["bad_lines"]["count"] == 1
    assert document["total"]["unscored_kinds"] == {"agent": 2, "behaviour": 1}
    assert document["total"]["coverage"] == pytest.approx(4 / 7)
    assert {agent["agent_version"]: agent["turns"] for agent in document["agents"]} == {"1": 4, "2": 3}
    assert "broken line" in done.err
    again = process("score", log, "-o", tmp_path / "run", "--json")
    assert json.loads(again.out) == {**document, "already_complete": True}
    assert "already complete" in again.err


def test_a_complete_run_prints_its_table_again(log: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """The same command on a finished run: its table, "already complete", and nothing is touched."""
    first = stef("score", log, "-o", tmp_path / "run")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*")}
    second = stef("score", log, "-o", tmp_path / "run")
    assert second.code == 0
    assert "already complete" in second.err
    assert second.out == first.out
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*")} == before


def test_limit(log: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """The first N turns, not lines."""
    log.write_text("{broken\n" + log.read_text())
    assert stef("score", log, "-o", tmp_path / "run", "--limit", 2).code == 0
    assert [row["id"] for row in parquet_rows(tmp_path / "run")] == ["t1", "t2"]


def test_duplicate_ids_are_kept_and_counted(tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Every row stays, and the table says how many share an id."""
    log = write_jsonl(tmp_path / "log.jsonl", [TURNS[0], TURNS[1], TURNS[0]])
    done = stef("score", log, "-o", tmp_path / "run", "--json")
    assert json.loads(done.out)["duplicate_ids"] == 1
    assert [row["id"] for row in parquet_rows(tmp_path / "run")] == ["t1", "t2", "t1"]
    explained = stef("explain", tmp_path / "run", "t1")
    assert explained.code == 0
    assert "'#0', '#2'" in explained.err
    assert stef("explain", tmp_path / "run", "#2").code == 0


def test_kept_and_unused_fields(tmp_path: Path, stef: Callable[..., Done]) -> None:
    """A kept field is metadata; one that is not used is named once."""
    turns = [{**turn, "user": {"name": "bo"}, "noise": 1} for turn in TURNS]
    done = stef("score", write_jsonl(tmp_path / "log.jsonl", turns), "-o", tmp_path / "run", "--keep", "user.name")
    assert done.err.count("noise") == 1
    assert json.loads(parquet_rows(tmp_path / "run")[0]["metadata"]) == {"user.name": "bo"}


def test_turns_of_an_app_without_rules_are_counted(tmp_path: Path, stef: Callable[..., Done]) -> None:
    """A folder of rules chooses by the turn's app; who has none is named."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/shop.json").write_text(json.dumps({"app": "shop"}))
    turns = [{**turn, "app": app} for turn, app in zip(TURNS, ["shop", "shop", "erp", None], strict=False)]
    log = write_jsonl(tmp_path / "log.jsonl", turns)
    done = stef("score", log, "-o", tmp_path / "run", "--rules", tmp_path / "rules")
    assert done.code == 0, done.err
    assert "2 turns of an app without rules of its own, under the default ones: erp, (none)" in done.out


def many(path: Path, turns: int) -> Path:
    """A log long enough to be killed in the middle, with a broken line in every third part."""
    lines = []
    for index in range(turns):
        turn = {**TURNS[index % len(TURNS)], "id": f"n{index}"}
        lines.append("{broken" if index % 150 == 7 else json.dumps(turn))
    path.write_text("\n".join(lines))
    return path


def start(*arguments: object) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([*COMMAND, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for(path: Path, running: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 120
    while not path.exists():
        assert running.poll() is None, running.communicate()[1].decode()
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on(how: signal.Signals, tmp_path: Path, process: Callable[..., Done]) -> None:
    """Finished parts stay as they are, and in the end the RUN is what an undisturbed one is, column for column."""
    log = many(tmp_path / "log.jsonl", 3000)
    arguments = ("score", log, "--part-rows", 50)
    running = start(*arguments, "-o", tmp_path / "run")
    wait_for(tmp_path / "run/turns/part-00003.parquet", running)
    running.send_signal(how)
    _, err = running.communicate()
    if how is signal.SIGINT:
        assert running.returncode == 130
        assert "the same command goes on" in err.decode()
        assert "Traceback" not in err.decode()
    assert json.loads((tmp_path / "run/run.json").read_text())["state"] == "running"
    finished = {path: path.stat().st_mtime_ns for path in (tmp_path / "run/turns").glob("*.parquet")}
    assert len(finished) < 60
    assert process(*arguments, "-o", tmp_path / "run").code == 0
    assert process(*arguments, "-o", tmp_path / "whole").code == 0
    assert {path: path.stat().st_mtime_ns for path in finished} == finished
    assert parquet_rows(tmp_path / "run") == parquet_rows(tmp_path / "whole")
    abouts = [json.loads((tmp_path / name / "run.json").read_text()) for name in ("run", "whole")]
    assert abouts[0] == abouts[1]
    assert [path.name for path in (tmp_path / "run/turns").iterdir() if path.suffix != ".parquet"] == []


def test_part_k_holds_its_input_rows(tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Part k holds the input rows from k × N on; a part without a turn is not written."""
    import pyarrow.parquet as pq

    lines = [json.dumps({**TURNS[0], "id": str(index)}) for index in range(9)]
    lines[3:6] = ["{broken"] * 3
    (tmp_path / "log.jsonl").write_text("\n".join(lines))
    assert stef("score", tmp_path / "log.jsonl", "-o", tmp_path / "run", "--part-rows", 3).code == 0
    rows = {path.name: pq.read_table(path)["row"].to_pylist() for path in sorted((tmp_path / "run/turns").iterdir())}
    assert rows == {"part-00000.parquet": [0, 1, 2], "part-00002.parquet": [6, 7, 8]}


def test_two_at_once(tmp_path: Path, process: Callable[..., Done]) -> None:
    """A RUN that is being written is not written by a second process."""
    log = many(tmp_path / "log.jsonl", 12_000)
    running = start("score", log, "-o", tmp_path / "run", "--part-rows", 50)
    try:
        wait_for(tmp_path / "run/turns/part-00000.parquet", running)
        done = process("score", log, "-o", tmp_path / "run", "--part-rows", 50)
    finally:
        running.kill()
        running.communicate()
    assert done.code == 2
    assert "another stef" in done.err


def test_a_reader_that_goes_away_is_no_failure(log: Path, tmp_path: Path) -> None:
    """`stef score … | head -1` ends quietly."""
    read, write = os.pipe()
    running = subprocess.Popen(
        [*COMMAND, "score", str(log), "-o", str(tmp_path / "run")], stdout=write, stderr=subprocess.PIPE
    )
    os.close(read)
    os.close(write)
    _, err = running.communicate()
    assert "Traceback" not in err.decode()
    assert "Error" not in err.decode()


def test_duckdb_reads_turns_as_they_are(log: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """A RUN is a table for whoever has DuckDB."""
    import duckdb

    stef("score", log, "-o", tmp_path / "run", "--part-rows", 2)
    query = f"SELECT count(*), count(score), max(len(missing_filters)) FROM '{tmp_path}/run/turns/*.parquet'"
    assert duckdb.sql(query).fetchall()[0][:2] == (7, 4)
