"""Waiting in tests: for an event, and so long that only a defect exceeds the limit.

A machine may be ten times slower than usual, so no limit here is an expectation of speed. What
measures speed compares two things within one run; what needs a time limit to pass gives the code a
clock of the test's own, or a limit of conflicts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 300.0
"""Seconds after which something that is waited for is taken to never happen."""


def wait_until(condition: Callable[[], T], what: object = "it", pause: float = 0.02) -> T:
    """Return the first true value of a condition; fail when it has not become true in minutes."""
    end = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < end, f"{what} did not happen in {PATIENCE:g} s"
        time.sleep(pause)
    return value


def at_limit(run: Callable[[float], T], has_begun: Callable[[T], object], first: float = 4) -> T:
    """Run something to its time limit, a longer one until it got as far as the test needs.

    How far a search gets in four seconds depends on what else the machine does; what it says when
    the limit ends it does not.
    """
    for seconds in (first, 4 * first, 16 * first, 64 * first):
        result = run(seconds)
        if has_begun(result):
            break
    return result
