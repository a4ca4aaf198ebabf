"""`stef score --from URL --query SQL` on a live server: order, types, what is refused, what fails, and going on."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest
from databases_kit import MAKERS, Engines

from stef.databases.rows import stream_rows
from stef.databases.urls import parsed_url
from stef.errors import InputError, StefError, UserError

ROWS = 20_000
COMMAND = [sys.executable, "-c", "from stef.cli.app import main; main()"]
TYPES = {
    "postgres": """CREATE TABLE kinds (n INT, q TEXT, s TEXT, at TIMESTAMPTZ, day DATE, meta JSONB, tags TEXT[],
        big NUMERIC(30), part NUMERIC(20, 3), odd FLOAT8, took INTERVAL, raw BYTEA, who UUID)""",
    "mysql": """CREATE TABLE kinds (n INT, q TEXT, s TEXT, at DATETIME(6), day DATE, meta JSON, tags TEXT,
        big NUMERIC(30), part NUMERIC(20, 3), odd DOUBLE, took TIME, raw BLOB, who TEXT)""",
}
VALUES = {
    "postgres": """INSERT INTO kinds VALUES (1, 'How many boats are there?', 'SELECT COUNT(*) FROM boats',
        '2026-03-01 12:00+02', 'infinity', '{"tenant": {"id": 7}}', '{a,b}', 123456789012345678901234567890, 1.5,
        'NaN', '1 day', '\\x68690a', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')""",
    "mysql": """INSERT INTO kinds VALUES (1, 'How many boats are there?', 'SELECT COUNT(*) FROM boats',
        '2026-03-01 10:00', '2026-03-01', '{"tenant": {"id": 7}}', 'ab', 123456789012345678901234567890, 1.5,
        NULL, '24:00:00', x'68690a', NULL)""",
}


QUESTION = "CONCAT('How many boats are in port ', i, '?')"
SQL = "CONCAT('SELECT COUNT(*) FROM boats WHERE port = ', i)"


def numbers(server: Engines, most: int) -> str:
    """A table of 1, 2, 3, …, with the column i."""
    if server.name == "mysql":
        return f"(SELECT seq AS i FROM seq_1_to_{most}) AS numbers"
    return f"generate_series(1, {most}) AS numbers(i)"


@pytest.fixture(params=["postgres", "mysql"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engines]:
    """A server that answers, with turns whose order in the table is not that of their numbers."""
    folder = tmp_path / "files"
    folder.mkdir()
    with MAKERS[request.param](folder) as made:
        made.execute("CREATE TABLE turns (n INT, q VARCHAR(99), s VARCHAR(99))")
        made.execute(f"INSERT INTO turns SELECT MOD(i * 7919, 20011), {QUESTION}, {SQL} FROM {numbers(made, 1_500)}")
        yield made


def score(server: Engines, query: str, out: Path, *options: str, **kept: Any) -> "subprocess.CompletedProcess[str]":
    command = [*COMMAND, "score", "--from", server.url, "--query", query, "-o", str(out), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, **kept)


def rows(run: Path) -> list[dict[str, Any]]:
    return [row for part in sorted((run / "turns").glob("*.parquet")) for row in parquet.read_table(part).to_pylist()]


def test_order_and_memory(server: Engines) -> None:
    """The rows come as the query orders them, and no memory is taken for those that went by."""
    server.execute("CREATE TABLE wide (n INT, filler TEXT)")
    server.execute(f"INSERT INTO wide SELECT MOD(i * 7919, 20011), REPEAT('x', 2000) FROM {numbers(server, ROWS)}")
    found = stream_rows(server.url, "SELECT n, filler FROM wide ORDER BY n DESC")
    first = [next(found)["n"] for _ in range(10_000)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seen = first + [row["n"] for row in found]
    assert seen == sorted(seen, reverse=True)
    assert len(seen) == ROWS
    # 20 MB of text came since.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024


def test_types(server: Engines, tmp_path: Path) -> None:
    """Times with their zone, JSON, arrays, digits beyond a float's, NaN, NULL and bytes; `--map` finds them."""
    server.execute(TYPES[server.name], VALUES[server.name])
    server.execute("INSERT INTO kinds (n, q, s) VALUES (2, 'How many ports: are there?', 'SELECT 1')")
    names = ("day", "tags", "big", "part", "odd", "took", "raw", "who")
    keep = [part for name in names for part in ("--keep", name)]
    options = ["--map", "question=q", "--map", "sql=s", "--map", "timestamp=at", "--map", "metadata=meta", *keep]
    done = score(server, "SELECT * FROM kinds WHERE q LIKE '%: %' OR n = 1 ORDER BY n", tmp_path / "run", *options)
    assert done.returncode == 0, done.stderr
    one, two = rows(tmp_path / "run")
    assert one["timestamp"] == datetime(2026, 3, 1, 10, tzinfo=UTC)
    metadata = json.loads(one["metadata"])
    assert metadata["tenant"] == {"id": 7}
    assert (metadata["big"], metadata["part"], metadata["took"]) == (123456789012345678901234567890, 1.5, 86_400.0)
    assert metadata["raw"] == "hi\n"
    if server.name == "postgres":
        assert (metadata["tags"], metadata["odd"], metadata["day"]) == (["a", "b"], "NaN", "infinity")
        assert metadata["who"] == "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
    assert (two["question"], two["timestamp"], two["metadata"]) == ("How many ports: are there?", None, "{}")


@pytest.mark.parametrize(
    ("query", "error", "says"),
    [
        ("DELETE FROM turns", UserError, "begins with 'DELETE'"),
        ("SELECT 1; DELETE FROM turns", UserError, "several statements"),
        ("WITH gone AS (DELETE FROM turns RETURNING *) SELECT * FROM gone", UserError, "writes data"),
        ("SELECT * INTO other FROM turns", UserError, "INTO writes"),
        ("", UserError, "no text"),
        ("SELECT * FROM nowhere", InputError, "nowhere"),
        ("SELECT n FROM turns WHERE", InputError, "syntax"),
        ("SELECT n, q AS n FROM turns", InputError, "'n' twice"),
    ],
)
def test_what_is_refused_or_fails(server: Engines, query: str, error: type[Exception], says: str) -> None:
    """A message in the database's own words, and nothing is written."""
    before = server.content()
    with pytest.raises(error, match=says):
        list(stream_rows(server.url, query))
    assert server.content() == before


def test_a_function_that_writes(tmp_path: Path) -> None:
    """The transaction only reads, whatever a function does."""
    with MAKERS["postgres"](tmp_path) as server:
        server.execute(
            "CREATE FUNCTION gone() RETURNS INT LANGUAGE sql AS 'DELETE FROM purchase RETURNING 1'",
        )
        before = server.content()
        with pytest.raises(InputError, match="read-only transaction"):
            list(stream_rows(server.url, "SELECT gone()"))
        assert server.content() == before


def test_no_way_in(server: Engines) -> None:
    """A wrong password is the user's, a server that is down is not; no message repeats either secret."""
    url = parsed_url(server.url)
    nobody = url.set(username="nobody_here", password="geheim")
    closed = url.set(password="geheim", port=1)
    unknown = url.set(password="geheim", host="no-such-host.invalid")
    for wrong, error in ((nobody, UserError), (closed, StefError), (unknown, StefError)):
        with pytest.raises(error) as caught:
            list(stream_rows(wrong.render_as_string(hide_password=False), "SELECT 1"))
        assert isinstance(caught.value, UserError) is (error is UserError)
        assert "geheim" not in str(caught.value)
        assert "nobody_here" not in str(caught.value)


def test_going_on_after_a_kill(server: Engines, tmp_path: Path) -> None:
    """A run that was killed goes on where it was, on the same rows only; the password stands nowhere."""
    query = "SELECT n AS id, q AS question, s FROM turns ORDER BY n LIMIT 1500"
    options = ["--map", "sql=s", "--part-rows", "250", "--workers", "1"]
    assert score(server, query, tmp_path / "whole", *options).returncode == 0
    command = [*COMMAND, "score", "--from", server.url, "--query", query, "-o", str(tmp_path / "run"), *options]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while running.poll() is None and not list(tmp_path.glob("run/turns/part-*.parquet")):
        time.sleep(0.01)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert 0 < len(list(tmp_path.glob("run/turns/part-*.parquet"))) < 6
    other = score(server, query.replace("1500", "1499"), tmp_path / "run", *options)
    assert other.returncode == 2, other.stdout
    done = score(server, query, tmp_path / "run", *options)
    assert done.returncode == 0, done.stderr
    assert rows(tmp_path / "run") == rows(tmp_path / "whole")
    settings = json.loads((tmp_path / "run/run.json").read_text())["settings"]
    assert settings["query"]["sql"] == query
    assert not set("@?") & set(settings["query"]["from"])
