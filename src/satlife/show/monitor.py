"""A running search in a notebook: its progress, a button to stop it, and then its result."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Protocol

from satlife.show.widget import make_monitor

INTERVAL = 0.5
"""Seconds between two updates."""


class Running(Protocol):
    """A search that a notebook can follow."""

    @property
    def is_over(self) -> bool:
        """Whether there is a result."""

    @property
    def seconds(self) -> float:
        """Time since the start."""

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The latest numbers by name."""

    def stop(self) -> None:
        """Ask it to end."""

    def wait(self, seconds: float) -> bool:
        """Wait for the end; return whether it has come."""

    def result(self) -> Any:
        """Return the result."""


def watch(search: Running) -> Any:
    """Return a widget that follows the search until it is over, without consuming its events."""
    monitor = make_monitor(search.stop)
    monitor.text = describe_progress(search)
    if search.is_over:
        _finish(monitor, search)
    else:
        threading.Thread(
            target=_follow, args=(monitor, search), name="satlife-watch", daemon=True
        ).start()
    return monitor


def describe_progress(search: Running) -> str:
    """Describe the progress of a search in one line."""
    numbers, parts = search.numbers, [f"Searching: {search.seconds:.0f} s"]
    counted = ("variables", "clauses", "cells", "conflicts")
    parts += [f"{numbers[name]:,} {name}" for name in counted if numbers.get(name)]
    if numbers.get("memory_bytes"):
        parts.append(f"{numbers['memory_bytes'] / 2**20:,.0f} MiB")
    return ", ".join(parts)


def _follow(monitor: Any, search: Running) -> None:
    while not search.wait(INTERVAL):
        monitor.text = describe_progress(search)
    _finish(monitor, search)


def _finish(monitor: Any, search: Running) -> None:
    try:
        result = search.result()
    except Exception as error:  # the search's own; asking for the result raises it, too
        monitor.text = monitor.html = f"Failed: {error}"
    else:
        shown = getattr(result, "_repr_html_", None)
        monitor.html = shown() if shown else ""
        monitor.text = repr(result)
    monitor.running = False
