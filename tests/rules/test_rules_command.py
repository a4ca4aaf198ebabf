"""`stef rules` as a user runs it: output in a pipe, JSON, exit codes."""

import json

import pytest
from typer.testing import CliRunner

from stef.cli.rules import rules_app
from stef.rules import rules_schema

GOOD = {
    "question": "How many customers are in Brazil?",
    "sql": "SELECT COUNT(*) FROM Customer WHERE Country = 'Brazil'",
}
runner = CliRunner()


@pytest.fixture
def rules(tmp_path):
    def write(name: str = "erp.json", **data: object) -> str:
        (tmp_path / name).write_text(json.dumps(data))
        return str(tmp_path / name)

    return write


def test_schema_is_printed():
    """`stef rules schema` prints the schema and nothing else."""
    result = runner.invoke(rules_app, ["schema"])
    assert result.exit_code == 0
    assert json.loads(result.stdout) == rules_schema()


def test_good_file_ends_with_0(rules):
    """All examples pass: one line for the file, one for each example."""
    path = rules(examples=[{**GOOD, "expect": {"filter_alignment": "fully_applied"}}])
    result = runner.invoke(rules_app, ["check", path])
    assert result.exit_code == 0, result.output
    first, second = result.stdout.splitlines()
    assert first.startswith(f"{path}: valid, 1 of 1 examples pass (hash ")
    assert second == "  pass  [0] How many customers are in Brazil?"


def test_failing_example_ends_with_1_and_says_what_differs(rules):
    """What was expected and what was found, the SQL and the reason are shown."""
    expect = {"filter_alignment": "not_applied"}
    result = runner.invoke(rules_app, ["check", rules(examples=[{**GOOD, "expect": expect, "why": "to see it fail"}])])
    assert result.exit_code == 1
    assert "filter_alignment: expected not_applied, found fully_applied" in result.stdout
    assert "why it is expected: to see it fail" in result.stdout


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"calender": {}}, "unknown key 'calender'; did you mean 'calendar'?"),
        ({"dialect": "postgress"}, "dialect: unknown dialect 'postgress'; did you mean postgres"),
        ({"benign_filters": [{"sql": "a = = 1 ("}]}, "benign_filters[0]: "),
        ({"term_mappings": {"revenue": "SUM(("}}, "term_mappings['revenue']: "),
        ({"mandatory_filters": [{"sql": "1 = 1; DROP TABLE x"}]}, "mandatory_filters[0]: "),
    ],
)
def test_broken_file_ends_with_2(rules, data, said):
    """A broken file is named with the place and the way out, and no traceback."""
    path = rules(**data)
    result = runner.invoke(rules_app, ["check", path])
    assert result.exit_code == 2, result.output
    assert result.stdout.startswith(f"{path}: {said}")
    assert "Traceback" not in result.output


def test_json_is_one_document(rules):
    """`--json` holds every file with its status, and the exit code is that of the worst."""
    rules("a.json", examples=[GOOD])
    rules("b.json", zzz=1)
    folder = rules("c.json").removesuffix("c.json")
    result = runner.invoke(rules_app, ["check", folder, "--json"])
    assert result.exit_code == 2
    files = json.loads(result.stdout)["files"]
    assert [one["status"] for one in files] == ["ok", "broken", "ok"]
    assert files[0]["examples"][0]["passed"] is True
    assert "unknown key 'zzz'" in files[1]["problems"][0]


def test_what_is_not_there_ends_with_2(tmp_path):
    """A missing file, and a folder without rules."""
    assert runner.invoke(rules_app, ["check", str(tmp_path / "none.json")]).exit_code == 2
    assert runner.invoke(rules_app, ["check", str(tmp_path)]).exit_code == 2


@pytest.mark.parametrize("path", ["rules/default.json", "rules/example_sales.json"])
def test_examples_of_the_shipped_rules_pass(path, repo):
    """What stef ships passes its own check."""
    result = runner.invoke(rules_app, ["check", str(repo / path)])
    assert result.exit_code == 0, result.output
