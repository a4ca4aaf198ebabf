"""The pages on behaviour and causes show what the command prints, and name every word; the example is as it says."""

import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner

from stef.cli.gold import gold_app
from stef.records.gold import Bucket, Outcome


@pytest.fixture(scope="module")
def printed(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What the run of the example prints, and its folder."""
    run, example = tmp_path_factory.mktemp("refusals") / "run", repo / "examples/refusals"
    database = f"sqlite:///{repo}/examples/gold/music.sqlite"
    arguments = ["run", str(example / "cases.yaml"), "--db", database, "--agent", f"replay:{example}/turns.jsonl"]
    result = CliRunner().invoke(gold_app, [*arguments, "--penalty", "2", "-o", str(run)])
    assert result.exit_code == 0, result.output
    return result.output, run


def test_the_output_on_the_page_is_the_commands(repo: Path, printed: tuple[str, Path]) -> None:
    """Table by table."""
    page = (repo / "docs/behaviour.md").read_text("utf-8")
    tables = [
        table
        for block in re.findall(r"```\n(.*?)```", page, re.DOTALL)
        for table in _without_command(block).split("\n\n")
    ]
    assert len(tables) == 3
    for table in tables:
        assert table.strip() in printed[0], table


def _without_command(block: str) -> str:
    return block.split("\n", 1)[1] if block.startswith("$") else block


def test_the_pages_name_every_word(repo: Path) -> None:
    """Every outcome, and every cause in its order."""
    page = (repo / "docs/behaviour.md").read_text("utf-8")
    assert all(f"`{outcome.value}`" in page for outcome in Outcome)
    page = (repo / "docs/buckets.md").read_text("utf-8")
    table = page.partition("| cause |")[2].partition("\n\n")[0]
    named = [word for line in table.splitlines() for word in re.findall(r"`(\w+)`", line.partition(" | ")[0])]
    assert [word for word in named if word in set(Bucket)] == [bucket.value for bucket in Bucket]


def test_the_example_is_what_its_readme_says(repo: Path, printed: tuple[str, Path]) -> None:
    """Each agent on each case: right, or not right for the cause that is named."""
    text = (repo / "examples/refusals/README.md").read_text("utf-8")
    said: dict[tuple[str, str], tuple[bool, str | None]] = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and cells[1][:1] in "✓✗":
            for agent, cell in zip(("bold-bot", "careful-bot"), cells[1:], strict=True):
                cause = re.search(r"\*([a-z ]+)\*", cell)
                said[cells[0].split(" ")[0], agent] = (cell[0] == "✓", cause.group(1) if cause else None)
    assert len(said) == 28
    for case_id, agent, correct, bucket in _rows(printed[1]):
        assert said[case_id, agent] == (correct, bucket and bucket.replace("_", " ")), (case_id, agent)


def _rows(run: Path) -> list[tuple[Any, ...]]:
    parts = f"{run}/results/*.parquet"
    return duckdb.sql(f"SELECT case_id, agent, correct, bucket FROM '{parts}'").fetchall()
