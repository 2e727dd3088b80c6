"""Photograph the page in all of its states: ``python scripts/shoot_page.py [FOLDER]``.

With a folder, every state in both themes and both widths goes there, to be looked at.  Without
one, those that the documentation shows are written into docs/images.  It needs Chromium and the
tools of the extra ``dev``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser import open_browser  # noqa: E402 - of this repository
from tests.web.hands import Mouse  # noqa: E402
from tests.web.serving import Server, serving  # noqa: E402
from tests.web.states import STATES, THEMES, WIDTHS, flying, open_page, stop_all  # noqa: E402

KEPT = (
    ("page.png", "flying", "wide", "light"),
    ("page-dark.png", "flying", "wide", "dark"),
    ("page-drawing.png", "drawing", "wide", "light"),
    ("page-completed.png", "completed", "wide", "light"),
    ("page-none.png", "certified", "wide", "light"),
    ("page-late.png", "late", "wide", "light"),
    ("page-narrow.png", "editing", "narrow", "dark"),
)
"""The pictures of the documentation: file, state, width, theme."""


def shoot(browser: Any, server: Server, state: str, width: str, theme: str, path: Path) -> None:
    """Photograph one state."""
    context = browser.new_context(
        viewport=WIDTHS[width], color_scheme=theme, reduced_motion="reduce"
    )
    page = context.new_page()
    open_page(page, server)
    (flying if state == "flying" else STATES[state])(Mouse(page), server)
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(300)
    page.screenshot(path=path, full_page=width == "narrow" and state != "editing")
    context.close()
    stop_all(server)


def main(folder: str | None = None) -> None:
    """Write the pictures."""
    with TemporaryDirectory() as place, open_browser() as browser:
        if folder is None:
            for name, state, width, theme in KEPT:
                (Path(place) / name).mkdir()
                with serving(Path(place) / name) as server:
                    shoot(browser, server, state, width, theme, ROOT / "docs/images" / name)
            return
        with serving(Path(place)) as server:
            for state in STATES:
                for width in WIDTHS:
                    for theme in THEMES:
                        path = Path(folder) / f"{state}-{width}-{theme}.png"
                        shoot(browser, server, state, width, theme, path)


if __name__ == "__main__":
    main(*sys.argv[1:2])
