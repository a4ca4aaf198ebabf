"""`stef findings`: what it lists, what it says of one finding, and that the published page is current."""

import json
from collections.abc import Callable
from pathlib import Path

from command_line import Done

from stef.findings import all_rules


def test_every_rule_is_listed(stef: Callable[..., Done]) -> None:
    """Code and title of each, with what was measured."""
    done = stef("findings")
    assert done.code == 0
    assert [rule.code for rule in all_rules() if f"{rule.code}  {rule.title}" not in done.out] == []


def test_one_finding_is_documented(stef: Callable[..., Done]) -> None:
    """The docstring of the rule, and its figures with their intervals."""
    done = stef("findings", "s101")
    assert done.code == 0
    for part in ("S101 columns glued together", "Why it is bad:", "Right:", "90 % interval"):
        assert part in done.out


def test_json_is_one_document(stef: Callable[..., Done]) -> None:
    """Sets, provenance, and for each finding what was measured."""
    document = json.loads(stef("findings", "--json").out)
    assert {"sets", "provenance", "findings"} == set(document)
    figures = next(one for one in document["findings"] if one["code"] == "S101")["measured"]
    for figure in figures.values():
        assert 0 <= figure["low"] <= figure["wrong_share"] <= figure["high"] <= 1
        assert figure["turns"] >= figure["questions"] >= 1


def test_unknown_code(stef: Callable[..., Done]) -> None:
    """A mistake of the user's, with the nearest code."""
    done = stef("findings", "S1011")
    assert done.code == 2
    assert "did you mean S101?" in done.err


def test_published_page_is_current(repo: Path, stef: Callable[..., Done]) -> None:
    """After a change of a rule or its figures: `stef findings --markdown > docs/findings.md`."""
    assert (repo / "docs" / "findings.md").read_text("utf-8") == stef("findings", "--markdown").out
