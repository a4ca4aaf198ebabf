"""The examples run, and the guide shows what they print."""

import subprocess
import sys
from pathlib import Path

import pytest

from stef.agents import assert_extractor, check_extractor
from stef.agents.description import CommandDescription, HttpDescription
from stef.agents.fields import READERS
from stef.agents.template import PLACES
from stef.records.asking import AgentFault


@pytest.fixture(scope="module")
def guide(repo: Path) -> str:
    """The guide's text."""
    return (repo / "docs" / "agents.md").read_text("utf-8")


def test_every_kind_of_agent_answers(repo: Path, guide: str) -> None:
    """The script asks each, and prints what the guide shows."""
    script = repo / "examples" / "agents" / "try_all.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, cwd=repo)
    assert done.stdout.strip() in guide
    assert done.stdout.count("leaks 0") == 6


def test_shipped_file_fits_its_recorded_replies(repo: Path, guide: str) -> None:
    """The test that the example shows, and the table in the guide."""
    folder = repo / "examples" / "agents"
    assert_extractor(folder / "http_agent.yaml", folder / "replies.jsonl")
    table = str(check_extractor(folder / "http_agent.yaml", folder / "replies.jsonl")).splitlines()[1:]
    assert [line for line in table if line.partition("  such as ")[0] not in guide] == []


def test_guide_names_all_that_a_file_can_say(guide: str) -> None:
    """Each key, each field, each place, each fault."""
    keys = {*HttpDescription.model_fields, *CommandDescription.model_fields}
    assert [name for name in sorted(keys) if f"`{name}`" not in guide] == []
    assert [name for name in READERS if f"`{name}`" not in guide] == []
    assert [name for name in PLACES if f"`{{{name}}}`" not in guide] == []
    assert [fault.value for fault in AgentFault if f"`{fault.value}`" not in guide] == []


def test_files_in_the_guide_are_the_examples(repo: Path, guide: str) -> None:
    """What the guide quotes is what is shipped."""
    for name in ("http_agent.yaml", "command_agent.yaml", "test_http_agent.py", "command.py"):
        text = (repo / "examples" / "agents" / name).read_text("utf-8").strip()
        assert text in guide, name
