"""The page in a real browser: it works by mouse and keyboard, fits a phone and paper, and obeys no text of a turn."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from report_kit import hostile_checks, hostile_gold_run, hostile_turns, many_turns, scored_run, stef, turn

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.xdist_group("browser")


def waited(ask: Callable[[], Any], seconds: float = 20) -> Any:
    """What `ask` says as soon as it says something."""
    end = time.monotonic() + seconds
    while not (found := ask()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def opened(browser: "Chrome", page: Path, place: str = "") -> None:
    """Open the page, and wait until its list of turns is there."""
    browser.get_log("browser")
    browser.get("about:blank")
    browser.get(page.as_uri() + place)
    assert waited(lambda: script(browser, "document.getElementById('turns').dataset.ready === 'yes'"))


def script(browser: "Chrome", expression: str) -> Any:
    return browser.execute_script(f"return {expression}")


def found(browser: "Chrome") -> str:
    return str(script(browser, "document.getElementById('found').textContent"))


def click(browser: "Chrome", selector: str) -> None:
    element = browser.find_element("css selector", selector)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def press(browser: "Chrome", *keys: str) -> None:
    from selenium.webdriver import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


@pytest.fixture(scope="module")
def page(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a RUN, with the comparison of its two versions."""
    page = tmp_path_factory.mktemp("pages") / "report.html"
    stef("report", run, "--by", "agent_version", "-o", page)
    return page


@pytest.fixture
def size(browser: "Chrome") -> Any:
    """Sets the size of the window, and puts it back."""

    def sized(width: int, height: int = 900) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    yield sized
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_search_filter_and_page(browser: "Chrome", page: Path) -> None:
    """The list is searched by words of question and SQL, narrowed by what turns have, and turned page by page."""
    opened(browser, page)
    assert found(browser) == "60 of 60 turns, page 1 of 3"
    click(browser, "#after")
    assert found(browser) == "60 of 60 turns, page 2 of 3"
    press(browser, "/")
    assert script(browser, "document.activeElement.id") == "search"
    press(browser, "oslo", " ", "city")
    assert waited(lambda: found(browser).startswith("5 of 60"))  # three of the eight queries forget the city
    press(browser, "\ue00c")
    assert waited(lambda: found(browser).startswith("60 of 60"))
    click(browser, "#by-band option:nth-child(2)")
    narrowed = found(browser)
    assert not narrowed.startswith("60 of")
    click(browser, "#clear")
    assert found(browser).startswith("60 of 60")


def test_turn_opens_with_its_words_and_sql(browser: "Chrome", page: Path) -> None:
    """Enter on a turn opens it below: score, question and SQL side by side with marks, findings; Enter closes it."""
    opened(browser, page)
    browser.execute_script("document.querySelector('#list button').focus()")
    press(browser, "\ue007")
    turn = waited(lambda: script(browser, "document.querySelector('#list .turn')?.textContent"))
    for text in ("Score", "Question", "SQL", "Filters", "row "):
        assert text in turn
    assert script(browser, "document.querySelectorAll('#list .turn mark').length") > 0
    assert script(browser, "document.activeElement.getAttribute('aria-expanded')") == "true"
    press(browser, "\ue007")
    assert waited(lambda: script(browser, "document.querySelector('#list .turn') === null"))


def test_links_lead_to_turns(browser: "Chrome", page: Path) -> None:
    """A cause leads to all of its turns, an example or a regression to one; an address names a turn."""
    opened(browser, page)
    click(browser, "#worst-0 details summary")
    text = script(browser, "document.querySelector('#worst-0 details summary').textContent")
    turns = int(text.split(" turn")[0].split()[-1])
    click(browser, "#worst-0 details > div > p:last-child a")
    assert waited(lambda: found(browser).startswith(f"{turns} of 60"))
    opened(browser, page, "#turn=0-3")
    assert waited(lambda: "row 3" in (script(browser, "document.querySelector('#list .turn')?.textContent") or ""))
    click(browser, "#comparison details summary")
    click(browser, "#comparison details a")
    assert waited(lambda: found(browser).startswith("1 of 60"))


def test_keyboard_reaches_everything(browser: "Chrome", page: Path) -> None:
    """The first stop leads past the head; every stop on the way shows where the focus is."""
    opened(browser, page)
    press(browser, "\ue004")
    assert script(browser, "document.activeElement.className") == "skip"
    for _ in range(12):
        press(browser, "\ue004")
        outline = script(browser, "getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", script(browser, "document.activeElement.outerHTML.slice(0, 200)")


def test_dark_and_light(browser: "Chrome", page: Path) -> None:
    """The page follows the system, and the button turns it."""
    back = "getComputedStyle(document.body).backgroundColor"
    for scheme, other in (("light", "dark"), ("dark", "light")):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        opened(browser, page)
        before = script(browser, back)
        click(browser, "#theme")
        assert script(browser, back) != before
        assert script(browser, "document.documentElement.dataset.theme") == other
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("width", [1280, 390])
def test_no_sideways_scrolling(browser: "Chrome", page: Path, size: Callable[..., None], width: int) -> None:
    """With everything open, the page is as wide as its window; what is wider scrolls in a box of its own."""
    size(width)
    opened(browser, page)
    browser.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    click(browser, "#list button")
    assert waited(lambda: script(browser, "document.querySelector('#list .turn') !== null"))
    assert script(browser, "document.documentElement.scrollWidth") <= width


def test_on_paper(browser: "Chrome", page: Path) -> None:
    """On paper there are no controls, closed parts are open, and the paper is white."""
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": features})
    opened(browser, page)
    assert script(browser, "getComputedStyle(document.getElementById('turns')).display") == "none"
    assert script(browser, "getComputedStyle(document.querySelector('nav')).display") == "none"
    assert script(browser, "document.querySelector('#worst-0 details pre').getBoundingClientRect().height") > 0
    assert script(browser, "getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_without_scripts(browser: "Chrome", page: Path) -> None:
    """Where scripts are off, everything but the list of all turns is there."""
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get("about:blank")
        browser.get(page.as_uri())
        body = browser.find_element("tag name", "body").text
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert "Findings by cost" in body
    assert "All turns" not in body


def test_nothing_of_a_turn_is_obeyed(browser: "Chrome", httpserver: "HTTPServer", tmp_path: Path) -> None:
    """Markup in every text of a log is shown as text: nothing runs, and no request leaves the page."""
    url = httpserver.url_for("").rstrip("/")
    run = scored_run(tmp_path / "<img src=x onerror=alert(9)>", hostile_turns(url))
    page = tmp_path / "report.html"
    labels = tmp_path / "labels.csv"
    labels.write_text("id,correct\nenriched,1\nlong,0\n", encoding="utf-8")
    title = f"</title><script>alert(7)</script><img src={url}/title>"
    stef("report", run, "-o", page, "--title", title, "--labels", labels)
    opened(browser, page)
    browser.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for number in range(4):
        browser.execute_script("document.querySelectorAll('#list button')[arguments[0]].click()", number)
    shown = waited(lambda: script(browser, "document.querySelectorAll('#list .turn').length") == 4)
    assert shown, "a turn did not open"
    assert script(browser, "window.pwned") is None
    assert not browser.find_elements(
        "css selector", "main img, main iframe, main a[href^='javascript'], main svg[onload]"
    )
    assert "<script>window.pwned=1;alert(1)</script>" in script(browser, "document.getElementById('list').textContent")
    assert script(browser, "document.title") == title
    assert no_alert(browser)
    assert script(browser, "document.documentElement.scrollWidth <= innerWidth")
    assert [one for one in browser.get_log("browser") if one["level"] == "SEVERE"] == []
    assert httpserver.log == []


def no_alert(browser: "Chrome") -> bool:
    from selenium.common.exceptions import NoAlertPresentException

    try:
        browser.switch_to.alert.dismiss()
    except NoAlertPresentException:
        return True
    return False


def test_checks(browser: "Chrome", tmp_path: Path, httpserver: "HTTPServer") -> None:
    """What stef verify found stands in a table and in the turn, an outcome leads to its turns; a hostile database and
    hostile turns are shown, and not obeyed."""
    url = httpserver.url_for("").rstrip("/")
    hostile = [
        turn("lost", "1", "How many c are there?", "SELECT COUNT(*) FROM nowhere"),
        turn("found", "1", "How many c are there?", "SELECT COUNT(*) FROM c"),
        turn("near", "1", "List the a of c with name 'A'", "SELECT a FROM c WHERE name = 'A'"),
        *hostile_turns(url),
    ]
    run = scored_run(tmp_path / "run", hostile)
    page = tmp_path / "report.html"
    stef("report", run, "--checks", hostile_checks(run, tmp_path, url), "-o", page)
    opened(browser, page)
    table = script(browser, "document.querySelector('#checks table tbody').innerText")
    assert [line.split()[0] for line in table.splitlines()] == ["execute", "sanity", "back-translation", "consistency"]
    click(browser, "#checks a[href='#checked=refuted']")
    assert waited(lambda: "page 1" in found(browser) and not found(browser).startswith(f"{len(hostile)} of"))
    opened(browser, page, "#turn=0-0")
    text = waited(lambda: script(browser, "document.querySelector('#list .turn')?.textContent"))
    for part in ("Checks on the database", "refuted, p = 0.0", "no such table: nowhere", "sanity: not climbed"):
        assert part in text
    browser.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    click(browser, "#clear")
    for number in range(len(hostile)):
        browser.execute_script("document.querySelectorAll('#list button')[arguments[0]].click()", number)
    assert waited(lambda: script(browser, "document.querySelectorAll('#list .turn').length") == len(hostile))
    assert script(browser, "window.pwned") is None
    assert not browser.find_elements("css selector", "main img, main iframe, main a[href^='javascript']")
    assert no_alert(browser)
    assert [one for one in browser.get_log("browser") if one["level"] == "SEVERE"] == []
    assert httpserver.log == []


ATTEMPTS = (
    "new Image().src = arguments[0]",
    "fetch(arguments[0]).catch(() => 0)",
    "const link = document.createElement('link'); link.rel = 'stylesheet'; link.href = arguments[0]; "
    "document.head.append(link)",
    "const frame = document.createElement('iframe'); frame.src = arguments[0]; document.body.append(frame)",
    "document.body.insertAdjacentHTML('beforeend', '<b id=slipped></b>')",
    "const run = document.createElement('script'); run.textContent = 'window.ran = 1'; document.head.append(run)",
    "const one = document.createElement('b'); one.setAttribute('onclick', 'window.ran = 1'); one.click()",
)


def test_the_page_may_load_nothing(browser: "Chrome", page: Path, httpserver: "HTTPServer") -> None:
    """Were markup to get through, the page's own policy would stop it: no script, no picture, no request."""
    httpserver.expect_request("/leak").respond_with_data("")
    url = httpserver.url_for("/leak")
    opened(browser, page)
    for attempt in ATTEMPTS:
        browser.execute_script(f"try {{ {attempt} }} catch (error) {{ }}", url)
    time.sleep(0.3)
    assert script(browser, "window.ran") is None
    assert script(browser, "document.getElementById('slipped')") is None
    assert httpserver.log == []


def test_ten_thousand_turns(browser: "Chrome", run: Path, tmp_path: Path) -> None:
    """A page of ten thousand turns is small, has few elements, and lists and searches all of them."""
    import shutil

    many = many_turns(Path(shutil.copytree(run, tmp_path / "many")), 170)
    page = tmp_path / "report.html"
    stef("report", many, "-o", page, "--turns", 20_000)
    assert page.stat().st_size < 6_000_000
    opened(browser, page)
    assert found(browser) == "10,200 of 10,200 turns, page 1 of 408"
    assert script(browser, "document.querySelectorAll('*').length") < 6_000
    press(browser, "/", "oslo")
    assert waited(lambda: found(browser).startswith("1,360 of 10,200"))
    stef("report", many, "-o", page, "--turns", 500)
    opened(browser, page)
    assert found(browser).startswith("500 of 500 turns")
    assert "10,200" in script(browser, "document.querySelector('#turns p').textContent")


def test_the_net_is_watched(browser: "Chrome", httpserver: "HTTPServer", tmp_path: Path) -> None:
    """A page without a policy does ask the server of these tests, so that no request means none was made."""
    httpserver.expect_request("/seen").respond_with_data("")
    page = tmp_path / "other.html"
    page.write_text(f"<img src='{httpserver.url_for('/seen')}'>", encoding="utf-8")
    browser.get(page.as_uri())
    assert waited(lambda: httpserver.log)


def test_gold_page(browser: "Chrome", httpserver: "HTTPServer", tmp_path: Path) -> None:
    """A gold run's page opens turns with the gold beside the SQL; hostile cases are shown, not obeyed."""
    url = httpserver.url_for("").rstrip("/")
    page = tmp_path / "report.html"
    stef("report", hostile_gold_run(tmp_path / "run", url), "-o", page)
    opened(browser, page)
    assert found(browser).startswith("2 of 2 turns")
    for number in range(2):
        browser.execute_script("document.querySelectorAll('#list button')[arguments[0]].click()", number)
    assert waited(lambda: script(browser, "document.querySelectorAll('#list .turn').length") == 2)
    text = script(browser, "document.getElementById('list').textContent")
    for part in ("Gold SQL", "Wrong: wrong values", "Right. Expected: answer", "exact match", "<script>"):
        assert part in text
    click(browser, "#causes-0 a")
    assert waited(lambda: found(browser).startswith("1 of 2 turns"))
    assert script(browser, "window.pwned") is None
    assert [one for one in browser.get_log("browser") if one["level"] == "SEVERE"] == []
    assert httpserver.log == []
