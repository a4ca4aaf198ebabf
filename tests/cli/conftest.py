"""The command line, driven as a user drives it."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import COMMAND, Done, write_jsonl
from typer.testing import CliRunner

from stef.cli.app import build


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache: what one test paid for is not there for another."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture
def stef() -> Callable[..., Done]:
    """Run the command in this process."""

    def run(*arguments: object, stdin: str | bytes | None = None) -> Done:
        result = CliRunner().invoke(build(), [str(argument) for argument in arguments], input=stdin)
        return Done(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def process() -> Callable[..., Done]:
    """Run the command in a process of its own."""

    def run(*arguments: object, stdin: bytes | None = None) -> Done:
        command = [*COMMAND, *map(str, arguments)]
        done = subprocess.run(command, input=stdin, capture_output=True, check=False)
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A small log."""
    return write_jsonl(tmp_path / "log.jsonl")
