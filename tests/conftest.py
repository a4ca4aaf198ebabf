"""Fixtures that all tests share."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

REPO = Path(__file__).parents[1]


# Machines are shared and noisy: no test fails for being slow.
settings.register_profile("stef", deadline=None)
settings.load_profile("stef")


def pytest_configure(config: pytest.Config) -> None:
    """Keep the tests away from the user's own judges and caches."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY"):
        os.environ.pop(name, None)
    # What one test paid for is not there for another.
    os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="stef-tests-")


def _shared() -> Path:
    return Path(os.environ.get("STEF_SHARED", REPO.parent / "shared"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs the labelled data where it is absent."""
    if (_shared() / "data").is_dir():
        return
    skip = pytest.mark.skip(reason=f"needs the labelled data in {_shared()}, which is not there (set STEF_SHARED)")
    for item in items:
        if item.get_closest_marker("shared"):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of labelled data; tests that use it carry the marker `shared`."""
    return _shared()


@pytest.fixture(scope="session")
def repo() -> Path:
    """The checkout."""
    return REPO


@pytest.fixture
def report(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Says a figure that pytest's summary shows, also where tests run in several processes."""
    return lambda text: record_property("figure", text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the figures that tests reported."""
    reports = [*terminalreporter.stats.get("passed", ()), *terminalreporter.stats.get("failed", ())]
    for figure in sorted({str(value) for one in reports for name, value in one.user_properties if name == "figure"}):
        terminalreporter.write_line(figure)
