"""Fixtures of more than one module."""

import importlib.util
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """An Iceberg catalog in SQLite with its warehouse beside it, by the name of `lake`; it has the namespace `app`."""
    if importlib.util.find_spec("pyiceberg") is None:
        pytest.skip("needs pyiceberg: pip install 'stef[iceberg]'")
    folder = tmp_path_factory.mktemp("lake")
    with pytest.MonkeyPatch.context() as patch:
        # pyiceberg looks at its variables once, when it is imported.
        patch.setenv("PYICEBERG_CATALOG__LAKE__URI", f"sqlite:///{folder}/catalog.db")
        patch.setenv("PYICEBERG_CATALOG__LAKE__WAREHOUSE", f"file://{folder}")
        from pyiceberg.catalog import load_catalog

        catalog = load_catalog("lake")
        catalog.create_namespace("app")
        yield catalog
