"""Photograph built pages to look at: ``python scripts/look_at_docs.py HTML OUT [PAGE …]``.

Every page, or each one that is named, is taken in both themes and at two widths; OUT gets contact
sheets of them.  It also tells what a person would have to search for: pages that are wider than the
screen, pictures that do not load, and errors of scripts; then it exits with 1.  It needs Chromium,
Pillow and the extra ``dev``.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser import open_browser  # noqa: E402 - of this repository

WIDTHS = (1280, 390)
THEMES = ("light", "dark")
LONGEST = 3000
"""Pixels of a page that are photographed at most; what follows is more of the same."""
SCALE = 3
SHEET = 6
"""Pages on a sheet."""
FAULTS = """() => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const lost = [...document.images].filter((each) => each.complete && !each.naturalWidth);
  const faults = lost.map((each) => `lost: ${each.src}`);
  return wide > 0 ? [`${wide} pixels too wide`, ...faults] : faults;
}"""
LOAD = "document.querySelectorAll('[loading]').forEach((each) => each.loading = 'eager')"


def photograph(page: Any, where: Path) -> Iterator[tuple[Image.Image, str]]:
    """Yield the page in each theme, and what is wrong with it."""
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.goto(where.as_uri())
        page.evaluate(LOAD)
        page.wait_for_timeout(100)
        height = min(LONGEST, page.evaluate("document.documentElement.scrollHeight"))
        size = {"width": page.viewport_size["width"], "height": height}
        shot = page.screenshot(full_page=True, clip={"x": 0, "y": 0, **size})
        image = Image.open(io.BytesIO(shot)).convert("RGB")
        small = image.resize((max(1, image.width // SCALE), max(1, image.height // SCALE)))
        yield small, "; ".join(page.evaluate(FAULTS)) if theme == THEMES[0] else ""


def write_sheet(shots: list[tuple[str, Image.Image]], file: Path) -> None:
    """Write pages side by side, each below its name."""
    width = sum(image.width + 8 for _, image in shots)
    sheet = Image.new("RGB", (width, max(image.height for _, image in shots) + 16), "white")
    pen, left = ImageDraw.Draw(sheet), 0
    for name, image in shots:
        pen.text((left, 2), name, "black")
        sheet.paste(image, (left, 16))
        left += image.width + 8
    sheet.save(file)


def main(built: str, folder: str, *names: str) -> None:
    """Write the sheets; exit with 1 if something is wrong."""
    root, out = Path(built).resolve(), Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    pages = [root / f"{name}.html" for name in names] or sorted(root.rglob("*.html"))
    pages = [each for each in pages if not {"_downloads", "_static"} & set(each.parts)]
    wrong: list[str] = []
    with open_browser() as browser:
        for width in WIDTHS:
            page = browser.new_page(viewport={"width": width, "height": 900})
            said: list[str] = []
            page.on("pageerror", lambda error, said=said: said.append(str(error)))
            for number in range(0, len(pages), SHEET):
                shots = []
                for each in pages[number : number + SHEET]:
                    name = each.relative_to(root).with_suffix("").as_posix()
                    for image, fault in photograph(page, each):
                        shots.append((name, image))
                        wrong += [f"{name} at {width}: {fault}"] if fault else []
                    wrong += [f"{name} at {width}: {error}" for error in said]
                    said.clear()
                write_sheet(shots, out / f"{width}-{number // SHEET:02}.png")
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
