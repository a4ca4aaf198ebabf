"""Records → Turns: names, paths, presets, values, and what is said of the rest."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stef.errors import UserError
from stef.records.turn import Turn
from stef.runs.aliases import ALIASES, EITHER_QUESTION, EITHER_SQL, PRESETS
from stef.runs.mapping import field_map, fold
from stef.runs.records import BadLine, Record
from stef.runs.turns import Mapper, Row
from stef.runs.values import READERS

CASES = yaml.safe_load((Path(__file__).parent / "mapping.yaml").read_text(encoding="utf-8"))


def mapped(case: dict[str, Any]) -> tuple[Mapper, list[Row | BadLine]]:
    mapper = Mapper(field_map(case.get("map", ()), preset=case.get("preset"), keep=case.get("keep", ())))
    records = [Record(row, f"log:{row + 1}", fields) for row, fields in enumerate(case["records"])]
    return mapper, list(mapper.rows(records))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_mapping(case: dict[str, Any]) -> None:
    """These records under these options are these Turns, these broken rows, or this error."""
    if "error" in case:
        with pytest.raises(UserError) as raised:
            mapped(case)
        assert [word for word in case["error"] if word not in str(raised.value)] == []
        return
    mapper, rows = mapped(case)
    turns = [row.turn for row in rows if isinstance(row, Row)]
    assert len(turns) == len(case["turns"])
    for turn, expected in zip(turns, case["turns"], strict=True):
        assert {name: _plain(getattr(turn, name)) for name in expected} == expected
    bad = {row.row: row.reason for row in rows if isinstance(row, BadLine)}
    assert bad.keys() == case.get("bad", {}).keys()
    assert [row for row, word in case.get("bad", {}).items() if word not in bad[row]] == []
    if "aliases" in case:
        assert mapper.notes.aliases == case["aliases"]
    if "dropped" in case:
        assert list(mapper.notes.dropped) == case["dropped"]
    assert dict(mapper.notes.unreadable) == case.get("unreadable", {})


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def test_every_field_of_a_turn_can_be_mapped() -> None:
    """No field of Turn lacks a reader, and no reader a field."""
    assert READERS.keys() == Turn.model_fields.keys()


def test_aliases_are_folded_and_name_one_field_each() -> None:
    """No alias is spelled so that it never matches, and none stands for two fields."""
    names = [name for aliases in ALIASES.values() for name in aliases]
    assert [name for name in names if fold(name) != name] == []
    assert sorted(names) == sorted(set(names))
    assert ALIASES.keys() <= READERS.keys()
    assert set(names).isdisjoint({*EITHER_QUESTION, *EITHER_SQL})


def test_presets_map_known_fields() -> None:
    """A preset's targets are fields that `--map` takes too."""
    for preset, targets in PRESETS.items():
        assert field_map([f"{target}=a" for target in targets]), preset


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.dictionaries(st.sampled_from([*READERS, "created_at", "query", "latency_ms"]), JSON))
def test_no_record_breaks_the_mapping(fields: dict[str, Any]) -> None:
    """Whatever a record holds, it becomes a Turn with an id, or a broken line with its reason."""
    row = Mapper(field_map()).row(Record(0, "log:1", fields))
    assert (isinstance(row, BadLine) and row.reason) or (isinstance(row, Row) and row.turn.id)
