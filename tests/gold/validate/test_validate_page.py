"""The page on validation shows what the commands print, and names every check."""

import re
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stef.cli.gold import gold_app
from stef.gold.validate import CHECKS, Severity

# What a rule or the judge says of a query moves with each of their versions; that the rest is as shown is enough.
_JUDGED = ("question:", "lint:", "mend the query or the question", "`stef findings", "question ", "lint ")


@pytest.fixture(scope="module")
def page(repo: Path) -> str:
    return (repo / "docs/validate.md").read_text("utf-8")


@pytest.fixture
def shop(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the page's example."""
    connection = sqlite3.connect(tmp_path / "shop.sqlite")
    connection.executescript(re.findall(r"```sql\n(.*?)```", page, re.DOTALL)[0])
    connection.close()
    (tmp_path / "cases.yaml").write_text(re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(text: str) -> list[str]:
    """The lines but for what a rule or the judge says."""
    lines = text.replace(" lint,", "").replace(" question,", "").splitlines()
    words = [line.strip().removeprefix("doubts").removeprefix("notes").lstrip() for line in lines]
    return [line for line, said in zip(lines, words, strict=True) if not said.startswith(_JUDGED)]


@pytest.mark.parametrize("index", range(3))
def test_output_on_the_page_is_what_the_command_prints(index: int, page: str, shop: Path) -> None:
    """Each command on the page, given the example, prints what stands below it."""
    command, output = re.findall(r"```console\n\$ stef gold (.*?)\n(.*?)```", page, re.DOTALL)[index]
    arguments = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', command)]
    printed = shown(CliRunner().invoke(gold_app, arguments).output)
    wanted = shown(output)
    if wanted[-1] == "…":
        printed, wanted = printed[: len(wanted) - 1], wanted[:-1]
    assert printed[: len(wanted) - 1] == wanted[:-1]


def test_the_page_names_every_check_and_severity(page: str) -> None:
    """No check is without its line."""
    for check in CHECKS:
        assert f"\n| `{check.name}` |" in page
    for severity in Severity:
        assert f"*{severity}*" in page
