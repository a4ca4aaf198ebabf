"""The command line as a whole: help, version, and what is not loaded for them."""

import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from command_line import Done

from stef.cli.screen import Grid, percent

COMMANDS = ["score", "explain", "findings", "rescore"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str, stef: Callable[..., Done]) -> None:
    """Every command shows how it is called."""
    done = stef(command, "--help")
    assert done.code == 0
    assert f"stef {command} " in done.out


def test_help_names_every_command(stef: Callable[..., Done]) -> None:
    """The overview is complete."""
    done = stef("--help")
    assert done.code == 0
    assert [name for name in [*COMMANDS, "rules"] if name not in done.out] == []


def test_version(stef: Callable[..., Done]) -> None:
    """The version is the package's."""
    from stef.version import VERSION

    assert stef("--version").out == f"stef {VERSION}\n"


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["score", "--nonsense"], ["score", "a", "-o", "b", "--limit", "0"]]
)
def test_usage_errors(arguments: list[str], stef: Callable[..., Done]) -> None:
    """A wrong command line is the user's mistake."""
    done = stef(*arguments)
    assert done.code == 2
    assert done.out == ""


def test_a_table_splits_where_it_would_not_fit() -> None:
    """Both halves hold the key columns; no column is lost."""
    grid = Grid(("agent", "a", "b", "c"), [["x", "1", "2", "3"]], frozenset({"agent"}), "title")
    first, second = grid.split(1, 2)
    assert (first.headers, first.rows, first.title) == (("agent", "a"), [["x", "1"]], "title")
    assert (second.headers, second.rows, second.title) == (["agent", "b", "c"], [["x", "2", "3"]], "")


@pytest.mark.parametrize(("share", "text"), [(None, "–"), (1, "100.0 %"), (0.99999, "99.9 %"), (0, "0.0 %")])
def test_percent(share: float | None, text: str) -> None:
    """Only all is 100 %, and nothing measured is no 0."""
    assert percent(share) == text


def test_help_loads_nothing_heavy() -> None:
    """`stef --help` is there at once, because what takes time is not loaded for it."""
    script = "import sys; from stef.cli.app import build; build(); import json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    heavy = {
        "sqlglot",
        "pydantic",
        "pyarrow",
        "duckdb",
        "rich",
        "openai",
        "litellm",
        "jinja2",
        "scipy",
        "rapidfuzz",
        "yaml",
        "asyncio",
    }
    assert heavy.isdisjoint(json.loads(done.stdout))
