"""CPU seconds of processes that still run, so that time limits do not depend on other work.

Only Linux tells; elsewhere the answer is None, and the wall clock has to do.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_POLL = 0.25
"""Seconds between looks."""
PATIENCE = 10
"""However busy the machine is, a run may take so many times its limit by the wall clock."""


def tree_seconds(pid: int) -> float | None:
    """Return the user CPU seconds of a process, its dead children and its living descendants."""
    parent: dict[int, int] = {}
    seconds: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # The program's name, in parentheses, may hold anything.
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
            number = int(path.parent.name)
            parent[number] = int(fields[1])
            seconds[number] = (int(fields[11]) + int(fields[13])) / _TICKS
    if pid not in seconds:
        return None
    tree = {pid}
    # Parents mostly have the smaller numbers, but numbers start again some day.
    while more := {child for child, above in parent.items() if above in tree} - tree:
        tree |= more
    return sum(seconds[number] for number in tree)


class Watch:
    """Calls a function once a process's tree has used up its seconds; use it with ``with``."""

    def __init__(self, pid: int, limit: float, stop: Callable[[], None]) -> None:
        self._pid, self._limit, self._stop = pid, limit, stop
        self._begun = time.monotonic()
        self._before = tree_seconds(pid) or 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        wall = time.monotonic() - self._begun
        if wall <= self._limit:
            return False
        spent = tree_seconds(self._pid)
        spent = wall if spent is None else spent - self._before
        return spent > self._limit or wall > PATIENCE * self._limit

    def _run(self) -> None:
        while not self._done.wait(_POLL):
            if self.is_late:
                self._stop()

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()
