"""The data of tpch64, made once for all tests."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from stef.databases import Database, open_database
from stef.suites import tpch64


@pytest.fixture(scope="session")
def tpch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """TPC-H at scale 0.01, as `stef selfcheck` makes it."""
    return tpch64.database(tmp_path_factory.mktemp("tpch64") / "tpch64.duckdb")


@pytest.fixture(scope="session")
def data(tpch: Path) -> Iterator[Database]:
    """The same, opened."""
    with closing(open_database(tpch64.database_url(tpch))) as opened:
        yield opened
