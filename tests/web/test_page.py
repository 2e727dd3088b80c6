"""The page in a real browser: the three flows, every state, by mouse, touch and keyboard."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from satlife.life import Box, Pattern, identify
from tests.browser import open_browser
from tests.patience import PATIENCE
from tests.web.hands import HANDS, Mouse, Touch
from tests.web.looks import Watched, look_at
from tests.web.serving import Server, serving
from tests.web.states import (
    STATES,
    WIDTHS,
    ask,
    begin_drawing,
    disconnected,
    exhausted,
    open_page,
    solving,
    stop_all,
    until,
    wait_for,
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("serve")) as opened:
        yield opened


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    stop_all(server)  # a search that the last test's page asked for as it was closed
    context = browser.new_context(viewport=WIDTHS["wide"], reduced_motion="reduce")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    watched = Watched(opened)
    yield opened
    context.close()
    stop_all(server)
    assert watched.errors == []
    assert watched.foreign == []


def title(page: Any) -> str:
    return page.locator("#title").inner_text()


def shared(page: Any) -> dict[str, Any]:
    """What the address holds after the #."""
    return page.evaluate("import('/link.js').then(link => link.read(location.hash))")


def test_first_sight_is_a_ship_and_its_question(page, server):
    page.emulate_media(reduced_motion="no-preference")
    open_page(page, server)
    assert page.locator(".satlife-words strong").inner_text() == "25P3H1V0.1"
    assert page.get_by_label("Pause").is_visible()
    assert page.locator("#f-speed").input_value() == "c/3"
    assert page.locator("#command").inner_text() == "satlife ship c/3 --box 16x6"
    assert "token" not in page.url


def test_find_watch_save_and_ask_for_more(page, server):
    open_page(page, server)
    ask(Mouse(page), speed="c/4d", box="4x4")
    wait_for(page, "found")
    assert page.locator(".satlife-words strong").inner_text() == "glider"
    page.get_by_role("button", name="Copy RLE").last.click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert identify(Pattern.from_rle(copied)).name == "glider"
    for suffix, head in (("GIF", b"GIF89a"), ("SVG", b"<svg"), ("HTML", b"<!DOCTYPE")):
        with page.expect_download() as download:
            page.get_by_role("link", name=suffix, exact=True).click()
        assert Path(download.value.path()).read_bytes().startswith(head)
    page.get_by_role("button", name="Another").click()
    until(page, "document.querySelectorAll('#strip canvas').length === 2")
    page.get_by_role("button", name="All", exact=True).click()
    until(page, "document.querySelector('#words').textContent.includes('all of them')")
    page.get_by_role("button", name="Smaller").click()
    until(page, "document.querySelector('#words').textContent.includes('fewest')")


def test_complete_a_drawing_by_mouse(page, server):
    open_page(page, server)
    begin_drawing(Mouse(page))
    page.fill("#size", "4x4")
    page.locator("#size").press("Enter")
    box = page.locator("#board canvas").bounding_box()
    cell = min(box["width"], box["height"]) / 4
    left = box["x"] + (box["width"] - 4 * cell) / 2

    def place(x: int, y: int) -> tuple[float, float]:
        return left + (x + 0.5) * cell, box["y"] + (y + 0.5) * cell

    # A drag repeats what the first cell did.
    page.mouse.move(*place(1, 0))
    page.mouse.down()
    page.mouse.move(*place(2, 0), steps=3)
    page.mouse.up()
    page.locator("label[data-tool='.']").click()
    page.mouse.click(*place(0, 0))
    until(page, "document.querySelector('#drawing-text').value.includes('b2o?')")
    page.click("#search")
    wait_for(page, "found")
    rle = shared(page)["rle"]
    pattern = Pattern.from_rle(rle)
    assert pattern[1] == pattern
    assert pattern.in_box(Box(0, 0, 4, 4))[0].tolist()[:3] == [0, 1, 1]


def test_complete_a_drawing_by_keyboard_alone(page, server):
    open_page(page, server)

    def tab_to(selector: str) -> None:
        for _ in range(60):
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{selector} is not reached by Tab")

    tab_to("[data-card=complete]")
    page.keyboard.press("Enter")
    tab_to("#blank")
    page.keyboard.press("Enter")
    tab_to("#board")
    for key in (
        "1",
        "ArrowRight",
        "1",
        "ArrowDown",
        "1",
        "ArrowLeft",
        "1",
        "Control+z",
        "Control+y",
    ):
        page.keyboard.press(key)
    assert "column 0, row 1, alive" in page.locator("#board").get_attribute("aria-label")
    page.keyboard.press("Control+Enter")
    wait_for(page, "found")
    assert (
        page.locator("#said").inner_text().startswith("Found")
        or page.locator("#title").is_visible()
    )


def test_mirror_cells_and_contradictions_appear_while_drawing(page, server):
    open_page(page, server)
    begin_drawing(Mouse(page))
    page.locator("#board").focus()
    page.keyboard.press("1")
    page.select_option("#f-symmetry", "D2v")
    until(page, "document.querySelector('#command').textContent.includes('D2')")
    page.locator("#board").focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("0")
    until(page, "document.querySelector('#drawing-note').textContent.includes('contradicts')")


def test_pasted_grids_of_logic_life_search(page, server):
    open_page(page, server)
    begin_drawing(Mouse(page))
    page.locator("#drawing summary").click()
    page.fill("#drawing-text", "0,0,0\n1,1,1\n0,0,0\n\n0,*,0\n0,*,0\n0,*,0\n")
    page.get_by_role("button", name="Use this text").click()
    until(page, "document.querySelectorAll('#when option').length === 2")
    page.click("#search")
    wait_for(page, "found")
    page.keyboard.press("Escape")
    page.fill("#drawing-text", "3q!")
    page.get_by_role("button", name="Use this text").click()
    page.wait_for_selector("#drawing-text-error:not([hidden])")


def test_none_is_certified_downloaded_and_accepted_by_satlife_check(page, server, tmp_path):
    open_page(page, server)
    ask(Mouse(page), "oscillator", period="3", box="3x3")
    wait_for(page, "impossible")
    assert title(page) == "No such pattern exists"
    assert "There is no oscillator of period 3" in page.locator("#statement pre").text_content()
    page.get_by_role("button", name="Make a certificate").click()
    check_certificate(page, tmp_path)


def check_certificate(page: Any, folder: Path) -> None:
    """Download the certificate, and give it to ``satlife check``."""
    wait_for(page, "certified")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the certificate").click()
    zipfile.ZipFile(download.value.path()).extractall(folder)
    (certificate,) = folder.iterdir()
    command = [sys.executable, "-m", "satlife", "check", str(certificate)]
    assert subprocess.run(command, check=False).returncode == 0


def test_an_orphan_question(page, server):
    open_page(page, server)
    begin_drawing(Mouse(page), "past")
    page.select_option("#kind", "orphan")
    page.click("#blank")
    page.locator("#board").focus()
    page.keyboard.press("1")
    page.click("#search")
    wait_for(page, "found")
    assert title(page) == "No, not an orphan: this is a parent"


def test_a_search_survives_a_reload_and_a_closed_tab_and_stops_in_time(page, server):
    open_page(page, server)
    solving(Mouse(page), server)
    page.reload()
    wait_for(page, "solving")
    context = page.context
    page.close()
    again = context.new_page()
    open_page(again, server)
    wait_for(again, "solving")
    begun = time.monotonic()
    again.keyboard.press("Escape")
    wait_for(again, "stopped")
    assert time.monotonic() - begun < PATIENCE
    again.get_by_role("button", name="Search again").is_visible()


def test_a_link_fills_the_form_and_plays_and_starts_nothing(page, server):
    open_page(page, server)
    question = {"kind": "oscillator", "values": {"period": "2", "box": "5x5", "symmetry": "D8"}}
    fragment = page.evaluate(
        "value => import('/link.js').then(link => link.write(value))",
        {"question": question, "rle": "3o!"},
    )
    before = len(server.ask("GET", "/api/jobs").json())
    sent: list[str] = []
    other = page.context.new_page()
    other.on("request", lambda request: sent.append(request.url))
    open_page(other, server, fragment)
    assert other.locator("#f-box").input_value() == "5x5"
    assert other.locator("#f-symmetry").input_value() == "D8"
    assert other.locator(".satlife-words strong").inner_text() == "blinker"
    assert len(server.ask("GET", "/api/jobs").json()) == before
    assert not [url for url in sent if fragment[1:40] in url.partition("#")[0]]
    # A page of another site, such as the documents, has no cookie of ours: its links work too.
    other.goto("data:text/html,<a>go</a>")
    other.evaluate(f"location.href = 'http://127.0.0.1:{server.port}/{fragment}'")
    other.wait_for_selector("#f-box")
    until(other, "document.querySelector('#f-box').value === '5x5'")
    # Whatever stands in a link, the page works.
    for bad in ("#x", "#%00", "#" + "A" * 5000, fragment.replace("a", "b")):
        open_page(other, server, bad)
        assert other.locator("#search").is_visible()


def test_a_server_that_ends_and_comes_back(browser, tmp_path):
    page = browser.new_page()
    with serving(tmp_path) as first:
        open_page(page, first)
        ask(Mouse(page), speed="c/4d", box="4x4")
        wait_for(page, "found")
        first.process.kill()
        first.process.wait()
        page.fill("#f-box", "5x5")
        page.wait_for_selector("#offline:not([hidden])")
        assert "Disconnected" in page.locator("#offline").inner_text()
    with serving(tmp_path, port=first.port) as second:
        until(page, "document.querySelector('#offline').textContent.includes('has ended')")
        # The new address has the history, and the question is in the link.
        open_page(page, second)
        page.click("#history summary")
        page.wait_for_selector("#past button")
        assert "satlife ship c/4d --box 4x4" in page.locator("#past button").first.inner_text()
        page.locator("#past button").first.click()
        until(page, "document.querySelector('.satlife-words strong')?.textContent === 'glider'")
    page.close()


def test_by_touch(browser, server):
    context = browser.new_context(viewport=WIDTHS["narrow"], has_touch=True, is_mobile=True)
    page = context.new_page()
    open_page(page, server)
    begin_drawing(Touch(page))
    page.locator("#board").scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    box = page.locator("#board canvas").bounding_box()
    Touch(page).paint((0, 0))
    until(page, "document.querySelector('#drawing-text').value.includes('o7?')")
    # Two fingers zoom and paint nothing.
    before = page.locator("#drawing-text").input_value()
    client = context.new_cdp_session(page)
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for kind, spread in (("touchStart", 20), ("touchMove", 60), ("touchMove", 100)):
        points = [
            {"x": middle[0] + d * spread, "y": middle[1], "id": n} for n, d in enumerate((-1, 1))
        ]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    # Fingers that lift while they move begin a fling, and Chromium swallows a tap that ends one.
    page.wait_for_timeout(300)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(200)
    assert page.locator("#drawing-text").input_value() == before
    page.tap("#search")
    wait_for(page, "found")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


@pytest.fixture(scope="module", params=["touch", "keyboard"])
def hand(request: pytest.FixtureRequest, browser: Any) -> Iterator[Mouse]:
    """A page at a phone's width under a finger, or at a desk's under the keyboard alone."""
    touch = request.param == "touch"
    context = browser.new_context(
        viewport=WIDTHS["narrow" if touch else "wide"],
        has_touch=touch,
        is_mobile=touch,
        reduced_motion="reduce",
    )
    watched = Watched(context.new_page())
    yield HANDS[request.param](watched.page)
    context.close()
    assert watched.errors == []
    assert watched.foreign == []


@pytest.mark.parametrize("state", STATES)
def test_every_state_by_touch_and_by_keyboard_alone(hand, server, state):
    """By mouse they are reached below, where axe looks at them."""
    stop_all(server)
    open_page(hand.page, server)
    STATES[state](hand, server)
    stop_all(server)
    assert hand.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_disconnected_by_touch_and_by_keyboard_alone(hand, tmp_path):
    with disconnected(hand, tmp_path):
        assert "Disconnected" in hand.page.locator("#offline").inner_text()


def test_exhausted_is_not_called_impossible_until_it_is_certified(page, server, tmp_path):
    open_page(page, server)
    exhausted(Mouse(page), server)
    assert title(page) == "The search found nothing"
    assert "Nobody has checked this" in page.locator("#words").inner_text()
    assert page.locator("#sign").inner_text() == "≈"
    page.get_by_role("button", name="Make a certificate").click()
    check_certificate(page, tmp_path)


@pytest.mark.parametrize(
    ("speed", "box", "name", "value"),
    [
        ("c/6", "20x20", "box", "20x*"),
        ("c/7d", "11x11", "symmetry", "D2b"),
    ],
)
def test_after_ten_seconds_the_page_offers_what_helps(page, server, speed, box, name, value):
    """Rows or a symmetry: the first that the motion can have."""
    open_page(page, server)
    page.clock.install()
    ask(Mouse(page), speed=speed, box=box)
    wait_for(page, "solving")
    page.clock.fast_forward(8_000)
    assert page.locator("#offers").is_hidden()
    page.clock.fast_forward(3_000)
    page.wait_for_selector("#offers:not([hidden])")
    offers = page.locator("#offers button")
    assert offers.first.inner_text().startswith(f"{name} {value}")
    offers.first.click()
    page.wait_for_selector("#status[data-state=solving]")
    # The question is another one now, and the old search has been stopped.
    until(page, f"document.querySelector('#f-{name}').value === {json.dumps(value)}")
    until(page, "document.querySelector('#strip').textContent.includes('Stopped')")
    until(page, "document.querySelector('#status').dataset.state === 'solving'")


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_in_any_state(page, server, state):
    open_page(page, server)
    STATES[state](Mouse(page), server)
    look_at(page)


def test_axe_finds_nothing_while_disconnected(browser, tmp_path):
    page = browser.new_page()
    with disconnected(Mouse(page), tmp_path):
        look_at(page)
    page.close()


class Budget:
    """What a page has loaded and used, as Chromium tells it."""

    def __init__(self, page: Any) -> None:
        self.sizes: dict[str, int] = {}
        self.asked_by: dict[str, list[str]] = {}
        urls: dict[str, str] = {}
        self._client = page.context.new_cdp_session(page)
        for domain in ("Network", "Performance"):
            self._client.send(f"{domain}.enable")

        def ask(told: dict[str, Any]) -> None:
            urls[told["requestId"]] = told["request"]["url"]
            path = "/" + told["request"]["url"].partition("//")[2].partition("/")[2]
            self.asked_by.setdefault(path, []).append(told["initiator"]["type"])

        def finish(told: dict[str, Any]) -> None:
            self.sizes[urls[told["requestId"]]] = int(told["encodedDataLength"])

        self._client.on("Network.requestWillBeSent", ask)
        self._client.on("Network.loadingFinished", finish)

    def used(self, name: str) -> float:
        """Return a measure of Chromium: ThreadTime, ScriptDuration …, in seconds."""
        told = self._client.send("Performance.getMetrics")["metrics"]
        return {each["name"]: each["value"] for each in told}[name]


def test_the_budget(browser, tmp_path):
    """At most 80 kB, usable in 0.4 s, no fonts, nothing from elsewhere, no work while idle."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    budget = Budget(page)
    with serving(tmp_path) as fresh:
        open_page(page, fresh)
        # Of the 400 ms until it can be used, what the browser's processor takes.
        assert budget.used("ThreadTime") < 0.4
        page.wait_for_timeout(200)
        assert sum(budget.sizes.values()) <= 80_000, budget.sizes
        # One trip for the page, one for all the rest: nothing waits for a script to ask for it.
        late = {path for path, by in budget.asked_by.items() if "script" in by}
        assert late <= {"/api/start"}
        assert len(budget.asked_by["/api/start"]) == 1, "what was loaded ahead is used"
        before = budget.used("ScriptDuration")
        page.wait_for_timeout(1000)
        assert budget.used("ScriptDuration") - before < 0.05
    context.close()
