"""The published JSON Schema is the model's, and agrees with it."""

import json

import pytest

from stef.errors import RulesError
from stef.rules import load_rules, rules_schema

jsonschema = pytest.importorskip("jsonschema")

AGREE = [
    ({}, True),
    ({"extends": None, "benign_filters": None, "scoring": {"bands": None}, "term_mappings": {"a": None}}, True),
    ({"notes": "one", "critical_columns": ["a"], "column_mappings": {"a": "b", "c": ["d", "e"]}}, True),
    ({"benign_filters": [{"sql": "a = 1"}, {"column": "a", "op": "any_value", "tables": "t"}]}, True),
    ({"benign_filters": [{"column": "a"}]}, False),
    ({"benign_filters": [{"colum": "a", "op": "is_null"}]}, False),
    ({"benign_filters": [{"column": "a", "op": "=="}]}, False),
    ({"row_cap": "5"}, False),
    ({"row_cap": 0}, False),
    ({"notes": [1]}, False),
    ({"calendar": {"week_start": "Mon"}}, False),
    ({"examples": [{"question": "q"}]}, False),
]


def test_published_schema_is_current(repo):
    """After a change of the model: `stef rules schema > docs/app-rules.schema.json`."""
    assert json.loads((repo / "docs" / "app-rules.schema.json").read_text(encoding="utf-8")) == rules_schema()


@pytest.mark.parametrize(("data", "valid"), AGREE, ids=json.dumps)
def test_schema_and_loader_agree(data, valid, tmp_path):
    """An editor that knows the schema marks what the loader refuses."""
    validator = jsonschema.Draft202012Validator(rules_schema())
    (tmp_path / "erp.json").write_text(json.dumps(data))
    assert validator.is_valid(data) == valid
    if valid:
        load_rules(tmp_path / "erp.json")
    else:
        with pytest.raises(RulesError):
            load_rules(tmp_path / "erp.json")


@pytest.mark.parametrize("path", ["rules/default.json", "rules/example_sales.json"])
def test_shipped_rules_fit_the_schema(path, repo):
    """What stef ships is valid by its own schema."""
    jsonschema.validate(json.loads((repo / path).read_text(encoding="utf-8")), rules_schema())
