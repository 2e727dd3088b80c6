"""The states of the page, each reached as a person would: for tests, axe and screenshots."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.web.hands import Mouse
from tests.web.serving import Server, serving

WIDTHS = {"wide": {"width": 1280, "height": 900}, "narrow": {"width": 390, "height": 844}}
THEMES = ("light", "dark")


def open_page(page: Any, server: Server, fragment: str = "") -> None:
    """Open the printed address, and wait until the page can be used."""
    page.goto(server.address + fragment)
    page.wait_for_selector("html[data-ready]")


def ask(hand: Mouse, kind: str = "ship", **fields: str) -> None:
    """Fill in the form and search."""
    if hand.page.locator("#kind").input_value() != kind:
        hand.choose("#kind", kind)
    for name, value in fields.items():
        change = hand.choose if name == "symmetry" else hand.write
        change(f"#f-{name}", value)
    hand.search()


def wait_for(page: Any, *states: str) -> None:
    """Wait for one of the states."""
    wanted = ", ".join(f"#status[data-state={state}]" for state in states)
    page.wait_for_selector(wanted)


def until(page: Any, expression: str, seconds: float = 120) -> None:
    """Wait until an expression is true; Playwright's own way is refused by the page's policy."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, expression
        page.wait_for_timeout(50)


def stop_all(server: Server) -> None:
    """Stop every search, and wait until none runs: a page that opens would show it."""
    deadline = time.monotonic() + 60
    while running := [
        job["id"]
        for job in server.ask("GET", "/api/jobs").json()
        if job["state"] in ("queued", "encoding", "solving", "checking")
    ]:
        assert time.monotonic() < deadline, running
        for name in running:
            server.ask("DELETE", f"/api/jobs/{name}")
        time.sleep(0.05)


def watch_states(page: Any) -> None:
    """Write down every state that the page shows from now on; see :func:`seen_states`."""
    page.evaluate(
        """() => { const status = document.querySelector("#status");
        window.seenStates = [];
        new MutationObserver((changes) => window.seenStates.push(
          ...changes.map((change) => change.oldValue), status.dataset.state))
          .observe(status, { attributeFilter: ["data-state"], attributeOldValue: true }); }"""
    )


def seen_states(page: Any) -> list[str]:
    return page.evaluate("window.seenStates")


def editing(hand: Mouse, server: Server) -> None:
    """Nothing was asked yet: a ship plays."""


def invalid(hand: Mouse, server: Server) -> None:
    hand.write("#f-speed", "fast")
    hand.page.wait_for_selector("#f-speed[aria-invalid]")


def queued(hand: Mouse, server: Server) -> None:
    running = server.ask("GET", "/api/start").json()["limits"]["running"]
    for _ in range(running):
        server.search("ship", speed="(2,1)c/6", box="20x20", seconds=40)
    ask(hand, speed="c/4d", box="4x4")
    wait_for(hand.page, "queued")


def solving(hand: Mouse, server: Server) -> None:
    ask(hand, speed="(2,1)c/6", box="20x20")
    wait_for(hand.page, "solving")
    until(hand.page, "document.querySelector('#numbers').textContent.includes('memory')")


def late(hand: Mouse, server: Server) -> None:
    """Ten seconds have passed, by the page's own clock: it offers what may help."""
    hand.page.clock.install()
    ask(hand, speed="c/6", box="20x20")
    wait_for(hand.page, "solving")
    hand.page.clock.fast_forward(11_000)
    hand.page.wait_for_selector("#offers:not([hidden]) button")


def found(hand: Mouse, server: Server) -> None:
    watch_states(hand.page)
    ask(hand, speed="c/4d", box="4x4")
    wait_for(hand.page, "found")
    assert "encoding" in seen_states(hand.page)


def flying(hand: Mouse, server: Server) -> None:
    ask(hand, speed="c/3", box="16x6")
    wait_for(hand.page, "found")


def impossible(hand: Mouse, server: Server) -> None:
    ask(hand, "oscillator", period="3", box="3x3")
    wait_for(hand.page, "impossible")


def exhausted(hand: Mouse, server: Server) -> None:
    """A search by rows found nothing: nobody has checked that, and the page says so."""
    ask(hand, speed="c/3", box="8x*")
    wait_for(hand.page, "exhausted")


def certified(hand: Mouse, server: Server) -> None:
    impossible(hand, server)
    hand.press("#actions button:text-is('Make a certificate')")
    wait_for(hand.page, "certified")


def undecided(hand: Mouse, server: Server) -> None:
    hand.press("#how summary")
    hand.write("#seconds", "1")
    ask(hand, speed="(2,1)c/6", box="20x20")
    wait_for(hand.page, "undecided")


def stopped(hand: Mouse, server: Server) -> None:
    solving(hand, server)
    hand.stop()
    wait_for(hand.page, "stopped")


def failed(hand: Mouse, server: Server) -> None:
    hand.press("#how summary")
    hand.choose("#engine", "brute")
    ask(hand, speed="c/3", box="16x6")
    wait_for(hand.page, "failed")


def begin_drawing(hand: Mouse, card: str = "complete") -> None:
    """Go to an empty drawing."""
    hand.press(f"[data-card={card}]")
    hand.press("#blank")
    hand.page.wait_for_selector("#board")


def drawing(hand: Mouse, server: Server) -> None:
    begin_drawing(hand)
    hand.choose("#f-symmetry", "D2v")
    hand.paint((0, 0), (0, 1), (1, 1))
    until(hand.page, "document.querySelector('#command').textContent.includes('symmetry')")
    until(hand.page, "document.querySelector('#drawing-text').value.includes('2o')")
    hand.page.wait_for_timeout(300)


def completed(hand: Mouse, server: Server) -> None:
    """The answer plays in the drawing's place."""
    begin_drawing(hand)
    hand.paint((2, 2), (2, 3), (3, 3))
    hand.search()
    wait_for(hand.page, "found")
    hand.page.wait_for_selector("#editing:not([hidden])")


def contradiction(hand: Mouse, server: Server) -> None:
    begin_drawing(hand)
    hand.press("#drawing summary")
    hand.write("#drawing-text", "x = 5, y = 5\n5b$2bo2b$b3ob$2bo2b$5b!")
    hand.press("button:text-is('Use this text')")
    until(hand.page, "document.querySelector('#drawing-note').textContent")


def help_(hand: Mouse, server: Server) -> None:
    hand.help()
    hand.page.wait_for_selector("#shortcuts[open]")


STATES: dict[str, Callable[[Mouse, Server], None]] = {
    "editing": editing,
    "invalid": invalid,
    "queued": queued,
    "solving": solving,
    "late": late,
    "found": found,
    "impossible": impossible,
    "exhausted": exhausted,
    "certified": certified,
    "undecided": undecided,
    "stopped": stopped,
    "failed": failed,
    "drawing": drawing,
    "completed": completed,
    "contradiction": contradiction,
    "help": help_,
}
"""Each with what leads to it from the open page; disconnected needs a server that ends.

*Encoding* is too short to be looked at: ``found`` sees that it was shown.
"""


@contextmanager
def disconnected(hand: Mouse, folder: Path) -> Iterator[None]:
    """Open a page whose server then ends."""
    with serving(folder) as server:
        open_page(hand.page, server)
        server.process.kill()
        server.process.wait()
        hand.write("#f-box", "8x8")
        hand.page.wait_for_selector("#offline:not([hidden])")
        yield
