"""Answers written into case files."""

import stat
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.errors import InputError
from stef.gold.cases import load_cases
from stef.gold.cases.writing import Written, write_field
from stef.gold.doubt import moved
from stef.gold.recording import answer_to_record
from stef.records.case import Case, RecordedAnswer
from stef.records.result import Cut, Result

FILES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "splicing.yaml").read_text("utf-8"))
TODAY = date(2026, 1, 31)


def writes(path: Path, wanted: dict[str, Any]) -> list[Written]:
    return [
        Written(path, int(place.partition("/")[0]), place.partition("/")[2], value) for place, value in wanted.items()
    ]


@pytest.mark.parametrize("entry", [pytest.param(one, id=one["about"][:60]) for one in FILES])
def test_nothing_but_the_field_changes(entry: dict[str, Any], tmp_path: Path) -> None:
    """Comments, order, quotes, line breaks and the other entries are byte for byte what they were."""
    path = tmp_path / entry["name"]
    path.write_bytes(entry["before"].encode())
    write_field("recorded_answer", writes(path, entry["write"]))
    assert path.read_bytes().decode() == entry["after"]


def test_a_mark_of_byte_order_a_mode_and_a_link_stay(tmp_path: Path) -> None:
    """The file is replaced in one step, and is the same file to everybody else."""
    real, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    real.write_bytes(b"\xef\xbb\xbf- id: a\n  question: A?\n")
    real.chmod(0o640)
    link.symlink_to(real)
    write_field("recorded_answer", [Written(link, 1, "a", {"value": 1})])
    assert link.is_symlink()
    assert real.read_bytes() == b"\xef\xbb\xbf- id: a\n  question: A?\n  recorded_answer: {value: 1}\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(one.name for one in tmp_path.iterdir()) == ["link.yaml", "real.yaml"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "id,question\na,A?\n"),
        ("a.yaml", "- id: b\n  question: moved since it was read\n"),
        ("a.yaml", "- &x\n  id: a\n  question: A?\n- *x\n"),
        ("a.yaml", "- id: a\n  question: |+\n    kept blank lines\n\n\n"),
        ("a.yaml", "- id: a\n  question: [\n"),
    ],
)
def test_a_file_that_cannot_be_changed_by_that_alone_is_left_as_it_is(name: str, text: str, tmp_path: Path) -> None:
    """Where the entry is gone, or something else would change, the user is told and the file is not touched."""
    path = tmp_path / name
    path.write_text(text)
    line = 3 if "&x" in text else 1
    try:
        write_field("recorded_answer", [Written(path, line, "a", {"value": 1})])
    except InputError as error:
        assert str(path) in str(error)
        assert path.read_text() == text
    else:
        assert [case.recorded_answer for case in load_cases(path).cases if case.id == "a"] == [RecordedAnswer(value=1)]


def test_no_file_is_written_where_one_cannot_be(tmp_path: Path) -> None:
    """All files are made ready before the first is written."""
    good, bad = tmp_path / "a.yaml", tmp_path / "b.csv"
    good.write_text("- id: a\n  question: A?\n")
    bad.write_text("id,question\nb,B?\n")
    with pytest.raises(InputError, match="YAML, JSONL or JSON"):
        write_field("recorded_answer", [Written(good, 1, "a", {"value": 1}), Written(bad, 2, "b", {"value": 1})])
    assert good.read_text() == "- id: a\n  question: A?\n"


def result(*columns: tuple[Any, ...], names: tuple[str, ...] = ("id", "name")) -> Result:
    return Result(names[: len(columns)], columns, len(columns[0]) if columns else 0)


CASE = Case(id="a", question="A?", gold_sql=("SELECT 1",))


@pytest.mark.parametrize(
    ("answer", "recorded"),
    [
        (result((3,)), {"value": 3}),
        (result((Decimal("1.50"),)), {"value": "1.50"}),
        (result((datetime(2025, 1, 2, 3),)), {"value": "2025-01-02 03:00:00"}),
        (result((None,)), {"rows": 1}),
        (result((2, 1, 2), ("x", "y", "z")), {"rows": 3, "ids": [1, 2]}),
        (result(("x", "y"), (1, 2), names=("name", "size")), {"rows": 2}),
        (result(("b", "a"), names=("name",)), {"rows": 2, "ids": ["a", "b"]}),
        (result(()), {"rows": 0, "ids": []}),
    ],
)
def test_a_recorded_answer_is_the_value_or_the_rows_and_ids(answer: Result, recorded: dict[str, Any]) -> None:
    """One cell is its value, as text where JSON has no such type; else the rows, and the ids where there are any."""
    assert answer_to_record(CASE, answer, TODAY) == {**recorded, "recorded": TODAY}


@pytest.mark.parametrize("answer", [Result(("a",), ((1,),), 1, Cut.ROW_LIMIT), result((b"\x00",))])
def test_what_was_cut_or_cannot_be_written_is_not_recorded(answer: Result) -> None:
    """A part of an answer is no answer."""
    assert answer_to_record(CASE, answer, TODAY) is None


VALUES = st.one_of(st.integers(-9, 9), st.text(max_size=3), st.none(), st.floats(allow_nan=False), st.booleans())


@given(st.lists(st.tuples(VALUES, VALUES), max_size=6))
def test_an_answer_that_was_just_recorded_has_not_moved(rows: list[tuple[Any, Any]]) -> None:
    """What is recorded of an answer is what is later compared."""
    answer = Result(("id", "x"), tuple(zip(*rows, strict=True)) if rows else ((), ()), len(rows))
    recorded = answer_to_record(CASE, answer, TODAY)
    assert recorded is not None
    assert moved(CASE, RecordedAnswer.model_validate(recorded), answer) is None
