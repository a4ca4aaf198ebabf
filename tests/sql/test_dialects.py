"""Names of dialects, and what a text's spelling says of its dialect."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from stef.errors import UserError
from stef.sql import DIALECTS, check_dialect
from stef.sql.dialects import candidates, detect

CASES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("dialects.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("written", "meant"), CASES["names"].items())
def test_alias(written: str, meant: str) -> None:
    """A dialect goes by the names that people give it."""
    assert check_dialect(written) == meant


@pytest.mark.parametrize(("written", "offered"), CASES["unknown"].items())
def test_unknown_name_offers_the_nearest(written: str, offered: str) -> None:
    """An unknown dialect is the user's mistake, and the message offers the nearest names."""
    with pytest.raises(UserError, match=offered):
        check_dialect(written)


def test_far_off_name_lists_all() -> None:
    """A name that resembles nothing gets the whole list."""
    with pytest.raises(UserError, match=r"known are .*trino"):
        check_dialect("zzzzzzzzzzzz")


@pytest.mark.parametrize("name", DIALECTS)
def test_every_listed_dialect_is_known(name: str) -> None:
    """Each listed dialect is one that can be asked for."""
    assert check_dialect(name) == name


@pytest.mark.parametrize(("text", "dialect"), CASES["detected"].items())
def test_detection(text: str, dialect: str | None) -> None:
    """A spelling that only one dialect has speaks for it; plain SQL speaks for none."""
    assert detect(text) == dialect


def test_candidates_begin_with_the_likeliest() -> None:
    """The dialect that the spelling speaks for is tried first, each once."""
    found = candidates("SELECT TOP 5 a FROM t")
    assert found[0] == "tsql"
    assert len(found) == len(set(found))
