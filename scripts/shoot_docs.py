"""Photograph the player, a notebook and a card for the docs: ``python scripts/shoot_docs.py``.

It needs Chromium, and the tools of the extra ``dev``.
"""

from __future__ import annotations

import html
import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

import satlife
from satlife.life.catalogue import find_entry
from satlife.show import Scene

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
CARD = """\
<!DOCTYPE html><meta charset="utf-8"><style>
body { margin: 0; width: 1200px; height: 630px; display: grid; grid-template-rows: 1fr auto;
  background: #fcfcfb; color: #1f2a44; font: 40px/1.3 system-ui, sans-serif }
img { width: 900px; margin: 30px auto 0; align-self: center }
div { padding: 0 60px 40px } b { display: block; font-size: 84px; line-height: 1.1 }
</style><img src="ship.svg">
<div><b>satlife</b>Patterns in the Game of Life, found or ruled out</div>
"""
"""What a site shows that links to ours, 1200 by 630 pixels."""


def shoot_player(page: Page, folder: Path) -> None:
    """Write the player, with a ship in flight and its trail."""
    satlife.save(find_entry("25P3H1V0.1").pattern, folder / "player.html")
    page.goto((folder / "player.html").as_uri())
    page.get_by_label("View").select_option("trails")
    page.wait_for_timeout(1500)
    page.get_by_label("Pause").click()
    page.mouse.move(0, 0)
    page.locator(".satlife-player").screenshot(path=IMAGES / "player.png")


_SHEET = """
body{margin:0;padding:16px;background:#fff;width:700px}
pre.in{margin:12px 0 8px;padding:8px;border:1px solid #ddd;background:#f7f7f7;font-size:13px}
"""


def shoot_notebook(page: Page, _: Path) -> None:
    """Write a question and its answer in a notebook, as Jupyter shows them."""
    notebook = json.loads((ROOT / "examples" / "first-search.ipynb").read_text(encoding="utf-8"))
    parts = []
    for cell in notebook["cells"]:
        code = "".join(cell["source"])
        if cell["cell_type"] == "code" and code.startswith(("problem =", "answer =")):
            shown = "".join(cell["outputs"][0]["data"]["text/html"])
            parts.append(f'<pre class="in">{html.escape(code)}</pre>{shown}')
    page.set_content(f'<style>{_SHEET}</style><body data-jp-theme-light="true">{"".join(parts)}')
    page.locator("body").screenshot(path=IMAGES / "notebook.png")


def shoot_card(page: Page, folder: Path) -> None:
    """Write the picture that goes with links to the documentation."""
    ship = Scene.of(find_entry("25P3H1V0.1").pattern, generations=1)
    satlife.save(ship, folder / "ship.svg", caption=False, theme="light")
    (folder / "card.html").write_text(CARD, encoding="utf-8")
    page.set_viewport_size({"width": 1200, "height": 630})
    page.goto((folder / "card.html").as_uri())
    page.screenshot(path=ROOT / "docs" / "_static" / "card.png")


def main() -> None:
    """Write the pictures; a word chooses among player, notebook and card."""
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 760, "height": 900})
        for shoot in (shoot_player, shoot_notebook, shoot_card):
            if not sys.argv[1:] or shoot.__name__.removeprefix("shoot_") in sys.argv[1:]:
                shoot(page, Path(name))
        browser.close()


if __name__ == "__main__":
    main()
