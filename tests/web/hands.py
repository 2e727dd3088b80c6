"""Three ways to use the page: a mouse, a finger, and the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MOST_TABS = 150
"""How often Tab is pressed to reach something; the page has fewer places than that."""


class Mouse:
    """Clicks, and types where it has clicked."""

    touch = False

    def __init__(self, page: Any) -> None:
        self.page = page

    def press(self, where: str) -> None:
        """Press a button, or open what is folded."""
        self.page.locator(where).click()

    def write(self, where: str, text: str) -> None:
        """Replace the text of a field."""
        self.press(where)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def choose(self, where: str, value: str) -> None:
        """Choose from a list; the list itself is the system's, and no part of the page."""
        self.page.select_option(where, value)

    def search(self) -> None:
        self.press("#search")

    def stop(self) -> None:
        self.press("#stop")

    def help(self) -> None:
        self.press("#help")

    def paint(self, *cells: tuple[int, int], size: int = 8) -> None:
        """Paint cells of a square drawing."""
        board = self.page.locator("#board canvas")
        board.scroll_into_view_if_needed()
        self.page.wait_for_timeout(100)
        box = board.bounding_box()
        cell = min(box["width"], box["height"]) / size
        left = box["x"] + (box["width"] - size * cell) / 2
        top = box["y"] + (box["height"] - size * cell) / 2
        for x, y in cells:
            self._point(left + (x + 0.5) * cell, top + (y + 0.5) * cell)

    def point_at(self, cell: tuple[int, int], size: tuple[int, int]) -> None:
        """Point at a cell of the pattern that plays, counted from the middle of so many cells."""
        canvas = self.page.locator("#shown canvas")
        canvas.scroll_into_view_if_needed()
        self.page.wait_for_timeout(100)
        box = canvas.bounding_box()
        side = int(min(box["width"] / size[0], box["height"] / size[1]))
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self._point(x + cell[0] * side, y + cell[1] * side)

    def _point(self, x: float, y: float) -> None:
        self.page.mouse.click(x, y)


class Touch(Mouse):
    """Taps; the context must have been made with ``has_touch``."""

    touch = True

    def press(self, where: str) -> None:
        self.page.locator(where).tap()

    def _point(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(x, y)


class Keyboard(Mouse):
    """Reaches everything by Tab, and never points."""

    def press(self, where: str) -> None:
        self._reach(where)
        self.page.keyboard.press("Enter")

    def write(self, where: str, text: str) -> None:
        self._reach(where)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def choose(self, where: str, value: str) -> None:
        self._reach(where)
        self.page.keyboard.press("Home")
        for _ in range(MOST_TABS):
            if self.page.locator(where).input_value() == value:
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"{where} has no {value}")

    def search(self) -> None:
        self.page.keyboard.press("Control+Enter")

    def stop(self) -> None:
        self.page.keyboard.press("Escape")

    def help(self) -> None:
        self._reach("#theme")
        self.page.keyboard.press("?")

    def paint(self, *cells: tuple[int, int], size: int = 8) -> None:
        self._reach("#board")
        for x, y in cells:
            for key, times in (
                ("ArrowLeft", size), ("ArrowUp", size), ("ArrowRight", x), ("ArrowDown", y)
            ):  # fmt: skip
                for _ in range(times):
                    self.page.keyboard.press(key)
            self.page.keyboard.press("1")

    def _reach(self, where: str) -> None:
        wanted = self.page.locator(where)
        for _ in range(MOST_TABS):
            if wanted.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{where} is not reached by Tab")


HANDS: dict[str, Callable[[Any], Mouse]] = {"mouse": Mouse, "touch": Touch, "keyboard": Keyboard}
