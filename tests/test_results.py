"""The page of every result: its question, its hash, its picture, and how to cite it."""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from satlife import Problem
from satlife.web.questions import FilledForm, read_question, write_command
from tests.browser import open_browser
from tests.web.looks import THEMES, axe_complaints
from tests.web.states import WIDTHS
from tests.web.static import static_page

ROOT = Path(__file__).resolve().parent.parent
pytest.importorskip("myst_parser")
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import results  # noqa: E402 - of the documents

GALLERY = json.loads((ROOT / "atlas" / "data" / "gallery.json").read_text("utf-8"))["rows"]


@pytest.fixture(scope="module")
def certificates() -> list[Any]:
    return results.list_certificates()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, certificates: list[Any]) -> Path:
    made = tmp_path_factory.mktemp("results")
    results.write_results(made, certificates)
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


def read_link(page: str) -> dict[str, Any]:
    """What the link to the question holds."""
    (fragment,) = re.findall(r'class="button" href="../../try/index.html#([^"]+)"', page)
    shared: dict[str, Any] = json.loads(
        base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4))
    )
    return shared


def test_every_result_has_an_address_of_its_own(certificates, folder):
    addresses = [each.address for each in certificates]
    assert len(addresses) == len(set(addresses)) > 500
    pages = {str(path.relative_to(folder)) for path in folder.rglob("*.html")}
    assert pages == set(addresses)
    listed = json.loads((folder / "results" / "manifest.json").read_text("utf-8"))
    assert [each["address"] for each in listed] == addresses


def test_every_page_has_question_hash_picture_and_citation(certificates, folder):
    for each in certificates:
        page = (folder / each.address).read_text("utf-8")
        assert each.sha256 in page
        assert "@software{" in page
        asked = read_link(page)["question"]
        assert read_question(FilledForm(asked["kind"], asked["values"])).boxes, each.name
        with Image.open((folder / each.address).with_suffix(".png")) as picture:
            assert picture.size == (600, 315)
            assert len(picture.convert("RGB").getcolors() or ()) > 1, each.name


def test_the_question_of_a_certificate_is_that_of_its_problem(certificates):
    """The command asks for what the certificate is about, but for a bound that it is the best."""
    for each in certificates:
        if each.group == "gallery" and "imize" not in each.command and "shrink" not in each.command:
            problem = Problem.from_json(GALLERY[each.name]["problem"].encode())
            assert read_question(each.question).to_json() == problem.to_json(), each.name


CHECK = """async (questions) => {
  const {ask} = await import("./api.js");
  const check = (question) =>
    ask("POST", "/api/check", question).then(({command}) => command, (refused) => refused.command);
  return Promise.all(questions.map(check));
}"""


def test_every_question_opens_in_the_small_page(browser, certificates, tmp_path):
    """What it cannot answer, it shows with the command that does."""
    asked = [each.question for each in certificates]
    assert all(asked)
    with static_page(tmp_path) as address:
        page = browser.new_page()
        page.goto(f"{address}tables.json")
        told = page.evaluate(CHECK, [{"kind": each.kind, "values": each.values} for each in asked])
        page.close()
    assert told == [write_command(each) for each in asked]


def test_names_in_the_documents_lead_to_the_pages(certificates):
    row = '<td><p>p3-5x5</p></td><td><span id="c-other">x</span></td>'
    linked = results.link_body("gallery", row, certificates)
    assert '<a href="results/gallery/p3-5x5.html">p3-5x5</a>' in linked
    row = '<p><span id="c-core-10x10">core-10x10</span></p>'
    linked = results.link_body("atlas/orphans", row, certificates)
    wanted = '<a href="../results/orphans/core-10x10.html" id="c-core-10x10">core-10x10</a>'
    assert wanted in linked
    assert results.link_body("index", row, certificates) == row


def test_finds_with_the_same_name_have_different_addresses():
    scene = {"caption": {"title": "Glider", "facts": ["5 cells"], "code": "xq4_153"}, "rle": "3o!"}
    node = {"scene": json.dumps(scene), "command": "satlife ship c/4d", "link": "#x"}
    first, second = results.list_finds([node, node])
    assert (first.address, second.address) == (
        "results/finds/glider.html",
        "results/finds/glider-2.html",
    )
    assert 'href="../../try/index.html#x"' in results.write_page(first, results.list_rows(first))


def test_axe_finds_nothing_wrong(browser, folder):
    static = folder / "_static"
    static.mkdir(exist_ok=True)
    (static / "results.css").write_bytes((ROOT / "docs" / "_static" / "results.css").read_bytes())
    names = ("gallery/p3-6x6", "oscillators/best-p2-c1-3x3", "widths/c2-none-9", "eaters/hwss-1-12")
    for width in WIDTHS.values():
        page = browser.new_page(viewport=width)
        for name in names:
            page.goto((folder / "results" / f"{name}.html").as_uri())
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                assert axe_complaints(page) == [], (name, theme)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        page.close()
