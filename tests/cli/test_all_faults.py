"""A run in which a bug hit every turn does not end as if all were well."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import TURNS

MAIN = "from stef.cli.app import main; main()"

# A judge of a third party's, registered as pip would register it, with a bug in it.
BUGGY = """
class Buggy:
    name, prompts_hash = "buggy", None
    async def judge(self, request):
        raise ZeroDivisionError("a bug")
    async def close(self):
        pass

def factory(argument, options):
    return Buggy()
"""


@pytest.fixture
def buggy_judge(tmp_path: Path) -> Path:
    """A folder for PYTHONPATH that holds the judge and its entry point."""
    (tmp_path / "buggy_judge.py").write_text(BUGGY)
    metadata = tmp_path / "buggy_judge-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: buggy-judge\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[stef.judges]\nbuggy = buggy_judge:factory\n")
    return tmp_path


def test_exit_code(buggy_judge: Path, tmp_path: Path) -> None:
    """Every turn is a counted harness fault, the table is printed, and the command exits 3."""
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(json.dumps(turn) for turn in TURNS if turn["sql"]))
    done = subprocess.run(
        [sys.executable, "-c", MAIN, "score", str(log), "-o", str(tmp_path / "run"), "--judge", "buggy"],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(buggy_judge), "PATH": "/usr/bin:/bin"},
        check=False,
    )
    assert done.returncode == 3, done.stderr
    assert "harness_fault" in done.stdout
    assert "no turn has a score" in done.stderr
