"""The page on gold sets shows what the command prints, and names every field, format and kind of fault."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stef.cli.gold import gold_app
from stef.gold.cases import FORMATS, FaultKind
from stef.gold.cases.formats.base import OWN_FIELDS


@pytest.fixture(scope="module")
def page(repo: Path) -> str:
    return (repo / "docs/cases.md").read_text("utf-8")


@pytest.mark.parametrize(("index", "code"), [(0, 0), (1, 2)])
def test_output_on_the_page_is_what_the_command_prints(index, code, page, tmp_path, monkeypatch):
    """Each set on the page, checked, gives the output below it."""
    sets = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    outputs = re.findall(r"\$ stef gold check cases\.yaml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "cases.yaml").write_text(sets[index])
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(gold_app, ["check", "cases.yaml"])
    assert result.output == outputs[index]
    assert result.exit_code == code


def test_the_page_names_every_word(page):
    """Fields, formats and kinds of fault: none is missing."""
    for word in (*OWN_FIELDS, *(one.name for one in FORMATS), *(kind.value for kind in FaultKind)):
        assert f"`{word}`" in page, word
