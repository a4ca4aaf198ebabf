"""Rules files, right and wrong: what they come to, and what is said of them."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp, parse_one

from stef.errors import RulesError
from stef.rules import AppRules, FilterRule, load_default, load_rules, resolve, rules_hash
from stef.rules.merging import merge

HERE = Path(__file__).parent


def cases(name: str) -> list[Any]:
    return yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))


def write(case: dict[str, Any], folder: Path) -> Path:
    for name, text in case.get("files", {"erp.json": case.get("text", "")}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    if "hex" in case:
        (folder / "erp.json").write_bytes(bytes.fromhex(case["hex"]))
    return folder / "erp.json"


@pytest.mark.parametrize("case", cases("broken"), ids=lambda case: case["name"])
def test_broken_file_is_named_with_the_place_and_the_way_out(case, tmp_path):
    """The message has one line for each problem, in the order of the keys."""
    with pytest.raises(RulesError) as caught:
        load_rules(write(case, tmp_path))
    assert str(caught.value).replace(f"{tmp_path}/", "").split("\n") == case["error"]


@pytest.mark.parametrize("case", cases("merged"), ids=lambda case: case["name"])
def test_files_are_merged(case, tmp_path):
    """What a file comes to with all that it extends."""
    rules = load_rules(write(case, tmp_path))
    assert rules.extends is None
    assert rules.model_dump(mode="json", exclude_defaults=True, exclude={"extends"}) == case["merged"]


@pytest.mark.parametrize("case", cases("filters"), ids=lambda case: case["sql"])
def test_filters_as_sql(case):
    """A filter is written as SQL that means the same, whatever is in its names and values."""
    rule = FilterRule.model_validate(case["rule"])
    assert rule.to_sql() == case["sql"]
    assert rule.describe() == case.get("people", case["sql"])


@pytest.mark.parametrize(
    ("rule", "holds"),
    [
        ({"column": "IsTest"}, True),
        ({"column": "Invoice.IsTest"}, True),
        ({"column": "dbo.Invoice.IsTest"}, True),
        ({"column": "Track.IsTest"}, False),
        ({"column": "IsTest", "tables": ["Track", "INVOICE"]}, True),
        ({"column": "Invoice.IsTest", "tables": ["Track"]}, False),
    ],
)
def test_a_rule_holds_where_its_tables_are_read(rule, holds):
    """`tables` decide, else the column's table, else nothing does."""
    assert FilterRule(**rule, op="is_null").applies_to({"invoice", "customer"}) == holds


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, '{"notes": ' + "[" * 60 + "]" * 60 + "}"])
def test_deep_nesting_is_an_error(text, tmp_path):
    """No depth of brackets ends in anything but a message."""
    (tmp_path / "erp.json").write_text(text)
    with pytest.raises(RulesError, match="nested too deep"):
        load_rules(tmp_path / "erp.json")


@pytest.mark.parametrize(
    ("path", "said"), [("none.json", "no such file"), ("folder", "is a folder"), ("\0", "cannot be read")]
)
def test_what_is_no_file_is_an_error(path, said, tmp_path):
    """A missing file, a folder and an impossible name are each named."""
    (tmp_path / "folder").mkdir()
    with pytest.raises(RulesError, match=said):
        load_rules(tmp_path / path)


def test_more_than_twenty_problems_are_counted(tmp_path):
    """A file that is wrong all over does not fill the screen."""
    (tmp_path / "erp.json").write_text(json.dumps({f"zz{n}": 1 for n in range(25)}))
    with pytest.raises(RulesError) as caught:
        load_rules(tmp_path / "erp.json")
    assert str(caught.value).split("\n")[20:] == [f"{tmp_path / 'erp.json'}: … and 5 more"]


def test_a_file_extends_the_default_unless_it_says_otherwise(tmp_path):
    """`{}` is the default rules; null stops that."""
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "b.json").write_text('{"extends": null}')
    assert load_rules(tmp_path / "a.json") == load_default()
    assert load_rules(tmp_path / "b.json") == AppRules(extends=None)


def test_rules_made_in_python_are_merged_as_a_file_is(tmp_path):
    """`resolve` gives what a file with the same keys gives, and gives merged rules back as they are."""
    own = {"app": "erp", "benign_filters": [{"column": "x", "op": "=", "value": 1}], "notes": ["n"]}
    (tmp_path / "erp.json").write_text(json.dumps(own))
    rules = load_rules(tmp_path / "erp.json")
    assert resolve(AppRules.model_validate(own)) == rules
    assert resolve(rules) is rules
    assert resolve(None) == load_default()


def test_hash_names_what_rules_say_and_not_how(tmp_path):
    """Order of keys, layout, and examples do not count; a changed value does."""
    (tmp_path / "a.json").write_text('{"app": "x", "row_cap": 5}')
    (tmp_path / "b.json").write_text('{\n"row_cap": 5,\n"examples": [{"question": "q", "sql": "s"}], "app": "x"}')
    (tmp_path / "c.json").write_text('{"app": "x", "row_cap": 6}')
    a, b, c = (rules_hash(load_rules(tmp_path / name)) for name in ("a.json", "b.json", "c.json"))
    assert a == b != c
    assert len(a) == 12


def test_shipped_rules_are_valid(repo):
    """The default rules and the example load, and every filter of theirs says why."""
    for name in ("default.json", "example_sales.json"):
        rules = load_rules(repo / "rules" / name)
        assert all(rule.why for rule in (*rules.benign_filters, *rules.mandatory_filters))
    assert load_rules(repo / "rules" / "default.json") == load_default()


def test_example_uses_every_key(repo):
    """The rich example shows every key that there is."""
    data = json.loads((repo / "rules" / "example_sales.json").read_text())
    assert set(AppRules.model_fields) <= set(data)
    for key in ("agent_adds", "calendar", "normalisation", "scoring"):
        assert set(data[key]) == set(AppRules.model_fields[key].annotation.model_fields)


keys = st.sampled_from("abc")
plain = st.recursive(
    st.integers(0, 3) | st.text("xy", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(keys, plain, max_size=3)


@given(objects)
def test_merging_with_nothing_changes_nothing(data):
    """An empty file adds nothing, on either side but for repetition within a list."""
    assert merge(data, {}) == data
    assert merge(data, data) == merge(data, merge(data, data))


@given(objects, objects)
def test_merging_leaves_its_arguments_alone(base, own):
    """Neither file is changed by the merge."""
    before = json.dumps([base, own])
    merge(base, own)
    assert json.dumps([base, own]) == before


@given(
    st.binary(max_size=60) | st.text(max_size=60).map(str.encode) | plain.map(lambda data: json.dumps(data).encode())
)
def test_any_bytes_are_rules_or_an_error(tmp_path_factory, raw):
    """No content of a file ends in anything but rules or a RulesError."""
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_bytes(raw)
    try:
        assert isinstance(load_rules(path), AppRules)
    except RulesError as error:
        assert str(error).startswith(str(path))


JUNK = [
    None,
    True,
    0,
    -1,
    1.5,
    10**400,
    "",
    " ",
    "x",
    "\0",
    "..",
    "a" * 5000,
    [],
    [None],
    [[]],
    {},
    {"": 1},
    {"sql": "x"},
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in items for place in places(item, (*path, key)))]


EXAMPLE = json.loads((HERE.parents[1] / "rules" / "example_sales.json").read_text(encoding="utf-8"))


@given(st.sampled_from(places(EXAMPLE)[1:]), st.sampled_from(JUNK))
def test_junk_in_any_place_is_rules_or_an_error(tmp_path_factory, place, junk):
    """Whatever stands in whatever place of a file, it ends in rules or a RulesError in the user's words."""
    data = copy.deepcopy(EXAMPLE)
    inner = data
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = junk
    path = tmp_path_factory.getbasetemp() / "junk.json"
    path.write_text(json.dumps(data))
    try:
        rules_hash(load_rules(path))
    except RulesError as error:
        assert not re.search("Input|tuple|pydantic|validat", str(error))
        assert len(str(error)) < 1000


scalars = st.text(max_size=8) | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans()
names = st.text(st.characters(codec="utf-8", exclude_characters=".\0"), min_size=1, max_size=8).filter(str.strip)


@given(names, scalars)
def test_filter_as_sql_keeps_names_and_values_apart_from_code(column, value):
    """Whatever stands in a name or a value, the SQL is one comparison of that name with that value."""
    sql = FilterRule(column=column, op="=", value=value).to_sql()
    comparison = parse_one(f"SELECT 1 WHERE {sql}").args["where"].this
    assert isinstance(comparison, exp.EQ)
    assert (comparison.this.name, type(comparison.this)) == (column, exp.Column)
    found = comparison.expression.to_py()
    assert (float(found) if isinstance(value, float) else found) == value
