"""The states of the page, each reached as a person would: for tests, axe and screenshots."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.web.serving import Server, serving

WIDTHS = {"wide": {"width": 1280, "height": 900}, "narrow": {"width": 390, "height": 844}}
THEMES = ("light", "dark")
SLOW = {"f-speed": "(2,1)c/6", "f-box": "20x20"}


def open_page(page: Any, server: Server, fragment: str = "") -> None:
    """Open the printed address, and wait until the page can be used."""
    page.goto(server.address + fragment)
    page.wait_for_selector("html[data-ready]")


def ask(page: Any, kind: str = "ship", **fields: str) -> None:
    """Fill in the form and search."""
    if page.locator("#kind").input_value() != kind:
        page.select_option("#kind", kind)
    for name, value in fields.items():
        page.fill(f"#f-{name}", value)
    page.click("#search")


def wait_for(page: Any, *states: str) -> None:
    """Wait for one of the states."""
    wanted = ", ".join(f"#status[data-state={state}]" for state in states)
    page.wait_for_selector(wanted, timeout=60_000)


def until(page: Any, expression: str, seconds: float = 30) -> None:
    """Wait until an expression is true; Playwright's own way is refused by the page's policy."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, expression
        page.wait_for_timeout(50)


def stop_all(server: Server) -> None:
    for job in server.ask("GET", "/api/jobs").json():
        if job["state"] in ("queued", "encoding", "solving", "checking"):
            server.ask("DELETE", f"/api/jobs/{job['id']}")


def editing(page: Any, server: Server) -> None:
    """Nothing was asked yet: a ship plays."""


def invalid(page: Any, server: Server) -> None:
    page.fill("#f-speed", "fast")
    page.wait_for_selector("#f-speed[aria-invalid]")


def queued(page: Any, server: Server) -> None:
    running = server.ask("GET", "/api/start").json()["limits"]["running"]
    for _ in range(running):
        server.search("ship", speed="(2,1)c/6", box="20x20", seconds=40)
    ask(page, speed="c/4d", box="4x4")
    wait_for(page, "queued")


def solving(page: Any, server: Server) -> None:
    ask(page, speed="(2,1)c/6", box="20x20")
    wait_for(page, "solving")
    until(page, "document.querySelector('#numbers').textContent.includes('memory')")


def found(page: Any, server: Server) -> None:
    ask(page, speed="c/4d", box="4x4")
    wait_for(page, "found")


def flying(page: Any, server: Server) -> None:
    ask(page, speed="c/3", box="16x6")
    wait_for(page, "found")


def impossible(page: Any, server: Server) -> None:
    ask(page, "oscillator", period="3", box="3x3")
    wait_for(page, "impossible")


def certified(page: Any, server: Server) -> None:
    impossible(page, server)
    page.get_by_role("button", name="Make a certificate").click()
    wait_for(page, "certified")


def undecided(page: Any, server: Server) -> None:
    page.click("#how summary")
    page.fill("#seconds", "1")
    ask(page, speed="(2,1)c/6", box="20x20")
    wait_for(page, "undecided")


def stopped(page: Any, server: Server) -> None:
    solving(page, server)
    page.click("#stop")
    wait_for(page, "stopped")


def failed(page: Any, server: Server) -> None:
    page.click("#how summary")
    page.select_option("#engine", "brute")
    ask(page, speed="c/3", box="16x6")
    wait_for(page, "failed")


def drawing(page: Any, server: Server) -> None:
    page.click("[data-card=complete]")
    page.select_option("#f-symmetry", "D2|")
    board = page.locator("#board")
    board.focus()
    for key in ("1", "ArrowDown", "1", "ArrowRight", "1", "ArrowDown", "0"):
        page.keyboard.press(key)
    until(page, "document.querySelector('#command').textContent.includes('symmetry')")
    page.wait_for_timeout(300)


def contradiction(page: Any, server: Server) -> None:
    page.click("[data-card=complete]")
    page.locator("#drawing summary").click()
    page.fill("#drawing-text", "x = 5, y = 5\n5b$2bo2b$b3ob$2bo2b$5b!")
    page.get_by_role("button", name="Use this text").click()
    until(page, "document.querySelector('#drawing-note').textContent")


def help_(page: Any, server: Server) -> None:
    page.click("#help")


STATES: dict[str, Callable[[Any, Server], None]] = {
    "editing": editing,
    "invalid": invalid,
    "queued": queued,
    "solving": solving,
    "found": found,
    "impossible": impossible,
    "certified": certified,
    "undecided": undecided,
    "stopped": stopped,
    "failed": failed,
    "drawing": drawing,
    "contradiction": contradiction,
    "help": help_,
}
"""Each with what leads to it from the open page; disconnected needs a server that ends."""


@contextmanager
def disconnected(page: Any, folder: Path) -> Iterator[None]:
    """Open a page whose server then ends."""
    with serving(folder) as server:
        open_page(page, server)
        server.process.kill()
        server.process.wait()
        page.fill("#f-box", "8x8")
        page.wait_for_selector("#offline:not([hidden])")
        yield
