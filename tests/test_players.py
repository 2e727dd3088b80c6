"""The players of the documents: a picture without a script, a player with one, true commands."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import open_browser

ROOT = Path(__file__).resolve().parent.parent
pytest.importorskip("myst_parser")

SETTINGS = f"""\
import sys
sys.path.insert(0, {str(ROOT / "docs" / "_ext")!r})
extensions = ["myst_parser", "players"]
"""
PAGE = """\
# Page

```{player} bo$2o$obo!
:command: satlife ship c/4d --box 4x4
```

```console
$ echo one \\
> two
one two
$ echo three
three
```
"""
MOST_SCRIPT = 40_000


def build(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Build a page of its own, as `just docs` does."""
    (folder / "conf.py").write_text(SETTINGS, encoding="utf-8")
    (folder / "index.md").write_text(text, encoding="utf-8")
    words = ["-m", "sphinx", "-W", "-q", "-b", "html", str(folder), str(folder / "out")]
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    made = build(folder, PAGE)
    assert made.returncode == 0, made.stderr
    return folder / "out"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


def test_a_wrong_pattern_stops_the_build(tmp_path):
    made = build(tmp_path, PAGE.replace("bo$2o$obo!", "3o!"))
    assert made.returncode != 0
    assert "does not solve the problem of its command" in made.stderr


def test_the_script_is_one_small_file(built):
    assert (built / "_static" / "players.js").stat().st_size < MOST_SCRIPT


def test_without_a_script_there_is_a_picture_and_a_link(browser, built):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((built / "index.html").as_uri())
    figure = page.locator("figure.player")
    picture = figure.locator("img")
    picture.scroll_into_view_if_needed()
    assert "glider" in picture.get_attribute("alt")
    assert (built / picture.get_attribute("src")).is_file()
    assert figure.locator("code").inner_text() == "satlife ship c/4d --box 4x4"
    link = figure.get_by_role("link", name="Open in the page")
    assert link.get_attribute("href").startswith("try/index.html#")
    assert page.locator("button").count() == 0


def test_the_link_has_the_question_and_the_pattern(browser, built):
    page = browser.new_page()
    page.goto((built / "index.html").as_uri())
    link = page.get_by_role("link", name="Open in the page").get_attribute("href")
    script = (ROOT / "src/satlife/web/client/link.js").read_text(encoding="utf-8")
    page.add_script_tag(content=script.replace("export ", ""))
    shared = page.evaluate("link => read(new URL(link, location).hash)", link)
    assert shared["question"] == {"kind": "ship", "values": {"speed": "c/4d", "box": "4x4"}}
    assert shared["rle"].endswith("bo$2o$obo!")


def test_a_picture_becomes_the_player_when_it_is_asked_for(browser, built):
    page = browser.new_page(reduced_motion="reduce")
    page.goto((built / "index.html").as_uri())
    assert page.locator("canvas").count() == 0
    page.get_by_role("button", name="Play: glider").click()
    assert page.locator(".satlife-player canvas").is_visible()
    page.get_by_role("button", name="Pause").wait_for()  # it was asked for, so it plays


def test_the_commands_of_a_session_are_copied(browser, built):
    page = browser.new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
    page.goto((built / "index.html").as_uri())
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    button = page.get_by_role("button", name="Copy the commands")
    button.focus()
    button.click()
    page.wait_for_function("window.copied !== undefined")
    assert page.evaluate("copied") == "echo one \\\ntwo\necho three\n"
