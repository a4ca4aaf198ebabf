"""`--budget` and `--dry-run`: what a run costs, before it costs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import TURNS, Done, parquet_rows, write_jsonl
from pytest_httpserver import HTTPServer
from test_model_judge import GOOD, completion, judge
from werkzeug import Request, Response

# A call of the server's takes 100 + 20 tokens; at this price a hundredth of a dollar.
PRICE = ["--price-in", "50", "--price-out", "250"]
Stef = Callable[..., Done]


@pytest.fixture
def asked(httpserver: HTTPServer) -> list[str]:
    """What the server was asked, in turn."""
    seen: list[str] = []

    def answer(request: Request) -> Response:
        seen.append(json.loads(request.data)["messages"][-1]["content"])
        return completion(GOOD)

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    return seen


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Twelve turns that differ."""
    turns = [{**TURNS[0], "id": str(n), "question": f"How many orders were placed in {2000 + n}?"} for n in range(12)]
    return write_jsonl(tmp_path / "log.jsonl", turns)


def test_a_budget_stops_and_goes_on(
    httpserver: HTTPServer, asked: list[str], log: Path, tmp_path: Path, stef: Stef
) -> None:
    """No call passes it; what was paid for is not asked again; the end is that of a run without a budget."""
    run = tmp_path / "run"
    command = ["score", log, "-o", run, *judge(httpserver), *PRICE, "--part-rows", "5"]
    done = stef(*command, "--budget", "0.07")
    assert done.code == 3
    assert "the budget of $0.07 is spent: $0.0" in done.err
    assert "greater --budget goes on" in done.err
    spent = [json.loads(line)["cost"] for line in (run / "calls.jsonl").read_text().splitlines()]
    assert len(spent) == len(asked)
    assert 0.03 < sum(spent) <= 0.07 + 1e-9
    first = len(asked)
    again = stef(*command, "--budget", "0.07")
    assert (again.code, len(asked)) == (3, first)
    done = stef(*command, "--budget", "1")
    assert done.code == 0, done.err
    assert len(asked) == 12
    assert len(set(asked)) == 12
    about = json.loads((run / "run.json").read_text())
    assert about["calls"]["cost"] == pytest.approx(0.12)
    assert sorted(path.name for path in run.iterdir()) == ["calls.jsonl", "run.json", "turns"]
    assert stef(*command, "-o", tmp_path / "other").code == 0
    assert parquet_rows(run) == parquet_rows(tmp_path / "other")
    assert len(asked) == 12


def test_turns_without_a_call_cost_nothing(
    httpserver: HTTPServer, asked: list[str], tmp_path: Path, stef: Stef
) -> None:
    """A budget that allows no call still lets a log through that needs none."""
    log = write_jsonl(tmp_path / "log.jsonl", [{"question": "How many boats?", "sql": "SELECT ("}])
    assert stef("score", log, "-o", tmp_path / "run", *judge(httpserver), *PRICE, "--budget", "0.00001").code == 0
    assert asked == []


def test_a_budget_too_small_for_one_call(
    httpserver: HTTPServer, asked: list[str], log: Path, tmp_path: Path, stef: Stef
) -> None:
    """Nothing is asked: the prompt alone would cost more."""
    done = stef("score", log, "-o", tmp_path / "run", *judge(httpserver), *PRICE, "--budget", "0.0001")
    assert done.code == 3
    assert "one more call would cost about $" in done.err
    assert asked == []


def test_same_turns_are_paid_for_once(httpserver: HTTPServer, asked: list[str], tmp_path: Path, stef: Stef) -> None:
    """Several agents that wrote the same SQL for the same question share one call."""
    log = write_jsonl(tmp_path / "log.jsonl", [{**TURNS[0], "id": str(n), "agent": f"a{n}"} for n in range(5)])
    done = stef("score", log, "-o", tmp_path / "run", *judge(httpserver))
    assert done.code == 0, done.err
    assert len(asked) == 1
    assert {row["verdict"] for row in parquet_rows(tmp_path / "run")} == {"correct"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--budget", "1"], "--price-in and --price-out"),
        (["--budget", "0", *PRICE], "more than 0"),
        (["--budget", "-1", *PRICE], "more than 0"),
        (["--budget", "nan", *PRICE], "more than 0"),
        (["--budget", "1", "--price-in", "1"], "belong together"),
    ],
)
def test_a_budget_that_cannot_be_kept(
    options: list[str], says: str, httpserver: HTTPServer, log: Path, tmp_path: Path, stef: Stef
) -> None:
    """Said before anything is asked or written."""
    done = stef("score", log, "-o", tmp_path / "run", *judge(httpserver), *options)
    assert done.code == 2
    assert says in done.err
    assert not (tmp_path / "run").exists()


def test_a_dry_run_makes_no_call(
    httpserver: HTTPServer, asked: list[str], log: Path, tmp_path: Path, stef: Stef
) -> None:
    """It says how many calls, tokens and dollars, and writes nothing."""
    done = stef("score", log, *judge(httpserver), *PRICE, "--samples", "2", "--refute", "--dry-run", "--json")
    assert done.code == 0, done.err
    plan = json.loads(done.out)
    assert (plan["turns"], plan["certain"]["calls"], plan["at_most"]["calls"]) == (12, 24, 36)
    tokens = plan["certain"]["input_tokens"]
    assert 24 * 500 < tokens < 24 * 4000
    assert plan["certain"]["cost"] == pytest.approx((tokens * 50 + 24 * 200 * 250) / 1e6)
    assert asked == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.jsonl"]
    words = stef("score", log, *judge(httpserver), "--dry-run")
    assert "12 model calls" in words.out
    assert "cost unknown" in words.out
    assert "--price-in" in words.out
    assert "No call was made" in words.out


def test_a_dry_run_needs_no_key(log: Path, stef: Stef) -> None:
    """Nor does it need a server."""
    done = stef("score", log, "--judge", "openai:no-such-model", "--reader", "openai:no-such-model", "--dry-run")
    assert done.code == 0, done.err
    assert "24 model calls" in done.out


def test_a_dry_run_of_a_reader_alone(log: Path, stef: Stef) -> None:
    """The symbolic judge costs nothing; its reader does."""
    done = stef("score", log, "--reader", "openai:no-such-model", "--dry-run")
    assert done.code == 0, done.err
    assert "12 model calls" in done.out


def test_a_dry_run_of_a_missing_model_file(log: Path, stef: Stef) -> None:
    """The user's mistake."""
    done = stef("score", log, "--judge", "local:nowhere.gguf", "--dry-run")
    assert done.code == 2
    assert "nowhere.gguf: cannot be read" in done.err


def test_a_dry_run_of_the_symbolic_judge(log: Path, stef: Stef) -> None:
    """It costs nothing, and says so."""
    assert "0 model calls" in stef("score", log, "--dry-run").out


def test_no_output_folder(log: Path, stef: Stef) -> None:
    """A run without a place to go is the user's mistake."""
    done = stef("score", log)
    assert done.code == 2
    assert "'-o'" in done.err
