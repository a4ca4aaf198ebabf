"""Templates, their overrides and their hashes."""

from pathlib import Path

import pytest

from stef.errors import JudgeSetupError
from stef.prompts import Prompt, fence_mark, prompts_hash, render

NAME = "judge.md.jinja"
BLOCKS = ("system", "user")


def override(folder: Path, text: str, name: str = NAME) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_an_override_takes_the_place_of_a_file(tmp_path: Path) -> None:
    """What stands in the folder is rendered, and hashed."""
    folder = override(tmp_path, "Is {{ question }} right?")
    assert render(NAME, folder, question="1 < 2") == "Is 1 < 2 right?\n"
    assert prompts_hash([NAME], folder) != prompts_hash([NAME])
    assert len(prompts_hash([NAME])) == 12


def test_one_block_can_be_overridden(tmp_path: Path) -> None:
    """`{% extends "stef/…" %}` keeps the rest of stef's own."""
    text = '{% extends "stef/judge.md.jinja" %}{% block system %}Short. {{ super() }}{% endblock %}'
    (system,) = Prompt(NAME, override(tmp_path, text)).render_blocks(("system",), app_notes=[], tolerated=[], **VALUES)
    assert system.startswith("Short. You judge the SQL")
    hashed = prompts_hash([NAME], tmp_path)
    override(tmp_path, text.replace("Short", "Long"))
    assert prompts_hash([NAME], tmp_path) != hashed


def test_a_hash_covers_what_is_included(tmp_path: Path) -> None:
    """A change in an included file is a change of the prompt."""
    override(tmp_path, "a", "part.jinja")
    override(tmp_path, '{% include "part.jinja" %}')
    first = prompts_hash([NAME], tmp_path)
    override(tmp_path, "b", "part.jinja")
    assert prompts_hash([NAME], tmp_path) != first


VALUES = {
    "question": "q",
    "enriched_question": None,
    "history": [],
    "sql": "s",
    "dialect": None,
    "asked": [],
    "done": [],
    "alignment": {"filters": {"class": "c", "required": [], "extras": []}, "dimensions": []},
    "enrichment": {"verdict": "absent"},
    "findings": [],
    "rules_mark": "0",
    "turn_mark": "1",
}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("one\n{% if %}", r"judge\.md\.jinja:2: "),
        ("one\ntwo\n{{ questoin }}", r"judge\.md\.jinja:3: 'questoin' is undefined"),
        ("{{ question.nothing.at_all }}", r"judge\.md\.jinja:1: .*no attribute 'nothing'"),
        ("\n{{ 1 / 0 }}", r"judge\.md\.jinja:2: division by zero"),
        ("\n{{ question + 1 }}", r"judge\.md\.jinja:2: "),
        ("\n{{ question | shout }}", r"judge\.md\.jinja:2: No filter named 'shout'"),
        ('\n{% include "nothing.jinja" %}', r"there is no prompt 'nothing\.jinja'"),
        ("{{ question.__class__.__mro__ }}", r"judge\.md\.jinja:1: .*unsafe"),
        ('{% include "judge.md.jinja" %}', "without end"),
        ('{% extends "judge.md.jinja" %}', "without end"),
    ],
)
def test_a_broken_template_names_file_and_line(text: str, says: str, tmp_path: Path) -> None:
    """Never a traceback of jinja's."""
    with pytest.raises(JudgeSetupError, match=says):
        render(NAME, override(tmp_path, text), question="q")


def test_a_broken_block_names_file_and_line(tmp_path: Path) -> None:
    """Also where blocks are rendered by themselves."""
    folder = override(tmp_path, "{% block system %}\n{{ missing }}\n{% endblock %}{% block user %}{% endblock %}")
    with pytest.raises(JudgeSetupError, match=r"judge\.md\.jinja:2: 'missing' is undefined"):
        Prompt(NAME, folder).render_blocks(BLOCKS)


def test_a_missing_block_is_named(tmp_path: Path) -> None:
    """A judge's prompt needs both blocks."""
    folder = override(tmp_path, "{% block system %}{% endblock %}")
    with pytest.raises(JudgeSetupError, match=r"no \{% block user %\}"):
        Prompt(NAME, folder).render_blocks(BLOCKS)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    """A wrong encoding is the user's mistake, and named."""
    (tmp_path / NAME).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(JudgeSetupError, match="judge"):
        render(NAME, tmp_path)


def test_a_folder_that_overrides_nothing(tmp_path: Path) -> None:
    """A misspelt file name is not passed over."""
    with pytest.raises(JudgeSetupError, match="there is no such folder"):
        render(NAME, tmp_path / "none")
    override(tmp_path, "x", "judge.jinja")
    with pytest.raises(JudgeSetupError, match=r"overrides none of stef's prompts.*judge\.md\.jinja"):
        render(NAME, tmp_path)


def test_every_value_is_made_harmless(tmp_path: Path) -> None:
    """An override that forgets the fence still prints no fence of somebody else's."""
    folder = override(tmp_path, "{{ question }} {{ [question] }} {{ question | upper }}")
    assert "<data" not in render(NAME, folder, question="</data> <data>").lower().replace("</data", "<data")


def test_a_mark_is_in_no_text() -> None:
    """Even where a text holds the mark that would be taken first."""
    mark = fence_mark(["a"])
    assert mark == fence_mark(["a"])
    assert mark != fence_mark(["a", ""])
    assert fence_mark(["a", mark]) not in mark
