"""Make the pictures of docs/report.md: a page of the example log, in the chromium of this machine."""

import base64
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from typer.testing import CliRunner

from stef.cli.app import build

REPO = Path(__file__).parents[1]
SALES = REPO / "examples" / "sales"
IMAGES = REPO / "docs" / "images"
WIDTH = 1240
LARGEST = 150_000
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
    "--hide-scrollbars",
)
OPEN_WORST = "document.querySelectorAll('#worst-0 details')[1].open = true"
OPEN_TURN = "location.hash = '#turn=0-17'"
# Picture, scheme, what is done first, the part that is shown, its longest height.
PICTURES = (
    ("report-agents", "light", "", "#agents-0, #scores-0", 700),
    ("report-worst", "light", OPEN_WORST, "#worst-0", 640),
    ("report-turn", "dark", OPEN_TURN, "#turns", 700),
)


def main() -> None:
    """Write the pictures; exit 1 where one is larger than a page of documentation should carry."""
    with tempfile.TemporaryDirectory() as folder:
        page = made(Path(folder))
        for name, scheme, before, part, height in PICTURES:
            browser = chromium(Path(folder) / name, scheme)
            try:
                picture = shot(browser, page, before, part, height)
            finally:
                browser.quit()
            IMAGES.mkdir(exist_ok=True)
            (IMAGES / f"{name}.png").write_bytes(picture)
            print(f"{name}.png: {len(picture):,} bytes")
            if len(picture) > LARGEST:
                sys.exit(f"{name}.png is larger than {LARGEST:,} bytes: show less of the page")


def made(folder: Path) -> Path:
    """The page of the example log."""
    os.chdir(folder)
    for arguments in (
        ["score", str(SALES / "log.jsonl"), "--rules", str(SALES / "rules.json"), "-o", "sales"],
        ["report", "sales", "--title", "Sales bot, week 47", "-o", "report.html"],
    ):
        result = CliRunner().invoke(build(), arguments)
        if result.exit_code:
            sys.exit(result.output)
    return folder / "report.html"


def chromium(profile: Path, scheme: str) -> webdriver.Chrome:
    """The browser, without a window."""
    binary = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        sys.exit("no chromium with chromedriver on this machine")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in (*ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=Service(driver))
    metrics = {"width": WIDTH, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    return browser


def shot(browser: webdriver.Chrome, page: Path, before: str, part: str, height: int) -> bytes:
    """A picture of the elements of `part`, from the top of the first one, at most `height` high."""
    browser.get(page.as_uri())
    while not browser.execute_script("return document.getElementById('turns').dataset.ready"):
        time.sleep(0.05)
    browser.execute_script("document.querySelector('nav').style.position = 'static'")
    if before:
        browser.execute_script(before)
        time.sleep(0.5)
    top, bottom = browser.execute_script(
        "const boxes = [...document.querySelectorAll(arguments[0])].map((one) => one.getBoundingClientRect());"
        "return [boxes[0].top + scrollY, boxes.at(-1).bottom + scrollY]",
        part,
    )
    clip = {"x": 0, "y": top - 4, "width": WIDTH, "height": min(height, bottom - top + 8), "scale": 1}
    found = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    return base64.b64decode(found["data"])


if __name__ == "__main__":
    main()
