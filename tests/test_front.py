"""The front page of the documents: its cards are answered in the browser, at once and rightly."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from satlife.life import Pattern
from scripts.build_try import build
from scripts.time_try import count_seconds
from tests.browser import open_browser
from tests.web.hands import HANDS
from tests.web.looks import THEMES, Watched, axe_complaints
from tests.web.states import WIDTHS, until
from tests.web.static import serve_files

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
pytest.importorskip("myst_parser")

SETTINGS = f"""\
import importlib.util
spec = importlib.util.spec_from_file_location("settings", {str(DOCS / "conf.py")!r})
settings = importlib.util.module_from_spec(spec)
spec.loader.exec_module(settings)
extensions = [each for each in settings.extensions if each != "results"]  # pages of their own
html_theme = settings.html_theme
myst_enable_extensions = settings.myst_enable_extensions
html_theme_options = settings.html_theme_options
html_static_path, html_css_files = [{str(DOCS / "_static")!r}], settings.html_css_files
suppress_warnings = ["myst.xref_missing"]
def setup(app):
    app.connect("html-page-context", settings.improve_accessibility, priority=900)
    app.connect("build-finished", settings.name_landmarks)
"""
SECONDS = 3
"""Seconds of the processor in which every card is answered."""
MOST_BYTES = 250_000
"""What the front page loads before a card is clicked."""
NONE = ("No ", "Is this a Garden")
"""How the titles begin of the cards whose answer is that there is none."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the front page, without the pages that it leads to."""
    folder = tmp_path_factory.mktemp("front")
    text = (DOCS / "index.md").read_text(encoding="utf-8").partition("\n| page |")[0]
    (folder / "index.md").write_text(text, encoding="utf-8")
    (folder / "conf.py").write_text(SETTINGS, encoding="utf-8")
    words = ["-m", "sphinx", "-W", "-q", "-b", "html", str(folder), str(folder / "out")]
    made = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    build(folder / "out" / "try")
    with serve_files(folder / "out") as address:
        yield f"{address}index.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


@contextmanager
def opened(browser: Any, address: str, **settings: Any) -> Iterator[Any]:
    """A page whose errors and requests are looked at in the end."""
    context = browser.new_context(**settings)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    watched = Watched(context.new_page())
    watched.page.goto(address)
    yield watched.page
    context.close()
    assert watched.errors == []
    assert watched.foreign == []


def state(page: Any) -> str:
    return page.evaluate("document.querySelector('#status')?.dataset.state ?? ''")


OVER = """['found', 'impossible', 'undecided', 'failed'].includes(
    document.querySelector('#status:not([hidden])')?.dataset.state)"""


def test_every_card_is_answered_within_seconds(browser, home):
    with opened(browser, home, viewport=WIDTHS["wide"], reduced_motion="reduce") as page:
        cards = page.locator("a.card")
        titles = page.locator("a.card strong").all_inner_texts()
        assert 12 <= len(titles) == len(set(titles)) <= 24
        late = {}
        for number, title in enumerate(titles):
            with count_seconds(browser) as seconds:
                page.evaluate("document.querySelector('#status')?.setAttribute('hidden', '')")
                cards.nth(number).click()
                until(page, OVER)
            expected = "impossible" if title.startswith(NONE) else "found"
            assert state(page) == expected, title
            assert page.locator("#shown canvas").count() == (expected == "found"), title
            if seconds[0] > SECONDS:
                late[title] = seconds[0]
        assert late == {}


PLAYS = """document.querySelector('#shown [aria-label=Pause]')
    && /Generation [1-9]/.test(document.querySelector('#shown canvas').ariaLabel)"""
ANSWERED = """import('./try/link.js').then(({read}) => {
    const {question, rle} = read(new URL(document.querySelector('#actions a').href).hash);
    return question.values.box === '5x5' && Boolean(rle);
})"""


@pytest.mark.parametrize(
    ("hands", "width", "theme"),
    [
        # A newcomer with each hand at each width, and every run has each theme at each width.
        pytest.param(hands, width, theme, marks=[] if often else [pytest.mark.long])
        for hands in ("touch", "keyboard")
        for width in WIDTHS
        for theme in THEMES
        for often in [(hands == "touch") ^ (width == "narrow") ^ (theme == "light")]
    ],
)
def test_a_newcomer_asks_changes_and_shares(browser, home, hands, width, theme):
    look = {"viewport": WIDTHS[width], "color_scheme": theme}
    look |= {"has_touch": hands == "touch", "is_mobile": hands == "touch"}
    with opened(browser, home, **look) as page:
        hand = HANDS[hands](page)
        with count_seconds(browser) as seconds:
            hand.press("a.card:has-text('Find the glider')")
            until(page, PLAYS)
        assert seconds[0] <= SECONDS
        assert page.locator(".satlife-words strong").inner_text() == "glider"
        top = page.locator("#shown canvas").bounding_box()["y"]
        assert 0 < top < WIDTHS[width]["height"] - 100  # it is seen where it plays
        hand.write("#f-box", "5x5")
        hand.press("#search")
        until(page, ANSWERED)
        hand.press("#actions button:text-is('Copy link')")
        until(page, "document.querySelector('#actions').textContent.includes('Copied')")
        link = page.evaluate("navigator.clipboard.readText()")
        command = page.locator("#command").inner_text()
        assert command == "satlife ship c/4d --box 5x5"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with opened(browser, link, **look) as page:  # as in a browser that was never here
        page.wait_for_selector("html[data-ready]")
        until(page, PLAYS)
        assert page.locator("#command").inner_text() == command
        assert page.locator(".satlife-words strong").inner_text() == "glider"
        rle = read_shared(page)["rle"]
        assert Pattern.from_rle(rle).population == 5
        HANDS[hands](page).search()
        page.wait_for_selector("#status[data-state=found]")
        until(page, PLAYS)
        assert read_shared(page)["rle"] == rle
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def read_shared(page: Any) -> Any:
    """What the page's own address says: the question, and the pattern that plays."""
    return page.evaluate("import('./link.js').then(({read}) => read(location.hash))")


def test_a_wrong_word_is_blamed_in_its_field(browser, home):
    with opened(browser, home, viewport=WIDTHS["wide"], reduced_motion="reduce") as page:
        page.get_by_role("link", name="Change the question").click()
        page.wait_for_selector("#f-speed")
        page.wait_for_selector("#shown canvas")
        page.fill("#f-speed", "fast")
        page.click("#search")
        page.wait_for_selector("#f-speed[aria-invalid]")
        assert page.locator("#f-speed-error").is_visible()
        assert page.locator("#status").is_hidden()


def test_axe_finds_nothing_wrong(browser, home):
    with opened(browser, home, viewport=WIDTHS["wide"], reduced_motion="reduce") as page:
        for card in (None, "Find the glider", "No period 3 fits 5x5", "Undo this picture"):
            if card:
                page.evaluate("document.querySelector('#status')?.setAttribute('hidden', '')")
                page.locator(f"a.card:has-text('{card}')").click()
                until(page, OVER)
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                page.wait_for_timeout(60)
                assert axe_complaints(page) == [], (card, theme)


def test_the_front_page_is_light_until_a_card_is_clicked(browser, home):
    with opened(browser, home, viewport=WIDTHS["wide"]) as page:
        page.wait_for_load_state("networkidle")
        entries = "[...performance.getEntries()].filter((each) => 'encodedBodySize' in each)"
        loaded = page.evaluate(f"{entries}.reduce((sum, each) => sum + each.encodedBodySize, 0)")
        assert 100_000 < loaded <= MOST_BYTES


def test_without_a_script_the_cards_are_pictures_with_their_commands(browser, home):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(home)
    for card in page.locator("a.card").all():
        assert card.locator("svg").is_visible()
        assert card.locator("code").inner_text().startswith("satlife ")
        assert card.get_attribute("href").startswith("try/index.html#")
    page.context.close()
