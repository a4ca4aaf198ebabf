"""A model file as a judge: what is said where it cannot work. `make test-live` drives a real one."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from stef.errors import JudgeSetupError
from stef.judge import make_judge
from stef.llm.local import ENGINE, LocalServer, model_fingerprint
from stef.records.request import JudgeRequest

HAS_ENGINE = importlib.util.find_spec(ENGINE) is not None
needs_engine = pytest.mark.skipif(not HAS_ENGINE, reason="needs the extra stef[local]")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A file that begins as a model does, and goes on as none."""
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF" + b"\x07" * 200)
    return path


@pytest.mark.parametrize(
    ("content", "says"), [(None, "cannot be read"), (b"", "no GGUF"), (b"GGU", "no GGUF"), (b"<html>", "no GGUF")]
)
def test_a_file_that_is_no_model(content: bytes | None, says: str, tmp_path: Path) -> None:
    """Said before anything starts."""
    path = tmp_path / "x.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(JudgeSetupError, match=says):
        make_judge(f"local:{path}")


def test_no_file_at_all() -> None:
    """With how it is written."""
    with pytest.raises(JudgeSetupError, match=r"write local:MODEL\.gguf"):
        make_judge("local")


def test_a_missing_extra(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to install."""
    monkeypatch.setattr("stef.llm.local.ENGINE", "no_such_engine")
    with pytest.raises(JudgeSetupError, match=r"pip install 'stef\[local\]'"):
        make_judge(f"local:{broken}")


def test_no_other_server_beside_it(broken: Path) -> None:
    """The model is served here."""
    with pytest.raises(JudgeSetupError, match="leave --base-url out"):
        make_judge(f"local:{broken}", base_url="http://127.0.0.1:1/v1")


def test_two_models_differ(broken: Path, tmp_path: Path) -> None:
    """By what is in them, not by their names."""
    other = tmp_path / "other.gguf"
    other.write_bytes(broken.read_bytes())
    assert model_fingerprint(other) == model_fingerprint(broken)
    other.write_bytes(b"GGUF")
    assert model_fingerprint(other) != model_fingerprint(broken)


@needs_engine
async def test_a_model_that_does_not_load(broken: Path, make_request: Callable[..., JudgeRequest]) -> None:
    """The run stops with the engine's own words, and no process is left."""
    judge = make_judge(f"local:{broken}")
    assert judge.name == "local:broken.gguf"
    with pytest.raises(JudgeSetupError, match=r"the server (ended|did not start)"):
        await judge.judge(make_request())
    await judge.close()


def test_ending_what_was_never_started(broken: Path) -> None:
    """Nothing happens."""
    server = LocalServer(broken)
    server.end()
    server.check_alive()
