"""What `--rules` names: a file for all, or a folder with one file for each application."""

import json

import pytest

from stef.errors import RulesError
from stef.rules import AppRules, RuleBook, load_default


@pytest.fixture
def folder(tmp_path):
    for name, data in {
        "erp.json": {"row_cap": 1},
        "other-name.json": {"app": "CRM", "row_cap": 2},
        "app-rules.schema.json": {"$defs": {}},
    }.items():
        (tmp_path / name).write_text(json.dumps(data))
    return tmp_path


def test_one_file_holds_for_every_turn(folder):
    """A file that is named is meant, whatever a turn's application is."""
    book = RuleBook.load(folder / "erp.json")
    assert [book.for_app(app).row_cap for app in ("erp", "crm", None)] == [1, 1, 1]
    assert book.knows("crm")
    assert book.knows(None)


def test_folder_chooses_by_app_then_by_file_name(folder):
    """The application is the file's `app`, else its name, in any case; schemas are no rules."""
    book = RuleBook.load(folder)
    assert [book.for_app(app).row_cap for app in ("ERP", " crm ")] == [1, 2]
    assert [book.knows(app) for app in ("ERP", "CRM", "other-name", None)] == [True, True, False, False]
    assert len(book.all()) == 3


def test_app_without_a_file_has_the_default_rules(folder):
    """A turn whose application has no file gets stef's default rules."""
    assert RuleBook.load(folder).for_app("hr") == load_default()
    assert RuleBook.load(folder).for_app(None) == load_default()


def test_default_file_of_the_folder_holds_for_the_rest(folder):
    """`default.json` beside the others holds for the turns whose application has none; it is still not known."""
    (folder / "default.json").write_text('{"row_cap": 9}')
    book = RuleBook.load(folder)
    assert book.for_app("hr").row_cap == 9
    assert not book.knows("hr")


def test_two_files_for_one_app_are_an_error(folder):
    """It is not guessed which of two files holds."""
    (folder / "z.json").write_text('{"app": "Erp"}')
    with pytest.raises(RulesError, match=r"z\.json: app: .*erp\.json holds the rules of 'Erp' already"):
        RuleBook.load(folder)


def test_folder_without_rules_is_an_error(tmp_path):
    """An empty folder is named, with the way out."""
    with pytest.raises(RulesError, match=r"no rules in this folder; put one APP\.json"):
        RuleBook.load(tmp_path)


def test_one_broken_file_is_an_error(folder):
    """A broken file is not passed over."""
    (folder / "z.json").write_text("{")
    with pytest.raises(RulesError, match=r"z\.json: line 1"):
        RuleBook.load(folder)


def test_no_rules_are_the_default_rules():
    """Without `--rules` the default rules hold for every turn, which is no lack."""
    assert RuleBook.load().for_app("x") == load_default()
    assert RuleBook.load().knows("x")


def test_rules_made_in_python_are_merged():
    """A book of one AppRules holds what a file with the same keys would."""
    assert RuleBook.of(AppRules(row_cap=3)).for_app(None) == load_default().model_copy(update={"row_cap": 3})
