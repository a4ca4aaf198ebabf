"""The small database on each engine; a server that does not answer is skipped, with the reason."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from databases_kit import MAKERS, Engines

from stef.databases import Database, open_database


@pytest.fixture(params=sorted(MAKERS))
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engines]:
    """Each engine in turn."""
    folder = tmp_path / "files"
    folder.mkdir()
    with MAKERS[request.param](folder) as made:
        yield made


@pytest.fixture
def database(engine: Engines) -> Iterator[Database]:
    """The small database as stef opens it."""
    opened = open_database(engine.url)
    yield opened
    opened.close()
