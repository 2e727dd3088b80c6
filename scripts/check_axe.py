"""Ask axe about built pages, in both themes: ``python scripts/check_axe.py docs/_build/html``.

It looks at pages of every sort (a front page, a how-to, tables, pictures, references), and at what
``satlife show`` and campaigns export.  With ``--all`` it looks at every page, but for results only
at the first of each sort; that takes minutes.  It needs Chromium and the extra ``dev``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import satlife  # noqa: E402
from satlife.life.catalogue import find_entry  # noqa: E402
from tests.browser import ask_axe, open_browser  # noqa: E402 - of this repository

PAGES = (
    "index", "finds", "gallery", "rule-maps", "compare", "faq", "how-to/page", "how-to/tagalong",
    "background/how-it-works", "reference/cli/show", "reference/rules/sets", "reference/kinds",
    "knuth/index", "search", "maps/c2-4x4/index",
)  # fmt: skip


def complain(page: Any, where: Path) -> list[str]:
    """Return what axe finds wrong with a page, in either theme."""
    found = []
    page.goto(where.as_uri(), wait_until="load")
    page.evaluate("document.querySelectorAll('details.fold').forEach(each => each.open = true)")
    if (player := page.locator("button.player-still").first).count():
        player.click()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_timeout(50)
        for each in ask_axe(page):
            node = each["nodes"][0]["html"][:160]
            found.append(f"{where.name}, {theme}: {each['impact']}: {each['id']}: {node}")
    return found


def list_pages(folder: Path) -> list[str]:
    """Return the names of all pages, but of the results the first of each sort."""
    names = [
        each.relative_to(folder).with_suffix("").as_posix()
        for each in sorted(folder.rglob("*.html"))
    ]
    sorts = {name.rpartition("/")[0]: name for name in reversed(names)}
    firsts = {name for sort, name in sorts.items() if sort.startswith("results/")}
    others = {name for name in names if not name.startswith(("results/", "try/", "_static/"))}
    return sorted(firsts | others)


def main(folder: str, *words: str) -> None:
    """Check the pages; exit with 1 if there is a complaint."""
    found = []
    names = list_pages(Path(folder)) if "--all" in words else PAGES
    with open_browser() as browser, TemporaryDirectory() as place:
        page = browser.new_page(reduced_motion="reduce")
        for name in names:
            found += complain(page, Path(folder).resolve() / f"{name}.html")
        several = [find_entry(each).pattern for each in ("glider", "pulsar")]
        satlife.save(several, Path(place) / "player.html")
        found += complain(page, Path(place) / "player.html")
        found += complain(page, ROOT / "examples/small-symmetric/results.html")
    sys.stdout.write("".join(f"{line}\n" for line in found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
