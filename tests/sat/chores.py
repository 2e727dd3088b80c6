"""What the tests of confined functions have done in a child process."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path


def count(numbers: list[int], tell: Callable[[int], None]) -> int:
    """Return the sum, and tell every number."""
    for number in numbers:
        tell(number)
    return sum(numbers)


def spin() -> None:
    """Never end, and never look at a clock."""
    while True:
        pass


def make_a_file_and_wait(tell: Callable[[str], None]) -> None:
    """Make a temporary folder with a file, tell where, and wait."""
    folder = tempfile.mkdtemp()
    Path(folder, "file").write_text("text")
    tell(folder)
    time.sleep(600)


def fill(size: int) -> int:
    """Take memory."""
    return len([[number] for number in range(size)])
