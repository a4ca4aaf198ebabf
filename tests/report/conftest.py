"""A real browser, and RUNs to make reports of."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from report_kit import chromium, city_turns, scored_run, turn

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    # Nothing but this machine can be reached.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Chrome"]:
    """Chromium without a window; tests that use it skip where there is none."""
    found = chromium()
    if found is None:
        pytest.skip("no chromium with chromedriver here (STEF_CHROMIUM and STEF_CHROMEDRIVER name them)")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = found[0]
    for argument in (*ARGUMENTS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(found[1]))
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A RUN of 60 turns of two versions, some without a score."""
    cities = [
        f"{name} {number}" for number in range(4) for name in ("Oslo", "Rome", "Lima", "Bern", "Kyiv", "Baku", "Riga")
    ]
    turns = [*city_turns("1", cities, forgets=8), *city_turns("2", cities, forgets=3)]
    turns += [turn("broken", "1", "How many customers are there?", "SELECT COUNT( FROM")]
    turns += [turn("declined", "2", "Delete all customers", "I cannot help with that.")]
    turns += [turn("nothing", "2", "What is the average price?", None)]
    turns += [
        turn(
            "best", "2", "Which product is the most expensive?", "SELECT name FROM products ORDER BY price DESC LIMIT 1"
        )
    ]
    return scored_run(tmp_path_factory.mktemp("runs") / "run", turns)
