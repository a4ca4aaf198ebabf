"""Judges by name."""

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stef.errors import JudgeSetupError
from stef.judge import JudgeOptions, ScriptedJudge, judge_names, make_judge
from stef.llm.litellm_client import load_litellm
from stef.records.judgement import Verdict


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("symbolik", "did you mean symbolic"),
        ("OpenAI:gpt", "did you mean openai"),
        ("", "known judges: symbolic, openai, litellm, recorded"),
        ("symbolic:x", "takes no argument"),
        ("openai", "write openai:MODEL"),
        ("openai:", "write openai:MODEL"),
        ("openai:gpt-x", "needs a key: set the environment variable OPENAI_API_KEY, or pass api_key"),
        ("litellm:gpt-x", "write litellm:PROVIDER/MODEL"),
        ("recorded", "needs a file"),
        ("recorded:/nowhere/at/all", "cannot read"),
    ],
)
def test_a_wrong_judge_is_explained(spec: str, says: str) -> None:
    """The message says what is wrong and the way out."""
    with pytest.raises(JudgeSetupError, match=says):
        make_judge(spec)


@pytest.mark.xdist_group("litellm")
def test_litellm_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider's own variable, or the provider that was meant."""
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    with pytest.raises(JudgeSetupError, match="needs ANTHROPIC_API_KEY"):
        make_judge("litellm:anthropic/claude-x")
    with pytest.raises(JudgeSetupError, match="no such provider; did you mean anthropic"):
        make_judge("litellm:antropic/claude-x")
    assert load_litellm().suppress_debug_info is True


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://x/v1", "http://", "http://x:port/v1", ""])
def test_a_wrong_base_url_is_explained(url: str) -> None:
    """Before anything is sent."""
    with pytest.raises(JudgeSetupError, match="is no base URL"):
        make_judge("openai:m", base_url=url, api_key="k")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "http://localhost:1/v1", "http://[::1]:1/v1"])
def test_a_server_on_this_machine_needs_no_key(url: str) -> None:
    """A loopback address is enough."""
    judge = make_judge("openai:m", base_url=url)
    assert judge.name == "openai:m"
    assert judge.prompts_hash


def test_another_server_needs_a_key() -> None:
    """The key is the caller's to give: it is not looked for in the environment."""
    with pytest.raises(JudgeSetupError, match="needs a key"):
        make_judge("openai:m", base_url="http://models.example/v1")


def test_third_parties_come_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their factory is given what follows the colon, and the options."""
    given: list[tuple[str, JudgeOptions]] = []

    def factory(argument: str, options: JudgeOptions) -> ScriptedJudge:
        given.append((argument, options))
        return ScriptedJudge([Verdict.CORRECT], name="theirs")

    point = importlib.metadata.EntryPoint("theirs", "their.module:factory", "stef.judges")
    broken = importlib.metadata.EntryPoint("broken", "no.such.module:factory", "stef.judges")
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda group: (point, broken) if group == "stef.judges" else ()
    )
    monkeypatch.setattr(importlib.metadata.EntryPoint, "load", _load(factory))
    assert make_judge("theirs:a:b", temperature=0.5).name == "theirs"
    assert given == [("a:b", JudgeOptions(temperature=0.5))]
    assert judge_names()[-2:] == ("broken", "theirs")
    with pytest.raises(JudgeSetupError, match=r"cannot load no\.such\.module:factory"):
        make_judge("broken")


def _load(factory: object) -> object:
    def load(point: importlib.metadata.EntryPoint) -> object:
        if point.name == "broken":
            raise ImportError("no module")
        return factory

    return load


def test_importing_the_judges_loads_no_sdk() -> None:
    """`import stef.judge` brings neither openai nor litellm nor jinja2 nor tenacity."""
    code = (
        "import sys, stef.judge, stef.judge.llm\n"
        "print(sorted({'openai', 'litellm', 'jinja2', 'tenacity', 'httpx'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_loading_litellm_is_silent_and_reads_no_env_file(tmp_path: Path) -> None:
    """No network, no .env, nothing printed, no variable left behind but the one that keeps it so."""
    (tmp_path / ".env").write_text("STEF_CANARY=1\n", encoding="utf-8")
    code = (
        "import os, stef.llm.litellm_client as c\nbefore = set(os.environ)\nc.load_litellm()\n"
        "added = set(os.environ) - before\nassert added == {'LITELLM_OFFLINE_MODE'}, added"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LITELLM")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path, env=clean
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
