"""Do what a newcomer does, and time it: ``python scripts/time_first_minute.py``.

The steps are those of docs/index.md and docs/install.md: an environment, the install, a ship on the
command line, the page in a browser, until a ship is seen to move.  Everything happens in a folder
that is removed again.  Prints a table; seconds are of the processor, and of the clock.
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


def measure(words: str, step: Callable[[], object]) -> None:
    """Do a step, and print its row."""
    used, begun = _processor(), time.monotonic()
    step()
    row = f"| {words} | {_processor() - used:.1f} | {time.monotonic() - begun:.1f} |"
    sys.stdout.write(f"{row}\n")
    sys.stdout.flush()


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Do all steps."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        scripts = folder / ".venv" / "bin"
        pip, satlife = str(scripts / "pip"), str(scripts / "satlife")
        question = ("ship", "c/3", "--box", "16x6")
        sys.stdout.write("| step | processor s | clock s |\n|---|---:|---:|\n")
        measure(
            "`python3 -m venv .venv`",
            lambda: run(sys.executable, "-m", "venv", ".venv", folder=folder),
        )
        measure(
            "`pip install '.[all]'`", lambda: run(pip, "install", f"{ROOT}[all]", folder=folder)
        )
        measure(
            "`satlife serve`, until a ship moves in the browser",
            lambda: watch_page(satlife, folder),
        )
        measure(f"`satlife {' '.join(question)}`", lambda: run(satlife, *question, folder=folder))
        measure(
            "the same with `-o ship.html`, a player in one file",
            lambda: run(satlife, *question, "-o", "ship.html", folder=folder),
        )


if __name__ == "__main__":
    main()
