"""Shipped files are found by their path, and nothing else is."""

import pytest

from stef.resources import resource_path, resource_text


def test_shipped_files_are_found(repo):
    """Rules are the checkout's own in an editable install."""
    assert resource_text("rules/default.json") == (repo / "rules" / "default.json").read_text(encoding="utf-8")
    assert "default.json" in [file.name for file in resource_path("rules").iterdir()]


@pytest.mark.parametrize("path", ["rules/none.json", "../../etc/passwd", "rules/../pyproject.toml", "/etc/passwd", ""])
def test_what_is_not_shipped_is_not_found(path):
    """A path that leads out, and one that leads nowhere, are errors."""
    with pytest.raises(FileNotFoundError, match="ships no file"):
        resource_path(path)
