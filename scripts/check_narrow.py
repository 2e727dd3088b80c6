"""Look at built documents on a phone: ``python scripts/check_narrow.py docs/_build/html``.

At 390x844, no command in a table breaks into lines, no page is wider than the screen, and the pages
of results are at most eight screens long.  It needs Chromium and the extra ``dev``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser import open_browser  # noqa: E402 - of this repository
from tests.web.static import serve_files  # noqa: E402

PHONE: Final = {"width": 390, "height": 844}
RESULTS: Final = ("finds", "gallery", "widths", "rule-maps", "atlas/")
"""The pages of results; a name that ends with a slash is a folder."""
SCREENS: Final = 8
"""The most screens of a page of results."""
LOOK: Final = """() => ({
  wrapped: [...document.querySelectorAll("td code")]
    .filter((code) => code.textContent.includes(" ") && code.checkVisibility())
    .filter((code) => new Set([...code.getClientRects()].map((each) => each.top)).size > 1)
    .map((code) => code.textContent),
  wide: document.documentElement.scrollWidth - innerWidth,
  high: document.documentElement.scrollHeight / innerHeight,
})"""


def look(page: Any, address: str, name: str) -> tuple[float, list[str]]:
    """Return how many screens a page has, and what is wrong with it."""
    page.goto(f"{address}{name}.html", wait_until="load")
    told = page.evaluate(LOOK)
    wrong = [f"{name}: breaks {command}" for command in told["wrapped"]]
    if told["wide"] > 0:
        wrong.append(f"{name}: is {told['wide']} pixels too wide")
    if name.startswith(RESULTS) and told["high"] > SCREENS:
        wrong.append(f"{name}: has {told['high']:.1f} screens")
    return told["high"], wrong


def main(folder: str) -> None:
    """Look at all pages but those of single results; exit with 1 if one is wrong."""
    files = sorted(Path(folder).rglob("*.html"))
    names = [each.relative_to(folder).with_suffix("").as_posix() for each in files]
    names = [
        name for name in names if not name.startswith(("results/", "try/", "maps/", "_static/"))
    ]
    wrong = []
    with serve_files(Path(folder)) as address, open_browser() as browser:
        page = browser.new_page(viewport=PHONE, reduced_motion="reduce")
        for name in names:
            high, found = look(page, address, name)
            wrong += found
            if "--sizes" in sys.argv:
                sys.stdout.write(f"{high:6.1f} {name}\n")
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(sys.argv[1])
