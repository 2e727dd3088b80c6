"""The players of the documents: a picture without a script, a player with one, true commands."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from satlife.show.player import write_scene
from satlife.web.questions import FilledForm, read_question, show_answer, write_command
from tests.browser import open_browser
from tests.pages import FENCE
from tests.web.static import static_page

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
pytest.importorskip("myst_parser")


def load_extension() -> Any:
    """Return the module of the directive."""
    spec = importlib.util.spec_from_file_location("players", DOCS / "_ext" / "players.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EXTENSION = load_extension()

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


# ------------------------------------------------------------------ where the links lead


def list_players(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the content and the options of every player of a page."""
    lines = iter(text.splitlines())
    for line in lines:
        match = FENCE.match(line)
        if not match or not match["info"].startswith("{player}"):
            continue
        body, options = [match["info"].removeprefix("{player}").strip()], {}
        for inner in lines:
            if inner.strip() == match["ticks"]:
                break
            if option := re.match(r" *:(\w+): ?(.*)", inner):
                options[option[1]] = option[2]
            else:
                body.append(inner)
        yield "\n".join(body).strip(), options


def list_answers(pages: str = "**/*.md") -> dict[str, tuple[FilledForm, Any]]:
    """Return the question and the pattern of every link that the documents make."""
    links = {}
    for path in sorted(DOCS.glob(pages)):
        for content, options in list_players(path.read_text(encoding="utf-8")):
            page = DOCS / f"{options['files']}.md" if "files" in options else path
            files = EXTENSION.read_files(page.read_text(encoding="utf-8"))
            command = options.get("question", options.get("command", ""))
            question, pattern = EXTENSION.read_answer(content, command, files)
            links[EXTENSION.link_to(question, pattern)] = question, pattern
    return links


FILES = """\
$ cat > heart.cells <<'EOF'
> .O
> O.
> EOF
$ printf 'bo$2bo$3o!' > glider.rle
$ printf '#C a\\no!' > dot.rle
"""


def test_files_are_those_that_the_sessions_of_a_page_write():
    assert EXTENSION.read_files(FILES) == {
        "heart.cells": ".O\nO.\n",
        "glider.rle": "bo$2bo$3o!",
        "dot.rle": "#C a\no!",
    }


def test_a_pattern_without_a_question_stops_the_build(tmp_path):
    for command in ("satlife parent other.rle", "satlife show glider"):
        made = build(tmp_path, PAGE.replace("satlife ship c/4d --box 4x4", command))
        assert made.returncode != 0
        assert "no question" in made.stderr


SHOWN = """() => {
  const key = document.querySelector("#actions").dataset.key;
  const [, , , rle, question] = key ? JSON.parse(key)[0] : [];
  return {rle: rle ?? "", question, command: document.querySelector("#command").textContent};
}"""
SCENE = """shared => import("./api.js").then(({ask}) => ask("POST", "/api/scene", shared))"""
MOST_SECONDS = 120


@pytest.mark.parametrize(
    ("pages", "least"), [("finds.md", 17), ("**/*.md", 200)], ids=["finds", "all"]
)
def test_every_link_opens_its_question_and_its_answer(
    browser: Any, tmp_path_factory: pytest.TempPathFactory, pages: str, least: int
) -> None:
    """In the page without a server, which these links lead to."""
    links = list_answers(pages)
    assert len(links) >= least
    with static_page(tmp_path_factory.mktemp("try")) as address:
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        for link, (question, pattern) in links.items():
            page.evaluate("link => (location.hash = link)", link)
            shown = wait_for_pattern(page, pattern.to_rle())
            asked = FilledForm(**shown["question"])
            assert read_question(asked) == read_question(question), question
            assert shown["command"] == write_command(asked)
            assert page.locator("#kind").input_value() == question.kind
            assert page.locator("#shown canvas").is_visible()
            told = {"text": shown["rle"], "question": shown["question"]}
            expected = write_scene(show_answer(pattern, question))
            scene = page.evaluate(SCENE, told)
            assert scene["frames"][0] == expected["frames"][0], question
            if expected["loop"]:
                assert (scene["loop"], scene["length"]) == (expected["loop"], expected["length"])
            if question.kind in ("agar", "wick"):
                assert scene["frames"] == expected["frames"]
        page.close()


def wait_for_pattern(page: Any, rle: str) -> Any:
    """Return what the page shows, as soon as this pattern plays."""
    deadline = time.monotonic() + MOST_SECONDS
    while (shown := page.evaluate(SHOWN))["rle"] != rle:
        assert time.monotonic() < deadline, (rle, page.locator("#wrong").inner_text())
        page.wait_for_timeout(10)
    return shown
