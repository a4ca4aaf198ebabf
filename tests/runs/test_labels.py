"""Labels: formats, spellings, and what could not be used."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.errors import InputError, UserError
from stef.runs.labels import correct_of, read_labels

CASES = yaml.safe_load((Path(__file__).parent / "labels.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_labels(case: dict[str, Any], tmp_path: Path) -> None:
    """What a file says, and how often something was wrong with it."""
    path = tmp_path / case["file"]
    path.write_text(case["text"], encoding="utf-8")
    if "error" in case:
        with pytest.raises(UserError) as error:
            read_labels(str(path), case.get("maps", ()))
        assert [word for word in case["error"] if word not in str(error.value)] == []
        return
    labels = read_labels(str(path), case.get("maps", ()))
    assert {name: label.correct for name, label in labels.by_id.items()} == case["labels"]
    assert labels.blank == case.get("blank", 0)
    for name in ("broken", "without_id", "unclear", "repeated", "contradicted"):
        assert getattr(labels, name).count == case.get(name, 0), name


def test_a_missing_file(tmp_path: Path) -> None:
    """Named, with the nearest one."""
    (tmp_path / "labels.csv").write_text("id,correct\na,yes\n")
    with pytest.raises(InputError, match=r"labels\.csv"):
        read_labels(str(tmp_path / "label.csv"))


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12), st.lists(st.integers())))
def test_a_label_is_right_wrong_none_or_refused(value: Any) -> None:
    """Never anything else, whatever stands there."""
    try:
        assert correct_of(value) in (True, False, None)
    except ValueError:
        assert value not in (True, False, None, "")
