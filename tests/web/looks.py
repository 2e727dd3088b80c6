"""What a page looks like to axe, and what it asks of others, in a real browser."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.browser import ask_axe
from tests.web.states import THEMES, WIDTHS


class Watched:
    """A page whose errors, and requests to anybody but our server, are remembered."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    @property
    def foreign(self) -> list[str]:
        ours = re.compile(r"(http://127\.0\.0\.1:\d+/|blob:|data:)")
        return [url for url in self.requests if not ours.match(url)]


def axe_complaints(page: Any) -> list[str]:
    """What axe finds wrong."""
    found = ask_axe(page)
    return [f"{each['id']}: {json.dumps(each['nodes'][0]['html'])[:200]}" for each in found]


def look_at(page: Any) -> None:
    """Ask axe in both themes and both widths, and look for what is too small or cut off."""
    for width in WIDTHS.values():
        page.set_viewport_size(width)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            page.wait_for_timeout(60)
            assert axe_complaints(page) == [], (theme, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width["width"]
        small = page.evaluate(
            """[...document.querySelectorAll("button, select, input, .button, summary")]
                .filter(e => e.offsetParent && !["checkbox", "radio", "file"].includes(e.type))
                .map(e => [e.id || e.textContent, e.getBoundingClientRect().height])
                .filter(([, height]) => height < 43.9)"""
        )
        assert small == []
