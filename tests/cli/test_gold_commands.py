"""`stef gold`: what its commands print, and how they end."""

import json
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import COMMAND, Done

Stef = Callable[..., Done]


@pytest.fixture
def example(repo: Path) -> Path:
    """The gold set that is shipped."""
    return repo / "examples" / "gold"


@pytest.fixture
def arguments(example: Path, tmp_path: Path) -> list[str]:
    """`stef gold run` over the example."""
    command = ["gold", "run", str(example / "cases.yaml"), "--db", f"sqlite:///{example / 'music.sqlite'}"]
    return [*command, "--agent", f"replay:{example / 'turns.jsonl'}", "--paraphrases", "-o", str(tmp_path / "run")]


@pytest.fixture
def run(stef: Stef, arguments: list[str]) -> Path:
    """A finished RUN of the example."""
    done = stef(*arguments)
    assert done.code == 0, done.err
    return Path(arguments[-1])


def rows_of(run: Path) -> list[dict[str, Any]]:
    """All rows of a gold RUN."""
    import pyarrow.parquet as pq

    return [row for part in sorted((run / "results").glob("*.parquet")) for row in pq.read_table(part).to_pylist()]


def test_the_example_is_as_its_readme_says(run: Path, example: Path) -> None:
    """Every ✓ and ✗ of the table in examples/gold/README.md, phrasing by phrasing."""
    said: dict[tuple[str, str], list[str]] = {}
    for line in (example / "README.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and (marks := re.findall("[✓✗]|held out", cells[1])):
            case = cells[0].split(" ")[0]
            said[case, "1.0"] = marks
            said[case, "2.0"] = re.findall("[✓✗]|held out", cells[2])
    marks = {True: "✓", False: "✗", None: "held out"}
    found: dict[tuple[str, str], list[str]] = {}
    for row in rows_of(run):
        found.setdefault((row["case_id"], row["agent_version"]), []).append(marks[row["correct"]])
    assert found.keys() == said.keys()
    for key, verdicts in found.items():
        # One mark may stand for all phrasings.
        assert verdicts == said[key] or set(verdicts) == set(said[key]), key


def test_tables(stef: Stef, arguments: list[str]) -> None:
    """Scorer faults first, then ceilings, then the agents with their n, then family by family."""
    out = stef(*arguments).out
    order = ["Scorer faults: none", "Ceilings (turns):", "Held out of every mean", "executable", "Output: mean (n)"]
    order += [
        "Components: mean (n)",
        "Why turns are not right",
        "How the turns ended",
        "Questions in several phrasings",
    ]
    order += ["Errors, by whose they are", "Correct by category", "Correct by difficulty", "Time\n", "The run lies in"]
    places = [out.index(text) for text in order]
    assert places == sorted(places)
    assert "music-bot 2.0     29        0         1     100.0 %   85.7 %  68.5 to 94.3 %  28" in out


def test_json(stef: Stef, arguments: list[str]) -> None:
    """One document and nothing else; the same command again asks nobody."""
    first = json.loads(stef(*arguments, "--json").out)
    assert first["cases"] == 26
    assert [agent["agent"] for agent in first["agents"]] == ["music-bot 1.0", "music-bot 2.0"]
    assert first["scorer_faults"] == []
    assert first["run_ceilings"]["no_retriever"] is True
    again = stef(*arguments, "--json")
    assert json.loads(again.out)["already_complete"] is True


def test_an_agent_that_prints_leaves_the_document_alone(stef: Stef, example: Path, tmp_path: Path) -> None:
    """What Python code of the user's prints goes to standard error; so does a notice of cases that were left out."""
    agent = tmp_path / "chatty.py"
    agent.write_text("print('here')\n\ndef ask(question):\n    print('hm')\n    return {'sql': 'SELECT 1'}\n", "utf-8")
    cases = tmp_path / "cases.yaml"
    cases.write_text("- {id: a, question: One?, gold_sql: SELECT 1}\n- {id: b, question: Two?}\n", "utf-8")
    database = f"sqlite:///{example / 'music.sqlite'}"
    run = ("--agent", f"python:{agent}:ask", "-o", str(tmp_path / "run"), "--json")
    done = stef("gold", "run", str(cases), "--db", database, *run)
    assert done.code == 0, done.err
    assert json.loads(done.out)["counts"]["case_faults"] == 1
    assert "hm" in done.err
    assert "left out" in done.err
    assert "without gold SQL" in done.err


def test_gates(stef: Stef, arguments: list[str]) -> None:
    """A gate that fails ends with 1 and says which; one that holds ends with 0; an unknown one with 2."""
    failed = stef(*arguments, "--fail-under", "correct=0.8")
    assert failed.code == 1
    assert "music-bot 1.0: correct is 0.2857, below 0.8" in failed.err
    assert stef(*arguments, "--fail-under", "correct=0.1", "--fail-under", "executable=0.9").code == 0
    unknown = stef(*arguments, "--fail-under", "corect=0.8")
    assert (unknown.code, "near it are correct" in unknown.err) == (2, True)
    assert stef(*arguments, "--fail-under", "correct=80").code == 2
    # No turn of the example has a retriever, so nothing was shown.
    assert stef(*arguments, "--fail-under", "retrieval_recall=0.1").code == 1


def test_explain(stef: Stef, run: Path) -> None:
    """Both queries, both results side by side with marks, the components that differ, the symptom."""
    out = stef("gold", "explain", run, "1.0-rep-customers-germany").out
    for text in ("wrong, compared as grouped", "symptom: too few rows", "Gold SQL", "Agent's SQL", "row key: LastName"):
        assert text in out
    assert re.search(r"✗  Park +0", out)
    assert re.search(r"✓  Peacock +\d", out)
    swapped = stef("gold", "explain", run, "1.0-best-seller-per-genre").out
    assert re.search(r"≠  Rock +.*2 \| 835", swapped)


def test_explain_as_json(stef: Stef, run: Path) -> None:
    """One document: the case, the record, both results, what stands beside what, the components' members."""
    found = json.loads(stef("gold", "explain", run, "1.0-emails-germany", "--json").out)
    assert found["case"]["id"] == "emails-germany"
    assert found["report"]["correct"] is False
    assert found["gold"]["names"] == ["FirstName", "LastName", "Email"]
    assert {row["beside"] for row in found["rows"]} == {"same"}
    assert found["component_members"]["projections"] == {"missing": ["customer.email"], "extra": []}


def test_explain_what_is_not_there(stef: Stef, run: Path) -> None:
    """Names the nearest ids, and ends with 2."""
    done = stef("gold", "explain", run, "1.0-manager")
    assert (done.code, "1.0-managers" in done.err) == (2, True)


def test_rescore(stef: Stef, run: Path) -> None:
    """A RUN of its own with the same figures; the old one stays."""
    before = rows_of(run)
    done = stef("gold", "rescore", run, "-o", run.with_name("again"))
    assert done.code == 0
    assert rows_of(run.with_name("again")) == before == rows_of(run)


def test_score_reads_a_gold_run(stef: Stef, run: Path) -> None:
    """The same turns without gold, with the golds' verdicts beside; explain shows them too."""
    import pyarrow.parquet as pq

    target = run.with_name("scored")
    done = stef("score", run, "-o", target, "--json")
    assert done.code == 0, done.err
    beside = {one["agent_version"]: (one["turns"], one["right"]) for one in json.loads(done.out)["beside_gold"]}
    assert beside == {"1.0": (28, 8), "2.0": (28, 24)}
    gold = {row["id"]: (row["case_id"], row["correct"]) for row in rows_of(run)}
    scored = pq.read_table(next((target / "turns").glob("*.parquet"))).to_pylist()
    assert {row["id"]: (row["case_id"], row["gold_correct"]) for row in scored} == gold
    assert "case managers · wrong by gold" in stef("explain", target, "1.0-managers").out


def test_runs_of_two_kinds_are_told_apart(stef: Stef, run: Path) -> None:
    """Each command names the one that reads the other kind."""
    assert "stef gold explain" in stef("explain", run, "1.0-managers").err
    assert "stef gold rescore" in stef("rescore", run).err
    stef("score", run, "-o", run.with_name("scored"))
    done = stef("gold", "explain", run.with_name("scored"), "x")
    assert (done.code, "stef gold run" in done.err) == (2, True)


def diff(stef: Stef, example: Path, gold: str, sql: str, *more: str) -> dict[str, Any]:
    """The document of `stef gold diff`."""
    url = f"sqlite:///{example / 'music.sqlite'}"
    done = stef("gold", "diff", "--db", url, "--gold", gold, "--sql", sql, "--json", *more)
    assert done.code == 0, done.err
    return dict(json.loads(done.out))


def test_diff(stef: Stef, example: Path) -> None:
    """One pair, at once, with all of its figures."""
    found = diff(stef, example, "SELECT Name FROM Genre", "SELECT GenreId, Name FROM Genre WHERE GenreId < 6")
    assert (found["exact_match"], found["exact_match_positional"], found["bird_ex"]) == (False, False, False)
    assert found["columns"] == {"precision": 0.5, "recall": 0.2}
    assert found["cells"] == {"precision": 1.0, "recall": 0.2}
    assert found["components"]["projections"] == {"precision": 0.5, "recall": 1.0}
    assert (found["ceilings"], found["symptom"]) == ([], "too_few_rows")


def test_diff_of_empty_results(stef: Stef, example: Path) -> None:
    """Two empty results prove nothing; that one is empty and the other is not, is a difference."""
    none = "SELECT Name FROM Genre WHERE 1 = 0"
    both = diff(stef, example, none, none)
    assert (both["exact_match"], both["ceilings"]) == (None, ["gold_in_doubt"])
    assert diff(stef, example, none, none, "--expect-empty")["exact_match"] is True
    assert diff(stef, example, none, "SELECT Name FROM Genre")["exact_match"] is False


def test_diff_of_broken_queries(stef: Stef, example: Path) -> None:
    """A gold that fails is a ceiling and leaves all undefined; a query that writes is none, and nothing is written."""
    broken = diff(stef, example, "SELECT Nmae FROM Genre", "SELECT Nmae FROM Genre")
    assert (broken["exact_match"], broken["ceilings"]) == (None, ["gold_failed"])
    before = (example / "music.sqlite").read_bytes()
    dropped = diff(stef, example, "SELECT Name FROM Genre", "DROP TABLE Genre")
    assert (dropped["executable"], dropped["exact_match"], dropped["errors"][0]["whose"]) == (False, False, "agent")
    assert (example / "music.sqlite").read_bytes() == before


def test_a_tie_at_the_limit_is_right(stef: Stef, example: Path) -> None:
    """Whichever of the rows that tie a query keeps."""
    gold = "SELECT InvoiceId FROM Invoice ORDER BY InvoiceDate DESC, Total LIMIT 1"
    tied = "SELECT TrackId FROM Track ORDER BY UnitPrice DESC LIMIT 1"
    other = "SELECT TrackId FROM Track ORDER BY UnitPrice DESC, TrackId DESC LIMIT 1"
    assert diff(stef, example, tied, other)["correct"] is True
    assert diff(stef, example, tied, "SELECT 1 AS TrackId")["correct"] is False
    assert diff(stef, example, gold, gold)["correct"] is True


MISTAKES = [
    (["run", "no.yaml", "--db", "sqlite:///x", "--agent", "replay:t", "-o", "r"], "no.yaml"),
    (["run", "{cases}", "--db", "{db}", "-o", "{run}"], "--agent is missing"),
    (["run", "{cases}", "--db", "{db}", "--agent", "nobody", "-o", "{run}"], "replay:turns.jsonl"),
    (["run", "{cases}", "--db", "{db}", "--agent", "replay:none.jsonl", "-o", "{run}"], "none.jsonl"),
    (["run", "{cases}", "--db", "{db}", "--agent", "{agent}", "--slice", "fats", "-o", "{run}"], "there are fast"),
    (["run", "{cases}", "--db", "{db}", "--agent", "{agent}", "--format", "spidr", "-o", "{run}"], "spider"),
    (["diff", "--db", "{db}", "--gold", "SELECT 1", "--sql", "SELECT 1", "--compare-on", "set"], "id_set"),
    (["diff", "--db", "nonsense", "--gold", "SELECT 1", "--sql", "SELECT 1"], "sqlite:///file"),
    (["explain", "no-run", "x"], "no-run"),
    (["rescore", "no-run"], "no-run"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES)
def test_the_users_mistakes(stef: Stef, example: Path, tmp_path: Path, arguments: list[str], words: str) -> None:
    """Each ends with 2, says what and the way out, and writes no RUN."""
    known = {
        "cases": example / "cases.yaml",
        "db": f"sqlite:///{example / 'music.sqlite'}",
        "agent": f"replay:{example / 'turns.jsonl'}",
        "run": tmp_path / "run",
    }
    done = stef("gold", *(argument.format(**known) for argument in arguments))
    assert done.code == 2, done.out + done.err
    assert words in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("command", ["run", "diff", "explain", "rescore"])
def test_help_has_an_example(stef: Stef, command: str) -> None:
    """Every command shows how it is called."""
    done = stef("gold", command, "--help")
    assert done.code == 0
    assert f"  stef gold {command} " in done.out


def test_a_killed_run_goes_on(example: Path, arguments: list[str], tmp_path: Path, stef: Stef) -> None:
    """After kill -9 the same command goes on; the RUN holds the rows of one that was not disturbed."""
    small = [*arguments, "--part-rows", "3"]
    for wait in (0.0, 0.05, 0.1):
        process = subprocess.Popen([*COMMAND, *small], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        results = tmp_path / "run" / "results"
        deadline = time.monotonic() + 60
        while not list(results.glob("part-*.parquet")) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert stef(*small).code == 0
    undisturbed = [*small]
    undisturbed[undisturbed.index("-o") + 1] = str(tmp_path / "other")
    assert stef(*undisturbed).code == 0
    timed = {"query_seconds", "gold_seconds", "record"}
    rows = [{name: row[name] for name in row.keys() - timed} for row in rows_of(tmp_path / "run")]
    assert rows == [{name: row[name] for name in row.keys() - timed} for row in rows_of(tmp_path / "other")]
    assert not list((tmp_path / "run").rglob("*.tmp"))


def test_a_folder_with_something_else_is_left_alone(stef: Stef, arguments: list[str], tmp_path: Path) -> None:
    """Nothing is written into it."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "letter.txt").write_text("dear")
    done = stef(*arguments)
    assert done.code == 2
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["letter.txt"]
    shutil.rmtree(tmp_path / "run")
