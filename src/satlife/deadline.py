"""A time limit for a whole computation, however many parts it has.

It is set once, at the start, and passed down; each part asks for the time left.

>>> hours = iter([0, 1, 7, 99])
>>> day = Deadline.after(24, clock=lambda: next(hours))
>>> day.left, day.left, day.left
(23, 17, 0.0)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Deadline:
    """A number of seconds, by the wall clock, from a start; None is no limit."""

    seconds: float | None
    begun: float
    """Start by the clock; all processes of a machine share that of ``time.monotonic()``."""
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def after(cls, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> Deadline:
        """Return a deadline some seconds from now; None is no limit."""
        return cls(seconds, clock(), clock)

    @property
    def spent(self) -> float:
        """Seconds since it was set."""
        return self.clock() - self.begun

    @property
    def left(self) -> float | None:
        """Seconds left, at least 0; None if there is no limit."""
        return None if self.seconds is None else max(0.0, self.seconds - self.spent)

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.left == 0
