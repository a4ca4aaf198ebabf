"""The command line as a whole: help, version, and what is not loaded for them."""

import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from command_line import Done

COMMANDS = ["score", "explain", "rescore"]


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
