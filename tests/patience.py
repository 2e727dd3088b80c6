"""Time limits that are long enough on this machine, and as short as they can be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def at_limit(run: Callable[[float], T], has_begun: Callable[[T], object], first: float = 4) -> T:
    """Run something to its time limit, a longer one until it got as far as the test needs.

    How far a search gets in four seconds depends on what else the machine does; what it says when
    the limit ends it does not.
    """
    result = run(first)
    for seconds in (4 * first, 16 * first):
        if has_begun(result):
            break
        result = run(seconds)
    return result
