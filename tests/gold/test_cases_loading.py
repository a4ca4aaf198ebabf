"""Gold sets, right and wrong: the cases that they hold, and what is said of the rest."""

import json
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.errors import InputError, UserError
from stef.gold.cases import FORMATS, CaseSet, FaultKind, check_report, load_cases
from stef.gold.cases.formats.braces import TooManyColumnsError, expand
from stef.records.case import Case

HERE = Path(__file__).parent


def told(name: str) -> list[Any]:
    return yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))


def load(case: Mapping[str, Any], folder: Path) -> CaseSet:
    files = case.get("files") or {case["file"]: case["text"]}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return load_cases([folder / name for name in files if not name.endswith(".sql")], format=case.get("asked"))


@pytest.mark.parametrize("case", told("cases_broken"), ids=lambda case: case["name"])
def test_every_fault_has_file_line_field_and_the_way_out(case, tmp_path):
    """The faults of a set in the order of its entries, and the cases that are left."""
    found = load(case, tmp_path)
    shown = [
        [fault.kind.value, fault.line, fault.field, fault.message.replace(f"{tmp_path}/", "")] for fault in found.faults
    ]
    assert shown == case["faults"]
    assert [one.id for one in found.cases] == case.get("cases", [])
    assert all(str(fault).startswith(f"{fault.file}:{fault.line}: ") for fault in found.faults)


@pytest.mark.parametrize("case", told("cases_formats"), ids=lambda case: case["name"])
def test_public_shapes_are_read(case, tmp_path):
    """The format is told by the fields; what has no use is dropped and counted."""
    found = load(case, tmp_path)
    assert [str(fault) for fault in found.faults] == []
    assert found.files[0].format == case["format"]
    assert found.dropped == case.get("dropped", {})
    assert [one.model_dump(mode="json", exclude_defaults=True) for one in found.cases] == case["cases"]


@pytest.mark.parametrize("case", told("cases_braces"), ids=lambda case: case["sql"])
def test_braces_accept_every_choice(case):
    """Braces are written out before anything parses them: a parser takes `{a, b}` for a struct."""
    assert list(expand(case["sql"])) == case["accepts"]


def test_braces_do_not_explode(tmp_path):
    """A list that stands for more queries than anybody means is a fault of its entry."""
    columns = ", ".join(f"c{number}" for number in range(30))
    with pytest.raises(TooManyColumnsError):
        expand(f"SELECT {{{columns}}} FROM t")
    (tmp_path / "a.csv").write_text(f'question,query,db_name\nQ?,"SELECT {{{columns}}} FROM t",d\n')
    found = load_cases(tmp_path / "a.csv")
    assert [fault.kind for fault in found.faults] == [FaultKind.GOLD_TEMPLATE]


def test_a_folder_is_read_whole(tmp_path):
    """All files of a folder or glob, in order of name; one without questions is skipped."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "b.yaml").write_text("- {id: b, question: B, gold_sql: SELECT 1}\n")
    (tmp_path / "deep/a.jsonl").write_text('{"id": "a", "question": "A?", "gold_sql": "SELECT 1"}\n')
    (tmp_path / "tables.json").write_text('[{"db_id": "x", "table_names": []}]')
    (tmp_path / ".hidden.yaml").write_text("- {}\n")
    (tmp_path / "README.md").write_text("no cases\n")
    whole = load_cases(tmp_path)
    assert [one.id for one in whole.cases] == ["b", "a"]
    assert whole.skipped == (str(tmp_path / "tables.json"),)
    assert [one.id for one in load_cases([str(tmp_path / "*.yaml"), tmp_path / "b.yaml"]).cases] == ["b"]
    named = {fault.field for fault in load_cases(tmp_path / "tables.json").faults}
    assert named == {"db_id", "table_names", "question"}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("nowhere.yaml", "there is no such file"),
        ("*.yaml", "there is no such file"),
        ("empty", "the folder holds none of"),
        ("notes.txt", ".txt is not read"),
        ("latin.yaml", "byte 12 is not UTF-8"),
    ],
)
def test_a_path_that_leads_nowhere_is_the_users_mistake(path, words, tmp_path):
    """A named file that is not there, or cannot be read as text, ends with exit code 2."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "latin.yaml").write_bytes("- question: \xfc".encode("latin-1") + b"\n")
    if path == "*.yaml":
        (tmp_path / "latin.yaml").unlink()
    with pytest.raises(InputError, match=words) as caught:
        load_cases(tmp_path / path)
    assert caught.value.exit_code == 2


def test_no_path_and_an_unknown_format():
    """Both are the user's mistakes; the format's message has the nearest name."""
    with pytest.raises(InputError):
        load_cases([])
    with pytest.raises(UserError, match="did you mean 'spider'"):
        load_cases("x.yaml", format="spidre")


def test_cases_know_where_they_stand(tmp_path):
    """`where` is file and line, and is written nowhere."""
    (tmp_path / "a.yaml").write_text("# a set\n\n- {id: a, question: A, gold_sql: SELECT 1}\n")
    (case,) = load_cases(tmp_path / "a.yaml").cases
    assert case.where == f"{tmp_path / 'a.yaml'}:3"
    assert "where" not in case.model_dump()


def test_a_case_is_read_as_it_was_written(tmp_path):
    """Dumped as JSON and YAML and loaded again, a case is itself."""
    (tmp_path / "a.yaml").write_text(told("cases_formats")[0]["text"])
    (first,) = load_cases(tmp_path / "a.yaml").cases
    data = first.model_dump(mode="json")
    (tmp_path / "b.jsonl").write_text(json.dumps(data) + "\n")
    (tmp_path / "c.yaml").write_text(yaml.safe_dump([data]))
    (tmp_path / "d.json").write_text("\ufeff" + json.dumps([data], indent=2))
    for name in ("b.jsonl", "c.yaml", "d.json"):
        (again,) = load_cases(tmp_path / name).cases
        assert again.model_dump() == first.model_dump()


def test_formats_have_names_and_say_what_they_read():
    """A format is named once, and its marks are names that it reads."""
    assert len({one.name for one in FORMATS}) == len(FORMATS)
    assert all(one.about for one in FORMATS)


@given(st.text(max_size=300), st.sampled_from([".yaml", ".jsonl", ".json", ".csv"]))
def test_no_text_makes_loading_raise(tmp_path_factory, text, suffix):
    """Whatever stands in a file: it is a case or a fault."""
    path = tmp_path_factory.mktemp("any") / f"a{suffix}"
    path.write_bytes(text.encode("utf-8", "replace"))
    found = load_cases(path)
    assert found.cases or found.faults or found.files[0].entries == 0 or not text.strip()


@given(
    st.dictionaries(
        st.sampled_from([*Case.model_fields, "query", "db_id", "SQL", "golden_sql"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
            max_leaves=6,
        ),
        max_size=6,
    )
)
def test_no_entry_makes_loading_raise(tmp_path_factory, entry):
    """Whatever the values of an entry: it is a case or has a fault."""
    path = tmp_path_factory.mktemp("any") / "a.jsonl"
    path.write_text(json.dumps(entry) + "\n")
    found = load_cases(path)
    assert len(found.cases) + bool(found.faults) == 1


def test_a_check_counts_what_is_there(tmp_path):
    """The report of a set: what is in it, twins, and every fault."""
    (tmp_path / "a.yaml").write_text(
        textwrap.dedent(
            """\
            - {id: a, question: Films, gold_sql: SELECT count(*) FROM film, database: s, paraphrases: [How many]}
            - {id: b, question: Number of films., gold_sql: select count(*) from film, database: s, category: count}
            - {id: c, question: King, kind: unanswerable}
            - {id: d, question: Actors}
            """
        )
    )
    check = check_report(load_cases(tmp_path / "a.yaml"))
    assert (check.cases, check.broken, check.phrasings) == (3, 1, 4)
    assert check.databases == {"s": 2, None: 1}
    assert check.kinds == {"answerable": 2, "unanswerable": 1}
    assert check.readings == {0: 1, 1: 2}
    assert check.twins == (("a", "b"),)
    assert check.fault_kinds == {"no_gold": 1}
    assert json.loads(json.dumps(check.to_json()))["faults"][0]["field"] == "gold_sql"
