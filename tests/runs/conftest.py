"""Fixtures of more than one module."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from judge_kit import JudgeServer


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


@pytest.fixture
def judge_server(tmp_path: Path, repo: Path) -> Iterator[JudgeServer]:
    """The judge, in a process of its own."""
    log, latency = tmp_path / "asked", 0.2
    log.touch()
    command = [sys.executable, str(repo / "bench/judge_server.py"), "--latency", str(latency), "--log", str(log)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield JudgeServer(f"http://127.0.0.1:{process.stdout.readline().strip()}/v1", log, latency)
