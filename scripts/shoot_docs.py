"""Photograph the player and a notebook for the documentation: ``python scripts/shoot_docs.py``.

It needs Chromium, and besides the tools of the extra ``dev`` also nbconvert, which turns
examples/tutorial.ipynb into a page.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

import satlife
from satlife.life.catalogue import find_entry

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"


def shoot_player(page: Page, folder: Path) -> None:
    """Write the player, with a ship in flight and its trail."""
    satlife.save(find_entry("25P3H1V0.1").pattern, folder / "player.html")
    page.goto((folder / "player.html").as_uri())
    page.get_by_label("View").select_option("trails")
    page.wait_for_timeout(1500)
    page.get_by_label("Pause").click()
    page.mouse.move(0, 0)
    page.locator(".satlife-player").screenshot(path=IMAGES / "player.png")


def shoot_notebook(page: Page, folder: Path) -> None:
    """Write a question and its answer in the tutorial notebook."""
    notebook = ROOT / "examples" / "tutorial.ipynb"
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "html", str(notebook),
         "--output-dir", str(folder), "--log-level", "ERROR"],
        check=True,
    )  # fmt: skip
    page.goto((folder / "tutorial.html").as_uri())
    page.wait_for_timeout(1500)
    cells = page.locator(".jp-CodeCell")
    first, last = cells.nth(2).bounding_box(), cells.nth(3).bounding_box()
    if first is None or last is None:
        raise SystemExit("shoot_docs.py: the cells of the notebook are not seen")
    page.screenshot(
        path=IMAGES / "notebook.png",
        full_page=True,
        clip={
            "x": first["x"],
            "y": first["y"],
            "width": first["width"],
            "height": last["y"] + last["height"] - first["y"],
        },
    )


def main() -> None:
    """Write the pictures."""
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 760, "height": 900})
        shoot_player(page, Path(name))
        shoot_notebook(page, Path(name))
        browser.close()


if __name__ == "__main__":
    main()
