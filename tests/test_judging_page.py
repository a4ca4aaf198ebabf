"""The published page of the symbolic judge."""

import importlib.util
import json
from pathlib import Path


def test_page_is_current(repo: Path) -> None:
    """docs/judging.md says what the judge's data file says; `make judging` writes both."""
    found = importlib.util.spec_from_file_location("judging_page", repo / "tools" / "judging_page.py")
    assert found is not None
    assert found.loader is not None
    tool = importlib.util.module_from_spec(found)
    found.loader.exec_module(tool)
    model = json.loads((repo / "src/stef/judge/symbolic.json").read_text("utf-8"))
    assert (repo / "docs" / "judging.md").read_text("utf-8") == tool.page(model)
