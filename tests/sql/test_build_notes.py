"""What the Spec does not hold stays as a note, with its place in the text."""

from pathlib import Path
from typing import Any

import pytest
import sqlglot
import yaml

from stef.sql.build import build_spec
from stef.sql.schema import Schema

CASES = yaml.safe_load((Path(__file__).parent / "spec_notes.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["sql"][:70])
def test_notes(case: dict[str, Any]) -> None:
    sql, dialect = case["sql"], case.get("dialect")
    schema = Schema.from_ddl(case["schema"]) if "schema" in case else None
    notes = build_spec(sqlglot.parse_one(sql, dialect=dialect), sql, dialect, schema)[1]
    codes = {note.code for note in notes}
    assert set(case.get("codes", ())) <= codes
    assert not set(case.get("not", ())) & codes
    if "at" in case:
        span = next(note.span for note in notes if note.code == case["codes"][0])
        assert span is not None
        assert sql[slice(*span)] == case["at"]
