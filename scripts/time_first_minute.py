"""Do what a newcomer does, and time it: ``python scripts/time_first_minute.py``.

The steps are those of the README: an environment, the plain install, a ship on the command line,
its GIF, the page in a browser, until a ship is seen to move.  Everything happens in a folder that
is removed again.  Prints a table; seconds are of the processor, and of the clock.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser import open_browser  # noqa: E402 - of this repository

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def run(*command: str, folder: Path) -> str:
    """Run a command to its end; one that fails ends this script."""
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True
    ).stdout


def watch_page(satlife: str, folder: Path) -> None:
    """Open the page of ``satlife serve`` in Chromium, and wait until the ship has moved."""
    server = subprocess.Popen(
        [satlife, "serve", "--no-browser", "--port", "0", "--ledger", "page.db"],
        cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        address = server.stdout.readline().strip() if server.stdout else ""
        with open_browser() as browser:
            page = browser.new_page()
            page.goto(address)
            page.wait_for_selector("html[data-ready]")
            shown = page.locator(".satlife-stats")
            first = shown.inner_text()
            while shown.inner_text() == first:
                page.wait_for_timeout(50)
    finally:
        server.terminate()
        server.wait()


def measure(words: str, step: Callable[[], object]) -> float:
    """Do a step, print its row, and return the seconds of the processor."""
    used, begun = _processor(), time.monotonic()
    step()
    used = _processor() - used
    sys.stdout.write(f"| {words} | {used:.1f} | {time.monotonic() - begun:.1f} |\n")
    sys.stdout.flush()
    return used


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Do all steps."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        scripts = folder / ".venv" / "bin"
        pip, satlife = str(scripts / "pip"), str(scripts / "satlife")
        steps: dict[str, Callable[[], object]] = {
            "`python3 -m venv .venv`": lambda: run(
                sys.executable, "-m", "venv", ".venv", folder=folder
            ),
            "`pip install .`": lambda: run(pip, "install", str(ROOT), folder=folder),
            "`satlife ship c/3 --box 16x6`": lambda: run(
                satlife, "ship", "c/3", "--box", "16x6", folder=folder
            ),
            "`satlife show 25P3H1V0.1 -o ship.gif`": lambda: run(
                satlife, "show", "25P3H1V0.1", "-o", "ship.gif", folder=folder
            ),
            "`satlife serve`, until a ship moves in the browser": lambda: watch_page(
                satlife, folder
            ),
        }
        sys.stdout.write("| step | processor s | clock s |\n|---|---:|---:|\n")
        total = sum(measure(words, step) for words, step in steps.items())
        sys.stdout.write(f"| all | {total:.1f} | |\n")


if __name__ == "__main__":
    main()
